import torch
import torch.nn as nn
from collections import OrderedDict

net = nn.Sequential(OrderedDict([("up", nn.Linear(1, 2)), ("act", nn.Tanh()), ("down", nn.Linear(2, 1))]))
print(net, len(net), net.up, net[1], net[-1])
print(net[:2])
net.append(nn.Sigmoid())
del net[0]
print(net)
print(list(net.state_dict()))
ml = nn.ModuleList(nn.Linear(i, i) for i in (1, 2))
ml.extend([nn.ReLU()])
print(ml, len(ml), ml[0:2])
pl = nn.ParameterList([nn.Parameter(torch.zeros(1)), nn.Parameter(torch.ones(2))])
print(pl, len(list(pl)))
pd = nn.ParameterDict({"w": nn.Parameter(torch.ones(1))})
print(pd, list(pd.keys()))
for bad in (lambda: nn.Sequential(3), lambda: nn.ModuleList([3]), lambda: net[10], lambda: nn.Linear(2, 2)(torch.ones(3)), lambda: nn.Module()(1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
