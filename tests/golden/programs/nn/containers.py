from collections import OrderedDict

import torch
from torch import nn


def attempt(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


seq = nn.Sequential(OrderedDict([("a", nn.Linear(1, 2)), ("b", nn.ReLU())]))
print(seq, seq.a, seq[0] is seq.a, seq[-1], len(seq))
seq = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
print(seq[1:], seq[:-1], seq[0], [type(m).__name__ for m in seq])
attempt(lambda: seq[3])
attempt(lambda: seq[-4])
seq[1] = nn.ELU()
seq.append(nn.GELU())
seq.insert(1, nn.SiLU())
seq.extend([nn.Mish()])
print(seq)
del seq[0]
print(seq, seq.pop(0), len(seq))
print(seq + nn.Sequential(nn.ReLU()), nn.Sequential(nn.ReLU()) * 2)
attempt(lambda: seq + [1])
attempt(lambda: seq * 0)
attempt(lambda: seq * "a")
attempt(lambda: seq.insert(9, nn.ReLU()))
attempt(lambda: nn.Sequential(1))
seq += nn.Sequential(nn.Softmax(dim=1))
print(seq, nn.Sequential())
ml = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()])
print(ml, nn.ModuleList())
ml.append(nn.Linear(2, 2))
ml += [nn.Tanh()]
ml.insert(0, nn.Identity())
print(ml, len(ml), ml[-1], ml[1:3], [n for n, _ in ml.named_parameters()])
ml[0] = nn.ReLU()
del ml[1]
print(ml + [nn.ReLU()], ml.pop(0), len(ml))
attempt(lambda: ml[10])
attempt(lambda: ml.extend(3))
attempt(lambda: ml(1))
md = nn.ModuleDict({"x": nn.Linear(1, 1), "y": nn.ReLU()})
md["z"] = nn.Tanh()
md.update([("w", nn.Sigmoid())])
print(md, list(md.keys()), "x" in md, len(md), md.pop("y"), [k for k, v in md.items()])
attempt(lambda: md["q"])
attempt(lambda: md.update(3))
attempt(lambda: md.update([1]))
attempt(lambda: md.update([(1, 2, 3)]))
pl = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.zeros(3, 1), 5])
print(pl, len(pl), pl[1], [p for p in pl.parameters()], pl[0:2])
pl.append(torch.ones(1))
pl += [nn.Parameter(torch.ones(1))]
print(len(pl), [n for n, _ in pl.named_parameters()])
attempt(lambda: pl[9])
attempt(lambda: pl(1))
attempt(lambda: pl.extend(torch.ones(2)))
pd = nn.ParameterDict({"b": torch.ones(1), "a": nn.Parameter(torch.zeros(2))})
print(pd, list(pd), pd["a"], "a" in pd, pd.get("q"), pd.pop("b"), len(pd))
pd["c"] = torch.ones(2, 2)
print(list(pd.keys()), [k for k, v in pd.items()], pd.setdefault("d", torch.ones(1)), pd.popitem(), list(pd.state_dict()))
attempt(lambda: pd[3])
attempt(lambda: pd(1))
print(pd | nn.ParameterDict({"z": torch.ones(1)}))
