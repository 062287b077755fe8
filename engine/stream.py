"""PyTorch's CPU random stream, bit for bit, as numpy arrays.

One MT19937 per generator. numpy offers the twister itself but neither PyTorch's seeding nor its
distributions: which words a value takes, how it is rounded, and that a pair of normals drawn one
by one leaves its second half for the next call.
"""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .fused import fma, log32, sincos32

Array = NDArray[Any]
F32, F64 = np.float32, np.float64
DEFAULT_SEED = 67280421310721
STATE_BYTES = 5056
_SMALL = 16  # PyTorch changes its algorithm for normals at this many elements
_WIDE = 1 << 28  # integer ranges from here on take 64-bit draws
_MASK64 = (1 << 64) - 1


class Stream:
    """A Mersenne twister with PyTorch's seeding, its cached normal and its state layout."""

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._mt = np.random.MT19937()
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Start again from `seed`; only its low 32 bits decide the words."""
        self.seed = seed & _MASK64
        key, word = np.empty(624, np.uint32), seed & 0xFFFFFFFF
        for j in range(624):
            key[j] = word
            word = (1812433253 * (word ^ (word >> 30)) + j + 1) & 0xFFFFFFFF
        self._load(key, 624)
        self._fresh = True
        self.spare: float | None = None

    def _load(self, key: Array, position: int) -> None:
        self._mt.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}

    # -- state, in the layout of PyTorch's own 5056 bytes

    def pack(self) -> bytes:
        """Return all that decides the next draws, as PyTorch stores it."""
        state = self._mt.state["state"]
        position = int(state["pos"])
        left = 1 if self._fresh else 625 - position
        head = struct.pack("<QiiQ", self.seed, left, 1, 0 if self._fresh else position)
        words = np.asarray(state["key"]).astype("<u8").tobytes()
        spare = self.spare
        tail = struct.pack("<dddi4x", 0.0, spare or 0.0, 0.0, spare is not None)
        return head + words + tail + bytes(8)

    def unpack(self, data: bytes) -> None:
        """Go on from what `pack` returned."""
        self.seed, _, _, following = struct.unpack_from("<QiiQ", data, 0)
        key = np.frombuffer(data, "<u8", 624, 24).astype(np.uint32)
        self._fresh = following == 0
        self._load(key, following or 624)
        _, spare, _, valid = struct.unpack_from("<dddi", data, 24 + 624 * 8)
        self.spare = spare if valid else None

    # -- raw draws

    def words(self, count: int) -> Array:
        """Draw 32-bit words, as uint64."""
        if count:
            self._fresh = False
        return self._mt.random_raw(count).astype(np.uint64)

    def words64(self, count: int) -> Array:
        """Draw 64-bit numbers: two words each, the first one is the high half."""
        pairs = self.words(2 * count).reshape(count, 2)
        high: Array = pairs[:, 0] << np.uint64(32)
        return high | pairs[:, 1]

    # -- distributions; each returns a flat array of `count` elements

    def unit(self, count: int, dtype: Any = F64) -> Array:
        """Draw from [0, 1): float64 for float64, float32 for the narrower dtypes."""
        if dtype == F64:
            return (self.words64(count) & np.uint64((1 << 53) - 1)).astype(F64) * 2.0**-53
        return (self.words(count) & np.uint64((1 << 24) - 1)).astype(F32) * F32(2.0**-24)

    def uniform(self, count: int, low: float, high: float, dtype: Any) -> Array:
        """Draw from [low, high): product and sum rounded once, in the dtype."""
        drawn = self.unit(count, dtype)
        start, stop = drawn.dtype.type(low), drawn.dtype.type(high)
        if start != 0 or stop != 1:
            drawn = fma(drawn, stop - start, start)
        drawn = drawn.astype(dtype, copy=False)
        return np.where(drawn == dtype(stop), dtype(start), drawn)

    def normal(
        self, count: int, mean: float, std: float, dtype: Any, contiguous: bool = True
    ) -> Array:
        """Draw Gaussian values; the algorithm depends on how many are asked for at once."""
        if count < _SMALL or not contiguous:
            return self._normal_singly(count, mean, std).astype(dtype)
        full = count - count % _SMALL
        # PyTorch draws the incomplete last block too, for nothing, except in the narrow dtypes.
        drawn = self.unit(count if dtype in (F32, F64) else full, dtype)
        drawn = np.resize(drawn, count)
        drawn[:full] = _box_muller(drawn[:full], mean, std)
        if full != count:
            drawn[-_SMALL:] = _box_muller(self.unit(_SMALL, dtype), mean, std)
        return drawn.astype(dtype, copy=False)

    def _normal_singly(self, count: int, mean: float, std: float) -> Array:
        out = np.empty(count, F64)
        start = 0
        if count and self.spare is not None:
            out[0], self.spare, start = self.spare, None, 1
        missing = count - start
        units = self.unit(missing + missing % 2).tolist()
        for i in range(0, missing, 2):
            radius = math.sqrt(-2.0 * math.log1p(-units[i + 1]))
            angle = 2.0 * math.pi * units[i]
            out[start + i] = radius * math.cos(angle)
            second = radius * math.sin(angle)
            if i + 1 < missing:
                out[start + i + 1] = second
            else:
                self.spare = second
        return out if (mean, std) == (0, 1) else fma(out, F64(std), F64(mean))

    def integers(self, count: int, low: int, high: int) -> Array:
        """Draw integers in [low, high)."""
        span = high - low
        drawn = self.words64(count) if span >= _WIDE else self.words(count)
        return (drawn % np.uint64(span)).astype(np.int64) + np.int64(low)

    def permutation(self, count: int) -> Array:
        """Shuffle 0 … count-1."""
        order = list(range(count))
        for i, word in enumerate(self.words(max(count - 1, 0)).tolist()):
            k = i + word % (count - i)
            order[i], order[k] = order[k], order[i]
        return np.array(order, np.int64)

    def exponential(self, count: int, rate: float) -> Array:
        """Draw waiting times of a process with the given rate, in float64."""
        return np.array([-1.0 / rate * math.log1p(-u) for u in self.unit(count).tolist()], F64)


def _box_muller(units: Array, mean: float, std: float) -> Array:
    """Turn blocks of sixteen uniforms into sixteen normals each."""
    blocks = units.reshape(-1, _SMALL)
    dtype = units.dtype.type
    first, second = dtype(1) - blocks[:, :8], blocks[:, 8:]
    if dtype is F32:
        radius = np.sqrt(F32(-2) * log32(first))
        sine, cosine = sincos32(F32(2 * math.pi) * second)
    else:  # numpy's own vectorised functions may differ from libm in the last bit
        radius = np.sqrt(-2.0 * _each(math.log, first))
        angle = 2.0 * math.pi * second
        sine, cosine = _each(math.sin, angle), _each(math.cos, angle)
    drawn = np.concatenate([radius * cosine, radius * sine], axis=1).reshape(-1)
    return drawn if (mean, std) == (0, 1) else fma(drawn, dtype(std), dtype(mean))


def _each(function: Any, values: Array) -> Array:
    return np.array([function(v) for v in values.reshape(-1).tolist()], F64).reshape(values.shape)
