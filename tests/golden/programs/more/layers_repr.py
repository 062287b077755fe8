import torch.nn as nn

for m in (nn.Linear(2, 3), nn.Linear(2, 3, bias=False), nn.Conv1d(1, 2, 3), nn.Conv2d(1, 2, 3, stride=2, padding=1), nn.Conv2d(1, 2, (1, 2), bias=False), nn.BatchNorm1d(3), nn.BatchNorm2d(3, affine=False),
          nn.LayerNorm(4), nn.LayerNorm((2, 3), elementwise_affine=False), nn.GroupNorm(2, 4), nn.Dropout(), nn.Dropout2d(0.1), nn.Embedding(5, 2), nn.Embedding(5, 2, padding_idx=0), nn.MaxPool2d(2),
          nn.AvgPool2d(2, stride=1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Unflatten(1, (2, 2)), nn.ReLU(), nn.ReLU(inplace=True), nn.LeakyReLU(0.1), nn.ELU(), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Softmax(dim=0), nn.LogSoftmax(1),
          nn.Tanh(), nn.Sigmoid(), nn.Softplus(), nn.Hardtanh(), nn.PReLU(), nn.Threshold(0.1, 20), nn.Identity(), nn.MSELoss(), nn.CrossEntropyLoss(), nn.NLLLoss(), nn.L1Loss(), nn.BCELoss(), nn.BCEWithLogitsLoss(), nn.SmoothL1Loss(), nn.HuberLoss(),
          nn.KLDivLoss(), nn.CosineSimilarity(), nn.Bilinear(1, 2, 3), nn.ZeroPad2d(1), nn.Upsample(scale_factor=2), nn.RNN(2, 3), nn.LSTM(2, 3), nn.GRU(2, 3)):
    print(m)
