"""Which operations exist for which element types: the refusals of PyTorch's CPU kernels.

A kernel's name is part of the error, so each op that refuses some types is listed with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine import dtypes
from engine.dtypes import LEGACY_NAMES, dtype
from engine.errors import fail
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.ops.record import Op

# Refuse bool.
NO_BOOL = {
    "abs": "abs_cpu", "floor": "floor_vml_cpu", "ceil": "ceil_vml_cpu", "trunc": "trunc_vml_cpu",
    "threshold": "threshold_cpu", "floor_divide": "div_floor_cpu", "remainder": "remainder_cpu",
    "fmod": "fmod_cpu", "pow": "pow", "pow_tensor": "pow", "pow_scalar": "pow",
    "addcmul": "addcmul_cpu_out",
    "median": "median_cpu", "nanmedian": "median_cpu", "median_dim": "median_out",
    "nanmedian_dim": "median_out", "kthvalue": "kthvalue_cpu", "trace": "trace",
    "mm": "addmm_impl_cpu_",
    "addmm": "addmm_impl_cpu_", "mv": "addmv_impl_cpu", "addmv": "addmv_impl_cpu", "dot": "dot",
    "bmm": "bmm",
}  # fmt: skip
# Refuse bool and integers.
ONLY_FLOATS = {
    "frac": "frac_cpu", "leaky_relu": "leaky_relu_cpu", "elu": "elu_cpu", "celu": "elu_cpu",
    "gelu": "GeluKernelImpl", "silu": "silu_cpu", "mish": "mish_cpu", "softplus": "softplus_cpu",
    "log_sigmoid": "log_sigmoid_cpu", "hardsigmoid": "hardsigmoid_cpu",
    "hardswish": "hardswish_cpu",
    "softshrink": "softshrink_check", "hardshrink": "hardshrink_cpu", "hypot": "hypot_cpu",
    "logaddexp": "logaddexp_cpu", "logaddexp2": "logaddexp2_cpu",
    "logcumsumexp": "logcumsumexp_out_cpu", "igamma": "igamma_cpu", "igammac": "igammac_cpu",
    "geqrf": "geqrf_cpu", "linalg_householder_product": "orgqr_cpu",
}  # fmt: skip

# Refuse bool in words of their own.
NO_BOOL_BUT_SAY = {
    "relu": "Boolean inputs not supported for relu",
    "hardtanh": "Bool inputs not supported for hardtanh",
    "argmax": "argmax(): does not support bool input",
    "argmin": "argmin(): does not support bool input",
    "topk": "topk does not support bool dtypes on CPU",
    "isin": "Unsupported input type encountered for isin(): Bool",
}


def refusal(kernel: str, kind: dtype) -> Exception:
    """Make the error about a kernel that does not exist for a type."""
    return fail(
        "no-kernel",
        f"\"{kernel}\" not implemented for '{LEGACY_NAMES[kind]}'",
        NotImplementedError,
        dtype=kind.name,
    )


def kernel_of(op: Op, kind: dtype, arguments: dict[str, Any]) -> str | None:
    """Return the name of the kernel an op lacks for a type, None when it has one."""
    name = op.name
    if kind.category < 2 and name in ONLY_FLOATS:
        return ONLY_FLOATS[name]
    if kind.category == 0 and name in NO_BOOL:
        return NO_BOOL[name]
    if name == "round" and kind.category < 2:
        if arguments["decimals"]:
            return "round_cpu"
        return "round_vml_cpu" if kind.category == 0 else None
    mode = arguments.get("rounding_mode")
    if name == "div_mode" and kind.category == 0 and mode is not None:
        return f"div_{mode}_cpu"
    if name == "lerp" and kind.category < 2:
        by = "tensor" if isinstance(arguments["weight"], Tensor) else "scalar"
        return f"lerp_kernel_{by}"
    return None


BY_ARGUMENT = {"round", "div_mode", "lerp"}
LISTED = {*NO_BOOL, *NO_BOOL_BUT_SAY, *ONLY_FLOATS, *BY_ARGUMENT}


def kind_of(op: Op, arguments: dict[str, Any]) -> dtype:
    """Return the type an op would work in."""
    if op.promote is None and not op.name.startswith("pow"):
        return next(v.dtype for v in arguments.values() if isinstance(v, Tensor))
    count = 2 if op.name == "lerp" or op.name.startswith("pow") else len(op.tensors)
    operands = [v for v in list(arguments.values())[:count] if v is not None]
    return dtypes.result_type(operands)


def install(registry: dict[str, Op]) -> None:
    """Let every op in the lists look at the types before it looks at anything else."""
    for name in LISTED & registry.keys():
        op = registry[name]
        op.preparer = checking(op, op.preparer)


def checking(op: Op, then: Callable[..., Any] | None) -> Callable[..., Any]:
    """Return the op's preparation with the look at the types before it."""

    def prepare(**arguments: Any) -> Any:
        kind = kind_of(op, arguments)
        missing = None if kind is dtypes.float32 else kernel_of(op, kind, arguments)
        if kind is dtypes.bool_ and op.name in NO_BOOL_BUT_SAY:
            raise fail("no-kernel", NO_BOOL_BUT_SAY[op.name], dtype=kind.name)
        if missing is not None:
            raise refusal(missing, kind)
        return None if then is None else then(**arguments)

    prepare.then = then  # type: ignore[attr-defined]  # what is left to do for float32
    return prepare
