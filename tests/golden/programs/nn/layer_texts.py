import torch
from torch import nn

TEXTS = """
Linear(2, 3) | Linear(2, 3, bias=False) | Bilinear(1, 2, 3) | Identity(3) | Flatten() | Flatten(0, 1) | Unflatten(1, (2, 3))
Embedding(4, 2) | Embedding(4, 2, padding_idx=-1) | Embedding(4, 2, max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True)
ReLU() | ReLU(inplace=True) | ReLU6() | ELU() | ELU(0.5, True) | SELU() | CELU(2.0) | GELU() | GELU("tanh") | GLU(0) | Hardtanh() | Hardtanh(-2, 2)
LeakyReLU() | LeakyReLU(0.2, True) | LogSigmoid() | PReLU() | PReLU(3) | RReLU() | SiLU() | Mish() | Softplus() | Softplus(2, 10) | Softshrink() | Hardshrink(1.0)
Softsign() | Tanhshrink() | Tanh() | Sigmoid() | Hardsigmoid() | Hardswish() | Threshold(0.1, 2) | Softmax() | Softmax(1) | LogSoftmax(dim=0) | Softmin(1) | Softmax2d()
Dropout() | Dropout(0.25, True) | Dropout1d() | Dropout2d(0.1) | Dropout3d() | AlphaDropout() | FeatureAlphaDropout()
Conv1d(1, 2, 3) | Conv1d(1, 2, 3, padding="same") | Conv2d(2, 4, (3, 2), 2, (1, 0), 2, 2, False, "circular") | Conv3d(1, 1, 2) | ConvTranspose1d(1, 2, 3, 2, output_padding=1) | ConvTranspose2d(1, 2, 3)
MaxPool1d(2) | MaxPool2d(3, 2, 1) | AvgPool1d(2) | AvgPool2d((2, 1), 3) | AdaptiveAvgPool1d(2) | AdaptiveAvgPool2d((1, None)) | AdaptiveMaxPool1d(1) | LPPool1d(2, 3)
BatchNorm1d(3) | BatchNorm2d(3, affine=False) | BatchNorm3d(2, momentum=None, track_running_stats=False) | InstanceNorm1d(3) | InstanceNorm2d(3, affine=True) | GroupNorm(1, 2) | LayerNorm(3) | LayerNorm((2, 3), elementwise_affine=False) | RMSNorm(3) | LocalResponseNorm(2)
ZeroPad1d(1) | ZeroPad2d((1, 2, 3, 4)) | ConstantPad1d(1, 3.5) | ConstantPad2d(1, 2) | ReflectionPad1d(2) | ReplicationPad2d(1) | CircularPad1d(1)
RNN(2, 3) | RNN(2, 3, nonlinearity="relu") | LSTM(2, 3, 2, batch_first=True, dropout=0.5) | GRU(2, 3, bias=False, bidirectional=True) | RNNCell(2, 3) | RNNCell(2, 3, nonlinearity="relu") | LSTMCell(2, 3) | GRUCell(2, 3, bias=False)
Upsample(scale_factor=2) | Upsample((2, 2), mode="bilinear") | UpsamplingNearest2d(scale_factor=2) | PixelShuffle(2) | PixelUnshuffle(2) | Unfold(2) | Fold((4, 4), 2)
CosineSimilarity() | PairwiseDistance() | MSELoss() | L1Loss() | NLLLoss() | CrossEntropyLoss() | BCELoss() | BCEWithLogitsLoss() | KLDivLoss() | HuberLoss() | SmoothL1Loss() | TripletMarginLoss() | GaussianNLLLoss() | PoissonNLLLoss()
Linear(2, -1) | Linear(2.5, 1) | Bilinear(0, 1, 1) | Unflatten(1, 3) | Unflatten(1, (2, "a")) | Dropout(1.5) | Dropout(-1) | Embedding(3, 2, padding_idx=3) | Hardtanh(1, 0) | Softmax2d()(torch.ones(2))
Conv1d(3, 2, 1, groups=2) | Conv1d(2, 3, 1, groups=2) | Conv1d(2, 2, 1, groups=0) | Conv2d(1, 1, 3, 2, "same") | ConvTranspose1d(1, 1, 1, padding_mode="reflect") | GroupNorm(2, 3) | BatchNorm1d(3)(torch.ones(3)) | BatchNorm2d(3)(torch.ones(2, 3)) | BatchNorm1d(3)(torch.ones(1, 3))
InstanceNorm1d(2)(torch.ones(2, 2, 1)) | InstanceNorm1d(2, affine=True)(torch.ones(1, 3, 4)) | LSTM(0, 1) | LSTM(1, 1, 0) | RNN(1, 1, nonlinearity="foo") | GRU(2, 3)(torch.ones(4, 1, 3)) | GRU(2, 3)(torch.ones(4, 1, 2), torch.ones(1, 2, 3)) | RNNCell(2, 3)(torch.ones(1, 3)) | LSTMCell(2, 3)(torch.ones(1, 2), (torch.ones(1, 2), torch.ones(1, 3)))
HuberLoss(delta="a") | TripletMarginLoss(margin=-1.0) | MultiMarginLoss(p=3) | MSELoss(reduction="foo")(torch.ones(1), torch.ones(1)) | L1Loss(size_average=False) | MSELoss(reduce=False).reduction
Linear(2, 3)(torch.ones(1, 3)) | Linear(2, 3)(torch.ones(3)) | Linear(2, 3)(torch.ones(1, 2, dtype=torch.float64)) | Embedding(3, 2)(torch.tensor([3])) | LayerNorm(3)(torch.ones(2, 4)) | Conv2d(1, 2, 3)(torch.ones(1, 2, 4, 4)) | Conv2d(1, 2, 5)(torch.ones(1, 1, 4, 4)) | PReLU(3)(torch.ones(2, 2))
"""
for text in (part.strip() for line in TEXTS.strip().split("\n") for part in line.split(" | ")):
    try:
        print(text, "->", eval("nn." + text))
    except Exception as error:
        print(text, "->", type(error).__name__, error)
print(nn.Linear, type(nn.ReLU()), nn.Sequential, nn.CrossEntropyLoss, nn.ModuleList, nn.LSTMCell, nn.ParameterList, nn.TripletMarginLoss, nn.Module)
