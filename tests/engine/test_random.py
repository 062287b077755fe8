"""The random stream; drawn numbers themselves are recorded from PyTorch in tests/golden."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as torch
from engine.fused import fma
from engine.stream import STATE_BYTES, Stream

finite = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(finite, finite, finite)
def test_fma_rounds_once_in_float64(a: float, b: float, c: float) -> None:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    assert fma(np.array([a]), np.float64(b), np.float64(c))[0] == float(exact)


@given(finite, finite, finite)
def test_fma_rounds_once_in_float32(a: float, b: float, c: float) -> None:
    x, y, z = (np.float32(v) for v in (a, b, c))
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    got = float(fma(np.array([x]), y, z)[0])
    here = abs(Fraction(got) - exact)
    for other in np.nextafter(np.float32(got), np.float32([-np.inf, np.inf])):
        assert here <= abs(Fraction(float(other)) - exact)


def test_first_words_are_those_of_the_reference_twister() -> None:
    # Matsumoto and Nishimura's mt19937ar with init_genrand(5489).
    assert Stream(5489).words(3).tolist() == [3499211612, 581869302, 3890346734]


def test_only_the_low_half_of_a_seed_counts_but_all_of_it_is_remembered() -> None:
    a, b = Stream(7), Stream(7 + 2**40)
    assert a.words(5).tolist() == b.words(5).tolist()
    assert Stream(-1).seed == 2**64 - 1 and b.seed == 7 + 2**40


def test_a_packed_state_goes_on_where_it_was_packed() -> None:
    stream = Stream(3)
    stream.normal(3, 0, 1, np.float32)  # leaves the second of a pair behind
    packed = stream.pack()
    assert len(packed) == STATE_BYTES
    other = Stream()
    other.unpack(packed)
    assert other.spare == stream.spare is not None
    assert other.normal(5, 0, 1, np.float32).tolist() == stream.normal(5, 0, 1, np.float32).tolist()
    assert other.pack() == stream.pack()


def test_single_normals_use_up_the_second_of_a_pair() -> None:
    whole = Stream(0).normal(4, 0, 1, np.float64)
    one = Stream(0)
    assert [one.normal(1, 0, 1, np.float64)[0] for _ in range(4)] == whole.tolist()


def test_sixteen_normals_are_drawn_another_way_than_fifteen() -> None:
    few, many = (Stream(0).normal(n, 0, 1, np.float32) for n in (15, 16))
    assert few[0] != many[0]
    more = Stream(0).normal(17, 0, 1, np.float32)
    assert more[0] == many[0] and (more[1:] != many[[*range(1, 16), 0]]).any()


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_a_permutation_holds_every_number_once(seed: int, count: int) -> None:
    assert sorted(Stream(seed).permutation(count).tolist()) == list(range(count))


@given(st.integers(0, 2**32), st.floats(-5, 5), st.floats(0, 5))
def test_uniform_numbers_stay_below_the_end(seed: int, low: float, width: float) -> None:
    start, stop = np.float32(low), np.float32(low + width)
    drawn = Stream(seed).uniform(20, start, stop, np.float32)
    assert ((drawn >= start) & ((drawn < stop) | (drawn == start))).all()


def test_elements_are_drawn_in_the_order_of_memory() -> None:
    torch.manual_seed(0)
    straight = torch.zeros(2, 3).uniform_()
    torch.manual_seed(0)
    turned = torch.zeros(3, 2).t().uniform_()
    assert turned.t().flatten().tolist() == straight.flatten().tolist()


def test_a_fork_leaves_the_global_stream_alone() -> None:
    torch.manual_seed(1)
    with torch.random.fork_rng():
        torch.rand(3)
    after = torch.rand(1)
    torch.manual_seed(1)
    assert torch.equal(after, torch.rand(1))


def test_generators_do_not_share_a_cached_normal() -> None:
    a, b = (torch.Generator().manual_seed(5) for _ in range(2))
    first = torch.randn(1, generator=a)
    torch.manual_seed(5)
    torch.randn(1)
    assert torch.equal(first, torch.randn(1, generator=b))
    assert not torch.equal(torch.randn(1, generator=a), first)


@pytest.mark.parametrize("name", ["rand", "randn"])
def test_a_refused_fill_draws_nothing(name: str) -> None:
    torch.manual_seed(0)
    before = torch.get_rng_state()
    with pytest.raises(NotImplementedError):
        getattr(torch, name)(2, dtype=torch.int64)
    assert torch.equal(before, torch.get_rng_state())
