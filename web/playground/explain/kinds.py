"""Kinds of errors: the many refusals of the engine share sentences and pages."""

from __future__ import annotations

from playground.words import LANGUAGES, sentences

# Page -> the endings of the keys it is about besides its own, without "error.";
# a word with a star stands for all that begin like it.
KINDS = {
    "budget": "budget-*",
    "argument": """arange-* bincount cartesian-prod cdist clamp-without-limits combinations contains
        corrcoef cov diff eye-size gradient histc kthvalue linspace-steps meshgrid pdist
        polygamma-order quantile reduce renorm rounding-mode searchsorted tolerance topk
        repeat-interleave deepcopy-of-result put-count tril triu""",
    "dims": """dim-twice flatten-backwards fliplr flipud movedim permute-* roll* rot90
        t-of-many-dims diag diagonal-dims trace needs-matrix narrow-of-scalar select-of-scalar""",
    "sizes": """ambiguous-size copy-shape expand-* fill-diagonal fill-shape masked-scatter
        negative-size out-of-storage repeat-dims repeat-negative several-unknown-sizes sum-to-size
        unflatten *_scatter""",
    "dtype-unsuitable": """alpha-* bool-subtraction condition-not-bool data-dtype
        dtype-not-implemented in-place-dtype integer-addcdiv integer-with-grad mask-not-bool
        mask-type masked-fill-value
        mean-of-integers needs-floating negation-of-bool negative-integer-power
        no-dtype no-kernel norm-of-integers plus-of-truths spread-of-integers value-type""",
    "dtypes-differ": "conv-dtypes grad-dtype matmul-dtypes",
    "division": "integer-division-by-zero",
    "function-gradient": "differentiate-twice dirty-not-returned function-gradient-*",
    "gradient-arguments": """direction empty-inputs functional-output grad-is-itself gradient-count
        invalid-gradient strict-functional""",
    "hook": "hook-* post-hook-on-result",
    "index": "index-out-of-* narrow-length narrow-start select-out-of-range",
    "index-kind": """index-add-* index-copy-* index-dims index-fill index-of-scalar index-put-shape
        index-shapes index-size index-type mask-shape too-many-indices""",
    "inference-saved": "inference-*",
    "joining": "cat-dims cat-of-scalars cat-sizes stack-sizes",
    "layer-input": """bag-offsets batch-norm channel-shuffle conv-* embedding gelu glu group-norm
        layer-norm one-hot pad-* pixel-shuffle pool-* prelu unfold-*""",
    "leaf-view-in-place": "leaf-view-in-place",
    "linalg": """cholesky-dims linalg-* lu-pivots matrix-norm not-positive-definite qr-* singular
        solve-shapes tensorinv tensorsolve""",
    "loss-target": """batch-sizes huber loss-weight multi-target nll-dims not-differentiable
        probability-range smooth-l1 target-*""",
    "of-nothing": """cat-of-nothing extreme-of-nothing norm-of-nothing stack-of-nothing
        take-from-nothing""",
    "product-dims": """addr-dims bmm-shapes cross-* dot-* einsum inner-sizes matmul-of-scalars
        multi-dot mv-* not-a-* outer-dims tensordot""",
    "splitting": "chunks sections split-* unbind-of-scalar",
    "write-refused": "detach-view out-with-grad resize-* view-of-many write-to-*",
}
NAMES = {name: page for page, names in KINDS.items() for name in names.split()}


def kind_of(key: str) -> str:
    """The page about a key, which names its kind: that of sizes for cat is "joining"."""
    name = key.removeprefix("error.")
    if name in NAMES:
        return NAMES[name]
    for pattern, page in NAMES.items():
        ends, begins = pattern.startswith("*"), pattern.endswith("*")
        if (begins and name.startswith(pattern[:-1])) or (ends and name.endswith(pattern[1:])):
            return page
    # Of a refusal nobody has sorted in yet only PyTorch's text is known.
    known = name == "python" or f"error.{name}.why" in sentences(LANGUAGES[0])
    return name if known else "argument"
