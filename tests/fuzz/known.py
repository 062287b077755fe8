"""Differences that have an explanation: what the engine leaves different on purpose.

Each entry: which kinds of difference, which catalogue lines or texts, and why.
"""

from __future__ import annotations

import re

from tests.fuzz.compare import Difference

KNOWN = (
    (
        r"flags.*|error",
        r"^!\{a\}\.(eq_|logical_not_)",
        "comparisons in place of a tensor that requires grad have no node",
    ),
    (
        r"error",
        r"In-?place update to inference|Inference tensors cannot be saved",
        "tensors made in inference mode with requires_grad=True",
    ),
    (
        r"stride",
        r".*",
        "where an operation copies, the order of its result in memory is numpy's choice",
    ),
    (
        r".*",
        r"tolist\(\) shouldn't be called on a tensor with unallocated storage",
        "a fault of PyTorch: a failed in-place call leaves a tensor without memory",
    ),
    (
        r"value|text",
        r"BCEWithLogitsLoss.*double",
        "logits of float32 against a target of float64: the logarithm inside is float32's",
    ),
    (
        r"value",
        r"\._is_view\(\)|\._base is None",
        "whether a gradient is a view tells how PyTorch's C++ computed it",
    ),
    (
        r"sign of zero",
        r"conv\dd|@|torch\.mm|matmul|addmm|tensordot|Linear|linear|bmm|einsum|batch_norm",
        "sums of products come from the processor's library, whose order decides the sign of 0",
    ),
    (
        r"sign of zero",
        r"softshrink",
        "PyTorch's vector kernel has +0 where its scalar one, for the last few elements, has -0",
    ),
    (
        r"sign of zero",
        r"^[^\n]*(max|min|clamp|clip|topk|kthvalue|sort|median)",
        "of 0 and -0, which are equal, a vector kernel takes another than a scalar one",
    ),
    (
        r"error",
        r"Output \d of (View|Diagonal) is a view and is being modified inplace\. This view is the"
        r" output of a function that returns multiple views",
        "torch.func works by loops here: what it returns is no part of a batched gradient",
    ),
    (
        r"error",
        r"setStorage: sizes .* are out of bounds for storage of size",
        "a fault of PyTorch: index_fill on an empty tensor",
    ),
    (
        r"error",
        r"unflatten got an unexpected error",
        "PyTorch's text is a stack trace of its own library",
    ),
)


def explanation(found: Difference, line: str) -> str | None:
    """Why a difference is there, None when nobody knows."""
    text = f"{line}\n{found.want}\n{found.got}"
    for kinds, where, reason in KNOWN:
        if re.fullmatch(kinds, found.kind) and re.search(where, text, re.S):
            return reason
    return None
