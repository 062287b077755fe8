import torch

x = torch.arange(6.0).reshape(2, 3)
t = x.t()
print(t.stride(), t.is_contiguous(), t.contiguous().stride(), t.reshape(-1), t.flatten()._base, t.clone().stride(), (t + 1).stride(), t.exp().stride())
print(x.as_strided((2, 2), (1, 1)), x.as_strided((2,), (3,), 1), x.unfold(1, 2, 1), x.unfold(1, 2, 1).stride(), x.expand(2, 2, 3).stride(), x[:, ::2].stride())
try:
    t.view(6)
except RuntimeError as e:
    print(e)
print(t.view(3, 2).shape, x.view(3, 2).stride(), torch.empty_strided((2, 2), (1, 2)).stride(), x.data_ptr() == x.view(-1).data_ptr(), x.is_set_to(x) if False else "")
w = torch.ones(2, 2, requires_grad=True)
a = w.as_strided((3,), (1,))
a.sum().backward()
print(w.grad)
print(w.squeeze().shape, torch.ones(1, 2, 1).squeeze().shape, torch.ones(1, 2, 1).squeeze(0).shape, torch.ones(1, 2).squeeze(1).shape, torch.ones(1, 1, 2).squeeze((0, 1)).shape)
