"""Record what PyTorch computes for the samples of every op that has a public spelling.

python -m tests.golden.ops          (needs torch 2.13; writes tests/golden/ops.json)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.ops.record import REGISTRY, Op
from engine.ops.samples import Sample, T

TABLE = Path(__file__).with_name("ops.json")
# Ops that are reached through a function which chooses between several.
CHOSEN = {
    "torch.pow": ("pow", "pow_tensor", "pow_scalar"),
    "torch.where": ("where",),
    "torch.clamp": ("clamp", "clamp_tensor"),
    "torch.max": ("max", "max_dim"),
    "torch.min": ("min", "min_dim"),
    "torch.median": ("median", "median_dim"),
    "torch.nanmedian": ("nanmedian", "nanmedian_dim"),
    "torch.sort": ("sort",),
    "torch.var": ("var",),
    "torch.std": ("std",),
    "torch.var_mean": ("var_mean",),
    "torch.std_mean": ("std_mean",),
    "torch.div": ("div_mode",),
    "torch.split": ("split",),
    "torch.split_with_sizes": ("split_with_sizes",),
    "torch.masked_fill": ("masked_fill", "masked_fill_tensor"),
    "torch.index_fill": ("index_fill", "index_fill_tensor"),
    "torch.scatter": ("scatter", "scatter_value"),
    "torch.nonzero": ("nonzero",),
    "torch.cdist": ("cdist",),
    "torch.nn.functional.nll_loss": ("nll_loss",),
    "torch.linalg.vector_norm": ("linalg_vector_norm",),
    "torch.linalg.det": ("linalg_det",),
    "torch.linalg.slogdet": ("linalg_slogdet",),
    "torch.linalg.inv": ("linalg_inv",),
}
# PyTorch's function and its in-place form have nodes of different names; ours has the latter's.
LEFT_OUT = {"fill"}
SPELLINGS = {name: spelling for spelling, names in CHOSEN.items() for name in names}


def spelling_of(op: Op) -> str | None:
    """Return the public function by which an op is called, if it has one."""
    if op.samples is None or op.name in LEFT_OUT:
        return None
    functions = [b for b in op.binds if b.startswith("torch.") and not b.endswith("_")]
    return SPELLINGS.get(op.name) or next(iter(functions), None)


def look_up(module: Any, spelling: str) -> Any:
    """Return what a spelling names in `torch`, or in what stands for it."""
    for part in spelling.split(".")[1:]:
        module = getattr(module, part)
    return module


def value(module: Any, x: Any, tracked: bool) -> Any:
    """Return a sample's argument as a tensor of a module, which may ask for gradients."""
    if isinstance(x, T):
        needs = tracked and x.dtype.startswith("float")
        return module.tensor(x.data, dtype=getattr(module, x.dtype), requires_grad=needs)
    if isinstance(x, (list, tuple)):
        return type(x)(value(module, v, tracked) for v in x)
    return x


def shown(module: Any, op: Op, sample: Sample) -> list[dict[str, Any]] | None:
    """Call an op's function on a sample and return its outputs as data."""
    names = [p.name for p in op.params]
    args = [value(module, a, n in op.vjps) for n, a in zip(names, sample.args, strict=False)]
    kwargs = {k: value(module, v, k in op.vjps) for k, v in sample.kwargs.items()}
    function = look_up(module, spelling_of(op) or "")
    if op.name == "elu" and len(args) > 2:
        return None  # the function does not take all that the op takes
    got = function(*args, **kwargs)
    return [
        {
            "dtype": str(t.dtype),
            "shape": list(t.shape),
            "data": t.detach().reshape(-1).tolist(),
            "grad_fn": None if t.grad_fn is None else t.grad_fn.name(),
        }
        for t in (got if isinstance(got, (tuple, list)) else [got])
    ]


def main() -> None:
    """Write the table."""
    import torch

    table = {}
    for op in REGISTRY.values():
        if spelling_of(op) is not None:
            table[op.name] = [shown(torch, op, s) for s in op.samples()]  # type: ignore[misc]
    text = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(table.items()))
    TABLE.write_text("{\n" + text + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    import engine  # noqa: F401  (fills the registry)

    main()
