"""torch.utils.data: data sets and loaders that hand them out in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.ops.record import PUBLIC
from engine.tensor import Tensor


class Dataset:
    """Something with items by index; made by subclassing."""

    def __getitem__(self, index: Any) -> Any:
        """Return an item."""
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset) -> Dataset:
        return ConcatDataset([self, other])


class TensorDataset(Dataset):
    """Items that are rows of tensors of the same length."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(t.shape[0] != tensors[0].shape[0] for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        """Return one row of each tensor."""
        return tuple(t[index] for t in self.tensors)  # type: ignore[index]

    def __len__(self) -> int:
        return self.tensors[0].shape[0]  # type: ignore[no-any-return]


class ConcatDataset(Dataset):
    """Data sets one after the other."""

    def __init__(self, datasets: Sequence[Any]) -> None:
        self.datasets = list(datasets)

    def __getitem__(self, index: int) -> Any:
        """Return an item of the data set it falls into."""
        if index < 0:
            index += len(self)
        for part in self.datasets:
            if index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError("index out of range")

    def __len__(self) -> int:
        return sum(map(len, self.datasets))


class Subset(Dataset):
    """Some items of a data set."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        """Return the chosen item."""
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[Any], generator: Any = None) -> list[Subset]:
    """Split a data set at random into parts of these lengths (or fractions)."""
    total = len(dataset)
    sizes = list(lengths)
    if sizes and abs(sum(sizes) - 1) < 1e-8 and any(isinstance(s, float) for s in sizes):
        sizes = [int(total * s) for s in sizes]
        for i in range(total - sum(sizes)):
            sizes[i % len(sizes)] += 1
    if sum(sizes) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = permutation(total, generator)
    parts, start = [], 0
    for size in sizes:
        parts.append(Subset(dataset, order[start : start + size]))
        start += size
    return parts


def permutation(count: int, generator: Any) -> list[int]:
    """Return the numbers below `count` in random order."""
    options = {} if generator is None else {"generator": generator}
    return PUBLIC["torch.randperm"](count, **options).tolist()  # type: ignore[no-any-return]


def default_collate(batch: Sequence[Any]) -> Any:
    """Return the items of a batch as tensors with one dim more."""
    first = batch[0]
    if isinstance(first, Tensor):
        return PUBLIC["torch.stack"](list(batch))
    if isinstance(first, int | float):
        kind = {"dtype": _float64()} if isinstance(first, float) else {}
        return PUBLIC["torch.tensor"](list(batch), **kind)
    if isinstance(first, dict):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, tuple | list):
        columns = [default_collate(column) for column in zip(*batch, strict=True)]
        return columns
    return list(batch)


def _float64() -> Any:
    from engine.dtypes import float64

    return float64


class DataLoader:
    """Goes through a data set in batches, in order or shuffled with the global random stream."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        *,
        generator: Any = None,
        **_others: Any,
    ) -> None:
        self.dataset, self.batch_size, self.shuffle = dataset, batch_size, bool(shuffle)
        self.sampler, self.batch_sampler = sampler, batch_sampler
        self.collate_fn = collate_fn or default_collate
        self.drop_last, self.generator = drop_last, generator

    def order(self) -> list[int]:
        """Return the indices in the order of this round."""
        if self.sampler is not None:
            return list(self.sampler)
        if not self.shuffle:
            return list(range(len(self.dataset)))
        generator = self.generator
        if generator is None:
            from engine.random import Generator

            seed = PUBLIC["torch.empty"]((), dtype=_int64()).random_().item()
            generator = Generator()
            generator.manual_seed(seed)
        return permutation(len(self.dataset), generator)

    def __iter__(self) -> Iterator[Any]:
        # PyTorch draws a seed for its workers first, also when there are none.
        PUBLIC["torch.empty"]((), dtype=_int64()).random_(
            **({} if self.generator is None else {"generator": self.generator})
        )
        if self.batch_sampler is not None:
            for batch in self.batch_sampler:
                yield self.collate_fn([self.dataset[i] for i in batch])
            return
        order = self.order()
        if self.batch_size is None:
            for i in order:
                yield self.dataset[i]
            return
        for start in range(0, len(order), self.batch_size):
            batch = order[start : start + self.batch_size]
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn([self.dataset[i] for i in batch])

    def __len__(self) -> int:
        count, size = len(self.dataset), self.batch_size or 1
        return count // size if self.drop_last else -(-count // size)


def _int64() -> Any:
    from engine.dtypes import int64

    return int64


__all__ = [
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "Subset",
    "TensorDataset",
    "default_collate",
    "random_split",
]
