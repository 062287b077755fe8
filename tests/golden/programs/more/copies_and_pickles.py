import copy
import pickle
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = copy.deepcopy(x)
z = copy.copy(x)
y.data[0] = 9
print(x, y, y.is_leaf, z is x, x.clone().requires_grad)
try:
    copy.deepcopy(x * 2)
except RuntimeError as e:
    print(str(e)[:80])
n = copy.deepcopy(torch.nn.Linear(1, 1))
print(n, len(list(n.parameters())))
p = pickle.loads(pickle.dumps(torch.arange(3)))
print(p)
s = {x: "named"}
print(s[x], x in s, [t is x for t in s], sorted([torch.tensor(3), torch.tensor(1)]))
