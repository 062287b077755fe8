"""gradcheck: gradients compared with finite differences, for functions and for their gradients."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.gradients import grad
from engine.ops.record import PUBLIC
from engine.tensor import Tensor, make

Func = Callable[..., Any]
NONDETERMINISTIC = """\n
NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""


class GradcheckError(RuntimeError):
    """What gradcheck raises when a gradient is wrong."""


def gradcheck(
    func: Func,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare the gradients of `func` at `inputs` (float64) with central differences.

    True when all agree within `atol + rtol * |numerical|`; otherwise GradcheckError, or False when
    `raise_exception` is off.
    """
    check = _Check(func, as_tuple(inputs), eps, atol, rtol, nondet_tol, check_grad_dtypes)
    if raise_exception:
        check.run(check_undefined_grad)
        return True
    try:
        check.run(check_undefined_grad)
    except GradcheckError:
        return False
    return True


def gradgradcheck(
    func: Func,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare the second derivatives of `func` with differences of its gradients."""
    xs = as_tuple(inputs)
    if grad_outputs is None:
        given = tuple(random_like(o) for o in differentiable(func(*xs)))
    else:
        given = as_tuple(grad_outputs)
    return gradcheck(
        first_gradients(func, xs, given),
        xs + given,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
    )


def first_gradients(func: Func, xs: tuple[Any, ...], given: tuple[Tensor, ...]) -> Func:
    """Return the function from inputs and the gradients of outputs to the inputs' gradients."""
    count = len(given)
    wanted = [i for i, x in enumerate(xs) if isinstance(x, Tensor) and x.requires_grad]
    starts = {i for i, g in enumerate(given) if g.requires_grad}

    def gradients(*args: Any) -> Any:
        ins = [x.requires_grad_() if i in wanted else x for i, x in enumerate(args[:-count])]
        outs = differentiable(func(*ins))
        directions = [g.requires_grad_() if i in starts else g for i, g in enumerate(args[-count:])]
        found = grad(
            list(outs), [ins[i] for i in wanted], directions, create_graph=True, allow_unused=True
        )
        return tuple(g for g in found if g is not None)

    return gradients


def random_like(out: Tensor) -> Tensor:
    """Return uniform random numbers of an output's shape that require grad."""
    empty = PUBLIC["torch.empty"](tuple(out.shape), dtype=out.dtype)
    return empty.uniform_(-1, 1).requires_grad_()  # type: ignore[no-any-return]


def as_tuple(value: Any) -> tuple[Any, ...]:
    """Return a tuple or list as a tuple, anything else as a tuple of one."""
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def differentiable(outputs: Any) -> tuple[Tensor, ...]:
    """Return those outputs that require grad."""
    return tuple(o for o in as_tuple(outputs) if o.requires_grad)


class _Check:
    """One comparison."""

    def __init__(
        self,
        func: Func,
        inputs: tuple[Any, ...],
        eps: float,
        atol: float,
        rtol: float,
        nondet_tol: float,
        check_dtypes: bool,
    ) -> None:
        self.func, self.inputs = func, inputs
        self.eps, self.atol, self.rtol = eps, atol, rtol
        self.nondet_tol, self.check_dtypes = nondet_tol, check_dtypes
        self.wanted = [x for x in inputs if isinstance(x, Tensor) and x.requires_grad]

    def run(self, check_undefined: bool) -> None:
        """Check everything; raise what is wrong."""
        self.check_inputs()
        func_out = self.func(*self.inputs)
        outputs = differentiable(func_out)
        if not outputs:
            self.check_zero(as_tuple(func_out))
            return
        for at, out in enumerate(outputs):
            self.check_output(at, out)
        self.check_linear(outputs)
        if check_undefined:  # a fresh run, as a rule may see that nothing arrived
            self.check_linear(differentiable(self.func(*self.inputs)))

    def check_inputs(self) -> None:
        """Warn about single precision, refuse inputs that cannot be perturbed."""
        for i, x in enumerate(self.inputs):
            if not (isinstance(x, Tensor) and x.requires_grad):
                continue
            if x.dtype.itemsize != 8:
                warnings.warn(
                    f"Input #{i} requires gradient and is not a double precision floating point or"
                    " complex. This check will likely fail if all the inputs are not of double"
                    " precision floating point or complex. ",
                    stacklevel=4,
                )
            array = x._array
            if isinstance(array, np.ndarray) and not all(
                step > 0 or size <= 1 for step, size in zip(array.strides, x.shape, strict=True)
            ):
                raise RuntimeError(
                    f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs"
                    " that are non-overlapping to be able to compute the numerical gradients"
                    " correctly. You should call .contiguous on the input before passing it to"
                    " gradcheck."
                )
        if not self.wanted:
            raise ValueError(
                "gradcheck expects at least one input tensor to require gradient, but none of them"
                " have requires_grad=True."
            )

    def numerical(self, x: Tensor, at: int, pick: Func) -> Any:
        """Return the Jacobian (input, output) by central differences; `x` is put back."""
        x._shared()
        rows = []
        for index in np.ndindex(*x.shape):
            kept = x._array[index]
            values = []
            for step in (-self.eps, self.eps):
                x._array[index] = kept + step
                values.append(np.array(pick(self.func(*self.inputs))[at]._array, np.float64))
            x._array[index] = kept
            rows.append(((values[1] - values[0]) / (2 * self.eps)).reshape(-1))
        width = pick(self.func(*self.inputs))[at].shape.numel()
        return np.array(rows, np.float64).reshape(x.shape.numel(), width)

    def analytical(self, out: Tensor) -> Iterator[Any]:
        """Yield the Jacobian (input, output) for each wanted input, by backward passes."""
        count = out.shape.numel()
        columns: list[list[Any]] = [[] for _ in self.wanted]
        for j in range(count):
            start = np.zeros(count, out.dtype.np)
            start[j] = 1
            found = grad(
                out,
                self.wanted,
                make(start.reshape(out.shape)),
                retain_graph=True,
                allow_unused=True,
            )
            for column, x, g in zip(columns, self.wanted, found, strict=True):
                if g is not None and g.dtype is not x.dtype and self.check_dtypes:
                    raise GradcheckError("Gradient has dtype mismatch")
                zeros = np.zeros(x.shape.numel())
                column.append(zeros if g is None else np.asarray(g._array).reshape(-1))
        for column, x in zip(columns, self.wanted, strict=True):
            yield np.array(column, np.float64).reshape(count, x.shape.numel()).T

    def check_output(self, at: int, out: Tensor) -> None:
        """Compare both Jacobians of one output."""
        both = list(self.analytical(out)), list(self.analytical(out))
        for i, (first, second) in enumerate(zip(*both, strict=True)):
            if first.size and np.abs(first - second).max() > self.nondet_tol:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and"
                    " grad_output multiple times gives different values, although analytical"
                    f" gradient matches numerical gradient.The tolerance for nondeterminism was"
                    f" {self.nondet_tol}." + NONDETERMINISTIC
                )
            number = self.numerical(self.wanted[i], at, differentiable)
            if not np.allclose(first, number, self.rtol, self.atol):
                kind = out.dtype.np
                raise GradcheckError(
                    f"Jacobian mismatch for output {at} with respect to input {i},\n"
                    f"numerical:{make(number.astype(kind))}\n"
                    f"analytical:{make(first.astype(kind))}\n"
                )

    def check_zero(self, outputs: tuple[Any, ...]) -> None:
        """Check that outputs without a gradient do not depend on the inputs."""
        for x in self.wanted:
            for at, out in enumerate(outputs):
                if out.dtype.is_floating_point and np.any(self.numerical(x, at, as_tuple) != 0):
                    raise GradcheckError("Numerical gradient for function expected to be zero")
                if not out.dtype.is_floating_point:
                    out - out  # PyTorch subtracts, which bool tensors refuse

    def check_linear(self, outputs: tuple[Tensor, ...]) -> None:
        """Check that a backward pass that starts from zeros ends in zeros."""
        zeros = [make(np.zeros(o.shape, o.dtype.np)) for o in outputs]
        for g in grad(list(outputs), self.wanted, zeros, allow_unused=True):
            if g is not None and np.any(g._array != 0):
                raise GradcheckError("backward not multiplied by grad_output")


__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
