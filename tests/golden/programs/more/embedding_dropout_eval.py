import torch
import torch.nn as nn

torch.manual_seed(2)
e = nn.Embedding(4, 3, padding_idx=1)
out = e(torch.tensor([[0, 1], [1, 3]]))
print(out)
out.sum().backward()
print(e.weight.grad)
print(nn.Embedding.from_pretrained(torch.eye(2))(torch.tensor([1, 0])))
d = nn.Dropout(0.4)
x = torch.ones(10, requires_grad=True)
y = d(x)
y.sum().backward()
print(y, x.grad)
print(d.eval()(x) is x, nn.functional.dropout(x, 1.0), nn.Dropout(0.0)(x))
for f in (lambda: e(torch.tensor([4])), lambda: e(torch.tensor([0.5])), lambda: nn.Dropout(1.5), lambda: nn.functional.one_hot(torch.tensor([0, 2]), 2), lambda: nn.functional.one_hot(torch.tensor([0, 2]))):
    try:
        print(f())
    except Exception as e2:
        print(type(e2).__name__, e2)
