import torch
class Polynomial3(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.tensor(0.5))
        self.b = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
        self.register_buffer("scale", torch.tensor(3))
    def forward(self, x):
        return self.a + self.b * x
    def string(self):
        return f'y = {self.a.item()} + {self.b[0].item()} x'
model = Polynomial3()
print(model, model.string())
print(list(model.parameters()))
print(dict(model.named_parameters()))
print(dict(model.state_dict()))
print(list(model.buffers()), [n for n, _ in model.named_buffers()])
out = model(torch.tensor([1.0, -1.0]))
print(out)
out.sum().backward()
for n, p in model.named_parameters():
    print(n, p.grad, p.requires_grad, p.is_leaf)
model.zero_grad()
print([p.grad for p in model.parameters()])
model.requires_grad_(False)
print(model(torch.ones(2)))
print(sum(p.numel() for p in model.parameters()))
try:
    model.load_state_dict({"a": torch.tensor(1.0)})
except RuntimeError as e:
    print(e)
try:
    model.missing
except AttributeError as e:
    print(e)
