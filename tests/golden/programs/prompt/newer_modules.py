# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

import torch.nn as nn

import torch.nn.functional as F

def S(f):
    torch.manual_seed(0)
    return f()

S(lambda: nn.RNNCell(2, 3)(torch.ones(1, 2)))

S(lambda: nn.MultiheadAttention(4, 2)(torch.ones(2, 1, 4), torch.ones(2, 1, 4), torch.ones(2, 1, 4)))

S(lambda: nn.MultiheadAttention(4, 2, kdim=3, vdim=5, batch_first=True)(torch.ones(1, 2, 4), torch.ones(1, 3, 3), torch.ones(1, 3, 5)))

S(lambda: nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)(torch.ones(2, 1, 4), torch.ones(3, 1, 4), torch.ones(3, 1, 4)))

S(lambda: [n for n, _ in nn.MultiheadAttention(4, 2, add_bias_kv=True, kdim=3).named_parameters()])

S(lambda: list(nn.MultiheadAttention(4, 2, kdim=3).state_dict()))

S(lambda: nn.TransformerEncoderLayer(4, 2, 8))

S(lambda: nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)(torch.arange(8.).view(2, 1, 4)))

S(lambda: nn.TransformerEncoderLayer(4, 2, 8)(torch.arange(8.).view(2, 1, 4)))

S(lambda: nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, norm_first=True, activation='gelu').eval()(torch.arange(8.).view(1, 2, 4)))

S(lambda: nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0)(torch.arange(8.).view(2, 1, 4), torch.ones(3, 1, 4)))

S(lambda: nn.TransformerDecoderLayer(4, 2, 8))

S(lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), 2)(torch.arange(8.).view(2, 1, 4)))

S(lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True), 2)(torch.arange(8.).view(1, 2, 4), mask=nn.Transformer.generate_square_subsequent_mask(2)))

S(lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True), 1)(torch.arange(8.).view(1, 2, 4), src_key_padding_mask=torch.tensor([[False, True]])))

S(lambda: nn.Transformer(4, 2, 1, 1, 8))

S(lambda: nn.Transformer(4, 2, 1, 1, 8, dropout=0.0)(torch.ones(2, 1, 4), torch.arange(12.).view(3, 1, 4)))

S(lambda: nn.Transformer(4, 2, 1, 1, 8, dropout=0.0, batch_first=True)(torch.ones(1, 2, 4), torch.ones(1, 2, 4), tgt_mask=nn.Transformer.generate_square_subsequent_mask(2)))

S(lambda: list(nn.TransformerDecoderLayer(4, 2, 8).state_dict()))

S(lambda: nn.TransformerEncoderLayer(4, 2, 8, activation='foo'))

S(lambda: nn.Transformer(4, 2, 1, 1, 8)(torch.ones(2, 1, 4), torch.ones(2, 2, 4)))

S(lambda: nn.CTCLoss()(torch.randn(5, 2, 4).log_softmax(2), torch.tensor([[1, 2], [3, 3]]), torch.tensor([5, 5]), torch.tensor([2, 2])))

lp = S(lambda: torch.randn(5, 2, 4).requires_grad_())

loss = F.ctc_loss(lp.log_softmax(2), torch.tensor([[1, 2], [3, 3]]), torch.tensor([5, 5]), torch.tensor([2, 2]))

loss

loss.backward()

lp.grad

F.ctc_loss(lp.log_softmax(2), torch.tensor([1, 2, 3]), (5, 4), (2, 1), reduction='none')

F.ctc_loss(lp.log_softmax(2), torch.tensor([[1, 2], [3, 3]]), (2, 2), (2, 2), reduction='sum', zero_infinity=True)

nn.CTCLoss(blank=3, zero_infinity=True)

S(lambda: nn.LazyLinear(3)(torch.ones(1, 2)))

l = S(lambda: nn.LazyLinear(3))

l

l.weight

l.bias

list(l.parameters())

l(torch.ones(1, 2)).shape

l

S(lambda: nn.LazyConv2d(2, 3)(torch.ones(1, 1, 3, 3)))

nn.LazyConv1d(2, 3)

nn.LazyBatchNorm1d()

nn.LazyBatchNorm2d()(torch.ones(1, 2, 2, 2)).shape

net = S(lambda: nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(1)))

net

S(lambda: net(torch.ones(2, 3)))

net

[p.shape for p in net.parameters()]

S(lambda: [n for n, _ in nn.utils.weight_norm(nn.Linear(2, 2)).named_parameters()])

from torch.nn.utils.parametrizations import weight_norm, spectral_norm, orthogonal

S(lambda: weight_norm(nn.Linear(2, 3)))

S(lambda: weight_norm(nn.Linear(2, 3), dim=None)(torch.ones(1, 2)))

S(lambda: weight_norm(nn.Linear(2, 3)).weight)

m = S(lambda: weight_norm(nn.Linear(2, 3)))

m(torch.ones(1, 2)).sum().backward()

[(n, p.grad) for n, p in m.named_parameters()]

m.parametrizations.weight.original0

dict(m.state_dict())

S(lambda: nn.utils.weight_norm(nn.Linear(2, 3)).weight)

S(lambda: nn.utils.weight_norm(nn.Linear(2, 3)).weight_g)

S(lambda: nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(2, 3))).weight)

S(lambda: nn.utils.remove_weight_norm(nn.Linear(2, 3)))

S(lambda: nn.utils.spectral_norm(nn.Linear(2, 3))(torch.ones(1, 2)))

S(lambda: list(nn.utils.spectral_norm(nn.Linear(2, 3)).state_dict()))

S(lambda: spectral_norm(nn.Linear(2, 3))(torch.ones(1, 2)))

S(lambda: spectral_norm(nn.Linear(2, 3)))

import torch.nn.utils.parametrize as P

class Sym(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)

m = S(lambda: nn.Linear(3, 3))

P.register_parametrization(m, "weight", Sym())

m.weight

torch.allclose(m.weight, m.weight.T)

P.is_parametrized(m)

m.weight = torch.eye(3)

P.remove_parametrizations(m, "weight")

m.weight

from torch.nn.utils.rnn import *

pad_sequence([torch.ones(2), torch.ones(3)], batch_first=True)

pad_sequence([torch.ones(2, 2), torch.ones(3, 2)], padding_value=-1).shape

pack_padded_sequence(torch.ones(2, 3, 1), [3, 2], batch_first=True)

pack_padded_sequence(torch.ones(2, 3, 1), [2, 3], batch_first=True)

pack_padded_sequence(torch.ones(2, 3, 1), [2, 3], batch_first=True, enforce_sorted=False)

pad_packed_sequence(pack_sequence([torch.ones(3), torch.ones(2)]))

unpack_sequence(pack_sequence([torch.ones(3), torch.ones(2)]))

S(lambda: nn.LSTM(1, 2, batch_first=True)(pack_padded_sequence(torch.ones(2, 3, 1), [3, 2], batch_first=True)))

S(lambda: nn.GRU(1, 2)(pack_padded_sequence(torch.ones(3, 2, 1), [2, 3], enforce_sorted=False)))

S(lambda: nn.RNN(1, 2, bidirectional=True)(pack_padded_sequence(torch.ones(3, 2, 1), [3, 1])))

S(lambda: nn.LSTM(2, 3, proj_size=1).weight_hr_l0)

from torch.optim.swa_utils import AveragedModel, SWALR, update_bn, get_ema_multi_avg_fn

m = S(lambda: nn.Linear(1, 1))

a = AveragedModel(m)

a.update_parameters(m)

m.weight.data.fill_(3.)

a.update_parameters(m)

list(a.parameters())

a.n_averaged

e = AveragedModel(m, multi_avg_fn=get_ema_multi_avg_fn(0.9))

e.update_parameters(m); m.weight.data.fill_(1.); e.update_parameters(m)

e.module.weight

o = torch.optim.SGD(m.parameters(), lr=0.1)

s = SWALR(o, swa_lr=0.01, anneal_epochs=3)

def lrs():
    r = []
    for _ in range(5):
        o.step(); s.step(); r.append(round(o.param_groups[0]['lr'], 6))
    return r

lrs()

nn.Upsample(scale_factor=2, mode='bicubic')(torch.arange(16.).view(1, 1, 4, 4))

F.interpolate(torch.arange(4.).view(1, 1, 2, 2), size=(3, 3), mode='bicubic', align_corners=True)

F.interpolate(torch.arange(4.).view(1, 1, 2, 2), scale_factor=2, mode='area')

F.interpolate(torch.arange(16.).view(1, 1, 4, 4), size=(2, 3), mode='area')

x = torch.arange(4.).view(1, 1, 2, 2).requires_grad_()

F.interpolate(x, size=(3, 3), mode='bicubic').sum().backward()

x.grad

F.affine_grid(torch.eye(2, 3)[None], (1, 1, 2, 2), align_corners=False)

F.affine_grid(torch.eye(2, 3)[None], (1, 1, 2, 3), align_corners=True)

F.grid_sample(torch.arange(4.).view(1, 1, 2, 2), torch.zeros(1, 1, 1, 2), align_corners=False)

F.grid_sample(torch.arange(9.).view(1, 1, 3, 3), torch.tensor([[[[-1.2, 0.3], [0.5, 0.9]]]]), align_corners=True, padding_mode='border')

F.grid_sample(torch.arange(9.).view(1, 1, 3, 3), torch.tensor([[[[-1.2, 0.3], [0.5, 0.9]]]]), align_corners=False)

F.grid_sample(torch.arange(9.).view(1, 1, 3, 3), torch.tensor([[[[-1.2, 0.3], [0.5, 0.9]]]]), mode='nearest', align_corners=False)

nn.MaxUnpool2d(2, stride=2)
"""

names = {}
for block in SESSION.strip().split("\n\n"):
    print(">>>", block.splitlines()[0])
    try:
        try:
            value = eval(compile(block, "session", "eval"), names)
            if value is not None:
                print(repr(value))
        except SyntaxError:
            exec(block, names)
    except Exception as error:
        print(type(error).__name__, error)
