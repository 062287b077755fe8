import torch
from torch import nn

for kind in (nn.RNN, nn.GRU):
    for options in ({}, {"batch_first": True}, {"batch_first": True, "bidirectional": True}):
        torch.manual_seed(0)
        output, state = kind(2, 3, **options)(torch.randn(2, 4, 2))
        print(kind.__name__, options, output.grad_fn.name(), state.grad_fn.name(), output.shape)
        print(output)
