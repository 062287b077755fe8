import torch
from torch.testing import assert_close
from torch.utils.data import (BatchSampler, ConcatDataset, DataLoader, Dataset, IterableDataset, RandomSampler, StackDataset, Subset, TensorDataset,
                              WeightedRandomSampler, random_split)

x, y = torch.arange(10.0).reshape(5, 2), torch.arange(5)
data = TensorDataset(x, y)
print(len(data), data[1], data[1:3])
for shuffle in (False, True):
    torch.manual_seed(0)
    for xb, yb in DataLoader(data, batch_size=2, shuffle=shuffle):
        print(xb, yb)
    print(torch.rand(1))
loader = DataLoader(data, batch_size=2, drop_last=True)
print(len(loader), len(DataLoader(data, batch_size=2)), [b[1].tolist() for b in loader], loader.batch_size)
g = torch.Generator().manual_seed(3)
loader = DataLoader(data, batch_size=3, shuffle=True, generator=g)
print([b[1].tolist() for b in loader], [b[1].tolist() for b in loader])
torch.manual_seed(1)
a, b = random_split(data, [3, 2])
print(a.indices, b.indices, len(a), a[0])
print([p.indices for p in random_split(range(7), [0.5, 0.5], generator=torch.Generator().manual_seed(0))])


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return {"i": i, "square": float(i * i), "name": f"n{i}"}


for batch in DataLoader(Squares(), batch_size=3):
    print(batch)
print(len(ConcatDataset([data, data])), Subset(data, [4, 0])[1], len(Squares() + Squares()))
print([v for v in DataLoader(range(5), batch_size=2, collate_fn=list)])
try:
    TensorDataset(x, y[:2])
except AssertionError as error:
    print(error)
try:
    random_split(data, [1, 1])
except ValueError as error:
    print(error)
torch.manual_seed(4)
print(list(RandomSampler(range(5))), list(RandomSampler(range(5), num_samples=7)), list(RandomSampler(range(5), True, 4)), list(WeightedRandomSampler([0.1, 0.9, 2.0], 5)))
print(list(BatchSampler(range(5), 2, False)), len(BatchSampler(range(5), 2, True)), StackDataset(x, y)[1], StackDataset(a=x, b=y)[2])
print([b for b in DataLoader(data, batch_size=2, sampler=[4, 0, 2])], [b for b in DataLoader(range(3), batch_size=None)])


class Count(IterableDataset):
    def __iter__(self):
        return iter(range(5))


print([b for b in DataLoader(Count(), batch_size=2)], [b for b in DataLoader(Count(), batch_size=2, drop_last=True)])
for bad in ({"shuffle": True, "sampler": [0]}, {"batch_size": 0}, {"batch_size": None, "drop_last": True}, {"num_workers": -1}, {"batch_sampler": [[0]], "batch_size": 2}):
    try:
        DataLoader(data, **bad)
    except ValueError as error:
        print(error)
try:
    RandomSampler([])
except ValueError as error:
    print(error)
t = torch.tensor
PAIRS = [(t([1.0, 2.0]), t([1.0, 2.5])), (t([1.0]), t([1.0, 2.0])), (t([1.0]), t([1.0], dtype=torch.float64)), (t(1.0), t(2.0)), (1.0, 2.0), (1, 2), ([1.0, 2.0], [1.0, 3.0]),
         ([1], [1, 2]), ({"a": 1.0}, {"a": 2.0}), ({"a": 1}, {"b": 1}), (t([1, 2]), t([1, 3])), (t([float("nan")]), t([float("nan")])), (t([[1.0, 2], [3, 4]]), t([[1.0, 2], [3, 5]])),
         ("a", "a"), (t([1.0]), 1.0), (t([1.0, float("inf")]), t([1.0, 2.0])), (True, False), (None, None), (t([1.0]), t([1.0 + 1e-7]))]
for actual, expected in PAIRS:
    try:
        print(assert_close(actual, expected))
    except Exception as error:
        print(type(error).__name__, error)
for options in ({"rtol": 0, "atol": 0}, {"rtol": 1}, {"rtol": 0, "atol": 1}, {"equal_nan": True}, {"msg": "hello"}, {"msg": lambda m: "X " + m}):
    try:
        print(assert_close(t([1.0, float("nan")]), t([1.2, float("nan")]), **options))
    except Exception as error:
        print(type(error).__name__, error)
