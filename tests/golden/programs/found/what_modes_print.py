import torch

print(torch.set_grad_enabled(False), torch.is_grad_enabled())
print(repr(torch.set_grad_enabled(True)), torch.is_grad_enabled())
