# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

import torch.nn as nn

import torch.nn.functional as F

torch.manual_seed(0)

nn.Linear(2, 3)

nn.Linear(2, 3).weight

nn.Bilinear(2, 3, 4)(torch.ones(1, 2), torch.ones(1, 3))

nn.Identity()

nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Dropout(0.5), nn.BatchNorm1d(2), nn.LayerNorm(2), nn.Softmax(dim=1))

nn.Conv1d(1, 2, 3)

nn.Conv2d(1, 2, (3, 2), stride=2, padding=1, bias=False)

nn.Conv2d(1, 2, 3, padding='same', padding_mode='circular')(torch.ones(1, 1, 4, 4)).shape

nn.ConvTranspose2d(1, 2, 3)(torch.ones(1, 1, 2, 2)).sum()

nn.ConvTranspose1d(1, 1, 3, stride=2, output_padding=1)

nn.Conv3d(1, 1, 2)(torch.ones(1, 1, 2, 2, 2))

nn.MaxPool2d(2)

nn.MaxPool2d(2, return_indices=True)(torch.arange(16.).view(1, 1, 4, 4))

nn.MaxUnpool2d(2)

nn.MaxUnpool2d(2)(*nn.MaxPool2d(2, return_indices=True)(torch.arange(16.).view(1, 1, 4, 4)))

nn.MaxUnpool1d(2)(*nn.MaxPool1d(2, return_indices=True)(torch.arange(6.).view(1, 1, 6)))

nn.AvgPool2d(2)(torch.arange(16.).view(1, 1, 4, 4))

nn.AdaptiveAvgPool2d((1, 1))

nn.AdaptiveMaxPool1d(2)(torch.arange(6.).view(1, 6))

nn.AdaptiveMaxPool3d(1)

nn.LPPool2d(2, 2)(torch.arange(16.).view(1, 1, 4, 4))

nn.LPPool3d(2, 2)

dict(nn.BatchNorm1d(2).state_dict())

nn.BatchNorm2d(3)

nn.LayerNorm([2, 3])

nn.GroupNorm(1, 2)

nn.InstanceNorm1d(2)

nn.RMSNorm(3)(torch.tensor([1., 2., 3.]))

nn.LocalResponseNorm(2)(torch.ones(1, 3, 2))

nn.Embedding(4, 2)

nn.Embedding(4, 2, padding_idx=0, max_norm=1.0)(torch.tensor([0, 1]))

nn.Embedding.from_pretrained(torch.eye(2))(torch.tensor([1]))

nn.EmbeddingBag(4, 2)

nn.RNN(2, 3)

nn.RNN(2, 3)(torch.ones(1, 1, 2))

nn.LSTM(2, 3, num_layers=2, bidirectional=True)

nn.LSTM(2, 3, batch_first=True)(torch.ones(1, 2, 2))[0].shape

nn.LSTM(2, 3, proj_size=1)

nn.GRU(2, 3, dropout=0.5)

nn.RNNCell(2, 3)(torch.ones(1, 2))

nn.LSTMCell(2, 3)

nn.GRUCell(2, 3)

nn.MultiheadAttention(4, 2)

nn.MultiheadAttention(4, 2)(torch.ones(2, 1, 4), torch.ones(2, 1, 4), torch.ones(2, 1, 4))

nn.MultiheadAttention(4, 2, kdim=3, vdim=5, batch_first=True)

nn.MultiheadAttention(4, 2, kdim=3, vdim=5, batch_first=True)(torch.ones(1, 2, 4), torch.ones(1, 3, 3), torch.ones(1, 3, 5))

nn.TransformerEncoderLayer(4, 2, 8)

nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)(torch.ones(2, 1, 4))

nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, norm_first=True, activation='gelu').eval()(torch.arange(8.).view(1, 2, 4))

nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0)(torch.ones(2, 1, 4), torch.ones(3, 1, 4))

nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), 2)(torch.arange(8.).view(2, 1, 4))

nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 1)

nn.Transformer(4, 2, 1, 1, 8)

nn.Transformer(4, 2, 1, 1, 8, dropout=0.0)(torch.ones(2, 1, 4), torch.arange(12.).view(3, 1, 4))

nn.Transformer.generate_square_subsequent_mask(3)

nn.Transformer(4, 2, 1, 1, 8, dropout=0.0, batch_first=True)(torch.ones(1, 2, 4), torch.ones(1, 2, 4), tgt_mask=nn.Transformer.generate_square_subsequent_mask(2))

F.scaled_dot_product_attention(torch.ones(1, 2, 2), torch.ones(1, 2, 2), torch.eye(2)[None], is_causal=True)

nn.ReLU(inplace=True)

nn.LeakyReLU(0.2)

nn.PReLU()(torch.tensor([-1.]))

nn.ELU()

nn.SELU()

nn.CELU()

nn.GELU(approximate='tanh')

nn.SiLU()

nn.Mish()

nn.Softplus()

nn.Softsign()

nn.Tanhshrink()

nn.Hardtanh()

nn.Hardswish()

nn.Hardsigmoid()

nn.Hardshrink()

nn.Softshrink()

nn.Threshold(0.1, 20)

nn.GLU()(torch.ones(2))

nn.LogSigmoid()(torch.ones(2))

nn.RReLU()

nn.ReLU6()

nn.Softmin(dim=0)

nn.Softmax2d()

nn.LogSoftmax(dim=1)

nn.Flatten()

nn.Unflatten(1, (2, 2))

nn.Fold((2, 2), 2)

nn.Unfold(2)(torch.ones(1, 1, 2, 2))

nn.PixelShuffle(2)

nn.PixelUnshuffle(2)

nn.ChannelShuffle(2)

nn.ChannelShuffle(2)(torch.arange(4.).view(1, 4, 1, 1)).flatten()

nn.Upsample(scale_factor=2)

nn.Upsample(scale_factor=2, mode='bilinear')(torch.arange(4.).view(1, 1, 2, 2))

nn.Upsample(scale_factor=2, mode='bicubic')(torch.arange(16.).view(1, 1, 4, 4))

F.interpolate(torch.arange(4.).view(1, 1, 2, 2), size=(3, 3), mode='bicubic', align_corners=True)

F.interpolate(torch.arange(4.).view(1, 1, 2, 2), scale_factor=2, mode='area')

F.interpolate(torch.arange(4.).view(1, 1, 4), size=2, mode='linear', antialias=False)

F.interpolate(torch.arange(8.).view(1, 1, 2, 2, 2), size=(3, 3, 3), mode='trilinear').sum()

F.interpolate(torch.arange(4.).view(1, 1, 2, 2), scale_factor=2, mode='nearest-exact')

F.affine_grid(torch.eye(2, 3)[None], (1, 1, 2, 2))

F.grid_sample(torch.arange(4.).view(1, 1, 2, 2), torch.zeros(1, 1, 1, 2))

nn.ZeroPad2d(1)(torch.ones(1, 1, 1, 1))

nn.ReflectionPad1d(1)

nn.ReplicationPad2d(1)

nn.ConstantPad1d(1, 2.0)(torch.ones(1, 2))

nn.CircularPad1d(1)

nn.CosineSimilarity()(torch.ones(1, 2), torch.ones(1, 2))

nn.PairwiseDistance()(torch.ones(1, 2), torch.zeros(1, 2))

nn.MSELoss()(torch.ones(2), torch.zeros(2))

nn.MSELoss()(torch.ones(2, 1), torch.zeros(2))

nn.L1Loss(reduction='sum')

nn.SmoothL1Loss()

nn.HuberLoss()

nn.CrossEntropyLoss(label_smoothing=0.1)(torch.eye(2), torch.tensor([0, 1]))

nn.NLLLoss()(torch.eye(2), torch.tensor([0, 1]))

nn.BCELoss()(torch.tensor([0.5]), torch.tensor([1.]))

nn.BCELoss()(torch.tensor([1.5]), torch.tensor([1.]))

nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.]))(torch.tensor([0.5]), torch.tensor([1.]))

nn.KLDivLoss(reduction='batchmean')(torch.log(torch.tensor([[0.5, 0.5]])), torch.tensor([[0.9, 0.1]]))

nn.KLDivLoss()(torch.log(torch.tensor([[0.5, 0.5]])), torch.tensor([[0.9, 0.1]]))

nn.PoissonNLLLoss()(torch.ones(2), torch.ones(2))

nn.GaussianNLLLoss()(torch.ones(2), torch.ones(2), torch.ones(2))

nn.HingeEmbeddingLoss()(torch.ones(2), torch.tensor([1., -1.]))

nn.MarginRankingLoss()(torch.ones(2), torch.zeros(2), torch.ones(2))

nn.CosineEmbeddingLoss()(torch.ones(1, 2), torch.ones(1, 2), torch.ones(1))

nn.TripletMarginLoss()(torch.ones(1, 2), torch.zeros(1, 2), torch.ones(1, 2))

nn.TripletMarginWithDistanceLoss()(torch.ones(1, 2), torch.zeros(1, 2), torch.ones(1, 2))

nn.MultiLabelMarginLoss()(torch.ones(1, 2), torch.tensor([[0, -1]]))

nn.MultiLabelSoftMarginLoss()(torch.ones(1, 2), torch.ones(1, 2))

nn.MultiMarginLoss()(torch.eye(2), torch.tensor([0, 1]))

nn.SoftMarginLoss()(torch.ones(2), torch.ones(2))

nn.CTCLoss()

nn.CTCLoss()(torch.randn(5, 2, 4).log_softmax(2), torch.tensor([[1, 2], [3, 3]]), torch.tensor([5, 5]), torch.tensor([2, 2]))

nn.ModuleList([nn.Linear(1, 1)])

nn.ModuleDict({'a': nn.ReLU()})

nn.ParameterList([nn.Parameter(torch.ones(2))])

nn.ParameterDict({'a': nn.Parameter(torch.ones(2))})

nn.Parameter(torch.ones(2))

nn.Parameter([1])

nn.Parameter(torch.tensor([1]))

nn.Buffer(torch.ones(1))

nn.LazyLinear(3)

nn.LazyConv2d(2, 3)

nn.LazyBatchNorm1d()

l = nn.LazyLinear(3)

l.weight

l(torch.ones(1, 2)).shape

l

nn.utils.weight_norm(nn.Linear(2, 2))

[n for n, _ in nn.utils.weight_norm(nn.Linear(2, 2)).named_parameters()]

torch.manual_seed(3)

from torch.nn.utils.parametrizations import weight_norm, spectral_norm, orthogonal

weight_norm(nn.Linear(2, 3))

weight_norm(nn.Linear(2, 3), dim=None)(torch.ones(1, 2))

[(n, p.shape) for n, p in weight_norm(nn.Linear(2, 3)).named_parameters()]

nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(2, 3)))

nn.utils.spectral_norm(nn.Linear(2, 3))(torch.ones(1, 2))

spectral_norm(nn.Linear(2, 3))(torch.ones(1, 2))

import torch.nn.utils.parametrize as P

class Sym(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)

m = nn.Linear(3, 3)

P.register_parametrization(m, "weight", Sym())

torch.allclose(m.weight, m.weight.T)

P.is_parametrized(m)

P.remove_parametrizations(m, "weight")

from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence, pad_packed_sequence, pack_sequence

pad_sequence([torch.ones(2), torch.ones(3)], batch_first=True)

pack_padded_sequence(torch.ones(2, 3, 1), [3, 2], batch_first=True)

pad_packed_sequence(pack_sequence([torch.ones(3), torch.ones(2)]))

nn.LSTM(1, 2, batch_first=True)(pack_padded_sequence(torch.ones(2, 3, 1), [3, 2], batch_first=True))[0].data.shape

nn.utils.clip_grad_norm_

nn.utils.clip_grad_value_

nn.utils.get_total_norm([torch.ones(2)])

nn.utils.parameters_to_vector([torch.ones(2)])

nn.utils.skip_init(nn.Linear, 2, 3)

torch.func.functional_call(nn.Linear(1, 1), {'weight': torch.ones(1, 1), 'bias': torch.zeros(1)}, torch.ones(1, 1))

from torch.optim.swa_utils import AveragedModel, SWALR, update_bn, get_ema_multi_avg_fn

AveragedModel(nn.Linear(1, 1))

nn.init.calculate_gain('relu')

nn.init.dirac_(torch.empty(1, 1, 3))

nn.init.eye_(torch.empty(2, 2))

nn.init.constant_(torch.empty(2), 3)

nn.init.xavier_uniform_(torch.empty(2))

F.one_hot(torch.tensor([0, 2]))

F.normalize(torch.tensor([[3., 4.]]))

F.alpha_dropout(torch.ones(3))

F.feature_alpha_dropout(torch.ones(1, 2, 2))

F.pad(torch.ones(1, 1, 2), (1, 1), mode='reflect')

F.pad(torch.ones(2), (1, 2), value=9)

F.linear(torch.ones(2), torch.ones(3, 2))

F.bilinear(torch.ones(1, 2), torch.ones(1, 2), torch.ones(1, 2, 2))

F.embedding(torch.tensor([0]), torch.eye(2))

F.softmax(torch.ones(2))

F.log_softmax(torch.ones(2), dim=0)

F.tanh(torch.ones(1))

F.sigmoid(torch.ones(1))

F.upsample(torch.ones(1, 1, 2), scale_factor=2)

F.ctc_loss

F.threshold(torch.ones(2), 2, 3)

F.hardtanh_(torch.ones(2) * 4)

F.max_unpool2d

F.nll_loss(torch.eye(2), torch.tensor([0, 1]), weight=torch.tensor([1., 2.]), ignore_index=1)

F.mse_loss(torch.ones(2), torch.zeros(2), reduction='foo')

F.mse_loss(torch.ones(2), torch.zeros(2), size_average=False)

F.cross_entropy(torch.ones(2, 3), torch.tensor([0., 1.]))

F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 3]))

F.binary_cross_entropy(torch.ones(2), torch.zeros(3))

F.cosine_similarity(torch.ones(1, 2), torch.ones(1, 2))

nn.Linear(2)

nn.Linear("a", 2)

nn.Linear(2, 3)(torch.ones(2, dtype=torch.int64))

nn.Linear(2, 3)(torch.ones(3))

nn.Linear(2, 3)([1., 2.])

nn.Linear(2, 3)()

nn.Linear(2, 3)(torch.ones(2), 1)

nn.Linear(2, 3).foo

nn.Conv2d(1, 1, 3)(torch.ones(2, 2))

nn.Conv2d(3, 1, 3)(torch.ones(1, 1, 4, 4))

nn.Conv2d(1, 1, 3)(torch.ones(1, 1, 2, 2))

nn.BatchNorm1d(3)(torch.ones(2, 2))

nn.BatchNorm1d(3)(torch.ones(1, 3))

nn.Embedding(2, 2)(torch.tensor([5]))

nn.Embedding(2, 2)(torch.tensor([0.5]))

nn.LayerNorm(3)(torch.ones(2))

nn.Dropout(1.5)

nn.MultiheadAttention(3, 2)

nn.LSTM(2, 3)(torch.ones(2, 2, 4))

nn.Sequential(3)

nn.Sequential(nn.Linear(1, 1))[3]

nn.Module()(1)

nn.ModuleList([3])

nn.Module().load_state_dict({'a': 1})

nn.Linear(1, 1).load_state_dict({'weight': torch.ones(2, 2)})

nn.Linear(1, 1).register_buffer('weight', None)

nn.Linear(1, 1).register_parameter('a.b', None)

setattr(nn.Linear(1, 1), 'weight', torch.ones(1))

class M(nn.Module):
    def __init__(self):
        self.l = nn.Linear(1, 1)

M()

nn.Linear(1, 1).get_submodule('x')

nn.Linear(1, 1).get_parameter('weight').shape

nn.Linear(1, 1).to('cuda')

nn.Linear(1, 1).cuda()

nn.Linear(1, 1).half().weight.dtype

nn.Linear(1, 1).type(torch.float64).bias.dtype
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
