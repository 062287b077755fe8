"""Edits of the learner's program: pure, minimal, and reversible to the letter.

Every function takes the program text and returns an `Edit`; `EditError` says in a key and facts
why there is no place for it. Turning something on and off again (or off and on) gives back the
identical text.
"""

from playground.edits.attributes import as_floats, call_before, detach_before, rename
from playground.edits.characters import plain_characters
from playground.edits.grad_mode import set_no_grad
from playground.edits.insert import (
    insert_after,
    insert_before,
    insert_clear,
    insert_retain_grad,
    make_out_of_place,
    recompute,
    set_detach,
    sum_before_backward,
)
from playground.edits.keywords import set_requires_grad, set_retain_graph
from playground.edits.text import Edit, EditError, changed_lines
from playground.edits.vector import set_vector

__all__ = [
    "Edit",
    "EditError",
    "as_floats",
    "call_before",
    "changed_lines",
    "detach_before",
    "insert_after",
    "insert_before",
    "insert_clear",
    "insert_retain_grad",
    "make_out_of_place",
    "plain_characters",
    "recompute",
    "rename",
    "set_detach",
    "set_no_grad",
    "set_requires_grad",
    "set_retain_graph",
    "set_vector",
    "sum_before_backward",
]
