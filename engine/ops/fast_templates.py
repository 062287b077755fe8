"""Source of the specialised forms of fast.py, with gaps for names and expressions.

`docs/notes/speed.md` has the measurements behind each line.
"""

from __future__ import annotations

from textwrap import indent

HEAD = """\
def {name}({x}=MISSING, {second}*rest{signature}):
    if events.careful or rest{changed}:
        return general({arguments}, *rest{keywords})
"""

OPERATOR_HEAD = """\
def {name}({arguments}):
    if events.careful:
        return general({arguments})
"""

RESULT = """\
    t = new(Tensor)
    t._array = array
    t.shape = shape
    t.dtype = kind
    t._meta = None
"""

RECORD = """\
    node = t._fn = Node()
    node.rank = clock[0] = clock[0] - 1
    node.extra = None
"""

UNARY = (
    """\
    try:
        a = {x}._array
        kind = {x}.dtype
        shape = {x}.shape
        if not kind.is_floating_point:
            return general({x})
    except AttributeError:
        return general({x})
    array = {compute}
"""
    + RESULT
    + """\
    fn = {x}._fn
    if fn is None or not grad_mode.enabled:
        t._fn = None
        return t
"""
    + RECORD
    + """\
    node.run = run_one
    node.edge = {x} if fn is LEAF else fn
    node.edge2 = None
    {save_one}
    return t
"""
)

OPERANDS = (
    """\
    try:
        a = {x}._array
        kind = {x}.dtype
        shape = {x}.shape
        given = type({y})
        if given is float or given is int:
{with_number}
        if {y}.dtype is not kind or not kind.is_floating_point:
            return general({x}, {y})
        if {y}.shape is not shape and {y}.shape != shape:
            return broadcast({x}, {y})
        b = {y}._array
    except AttributeError:
        return general({x}, {y})
    array = {compute}
"""
)  # fmt: skip

NUMBER = """\
    b = (kind.arrays if shape else kind.scalars).get({y})
    if b is None:
        b = number({y}, kind, bool(shape))
    array = {compute}
"""

REFUSED = """\
    return general({x}, {y})
"""

WITH_NUMBER = (
    NUMBER
    + RESULT
    + """\
    fn = {x}._fn
    if fn is None or not grad_mode.enabled:
        t._fn = None
        return t
"""
    + RECORD
    + """\
    node.run = run_constant
    node.edge = {x} if fn is LEAF else fn
    node.edge2 = None
    {save_constant}
    return t
"""
)

WITH_TENSOR = (
    RESULT
    + """\
    fn = {x}._fn
    fn2 = {y}._fn
    if not grad_mode.enabled or (fn is None and fn2 is None):
        t._fn = None
        return t
"""
    + RECORD
    + """\
    if fn2 is None:
        if {y}._meta is not None and {y}._meta.inference:
            return general({x}, {y})
        node.run = run_first
        node.edge = {x} if fn is LEAF else fn
        node.edge2 = None
        {save_first}
    elif fn is None:
        if {x}._meta is not None and {x}._meta.inference:
            return general({x}, {y})
        node.run = run_second
        node.edge = {y} if fn2 is LEAF else fn2
        node.edge2 = None
        {save_second}
    else:
        node.run = run_both
        node.edge = {x} if fn is LEAF else fn
        node.edge2 = {y} if fn2 is LEAF else fn2
        {save_both}
    return t
"""
)

COMPARED = """\
    t = new(Tensor)
    t._array = array
    t.shape = shape
    t.dtype = bool_ if array.dtype is TRUTH else BY_NUMPY[array.dtype]
    t._fn = t._meta = None
    return t
"""


def on_two(with_number: str, with_tensor: str) -> str:
    """Return the template for two inputs, the second of which may be a number."""
    return OPERANDS.replace("{with_number}\n", indent(with_number, " " * 8)) + with_tensor


BINARY = on_two(WITH_NUMBER, WITH_TENSOR)
BINARY_OF_TENSORS = on_two(REFUSED, WITH_TENSOR)
COMPARISON = on_two(NUMBER + COMPARED, COMPARED)
