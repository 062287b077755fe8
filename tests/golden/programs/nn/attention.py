import torch
from torch import nn

torch.manual_seed(0)
att = nn.MultiheadAttention(4, 2)
print(att, [(n, tuple(p.shape)) for n, p in att.named_parameters()])
with torch.no_grad():
    for p in att.parameters():
        p.copy_((torch.arange(p.numel()) % 7).reshape(p.shape) / 4 - 0.625)
x = ((torch.arange(24) * 5 % 11) / 4 - 1).reshape(3, 2, 4).requires_grad_()
out, weights = att(x, x, x)
print(out, weights)
out[0].sum().backward()
print(att.in_proj_bias.grad[:4], x.grad[0])
causal = torch.ones(3, 3, dtype=torch.bool).triu(1)
print(att(x, x, x, attn_mask=causal, need_weights=False), att(x, x, x, attn_mask=causal)[1])
print(att(x, x, x, key_padding_mask=torch.tensor([[False, False, True], [False, False, False]]), average_attn_weights=False)[1].shape)
print(att(x[:, 0], x[:, 0], x[:, 0])[0].shape, nn.MultiheadAttention(4, 1, bias=False, batch_first=True)(x, x, x)[1].shape)
for bad in (lambda: nn.MultiheadAttention(3, 2), lambda: nn.MultiheadAttention(0, 2), lambda: att(x, x, x, attn_mask=torch.zeros(2, 2))):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__, error)
