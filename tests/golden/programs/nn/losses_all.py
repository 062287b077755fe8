import torch
import torch.nn.functional as F
from torch import nn

x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)
y = torch.tensor([[0.0, 1.0, 1.0], [0.5, -0.5, 2.0]])
p = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
sign = torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
t = torch.tensor([2, 0])
w = torch.tensor([1.0, 2.0, 0.5])
TEXTS = """
F.mse_loss(x, y) | F.mse_loss(x, y, reduction="sum") | F.mse_loss(x, y, reduction="none") | F.mse_loss(x, y[0]) | F.mse_loss(x, y, weight=p) | F.mse_loss(x, y, reduction="foo") | F.mse_loss(x, torch.ones(4))
F.l1_loss(x, y) | F.l1_loss(x, y, reduction="sum") | F.smooth_l1_loss(x, y) | F.smooth_l1_loss(x, y, beta=0.0) | F.smooth_l1_loss(x, y, beta=2.0, reduction="none") | F.huber_loss(x, y) | F.huber_loss(x, y, delta=0.5, reduction="sum") | F.huber_loss(x, y, weight=p)
F.cross_entropy(x, t) | F.cross_entropy(x, t, weight=w) | F.cross_entropy(x, t, reduction="none") | F.cross_entropy(x, t, reduction="sum", weight=w) | F.cross_entropy(x, torch.tensor([2, -100])) | F.cross_entropy(x, t, ignore_index=2)
F.cross_entropy(x, p) | F.cross_entropy(x, p, weight=w) | F.cross_entropy(x, p, reduction="none") | F.cross_entropy(x, p, reduction="sum", label_smoothing=0.1) | F.cross_entropy(x, t, label_smoothing=0.1) | F.cross_entropy(x, t, label_smoothing=0.1, weight=w) | F.cross_entropy(x, t, label_smoothing=0.2, reduction="sum") | F.cross_entropy(x, t, label_smoothing=2.0)
F.cross_entropy(x[0], t[0]) | F.cross_entropy(x.view(1, 3, 2), torch.tensor([[0, 2]])) | F.cross_entropy(x, torch.tensor([0, 3])) | F.cross_entropy(x, torch.tensor([0])) | F.cross_entropy(x, torch.tensor([0.0, 1.0])) | F.cross_entropy(x, t.int())
F.nll_loss(F.log_softmax(x, 1), t) | F.nll_loss(F.log_softmax(x, 1), t, weight=w, reduction="sum") | F.nll_loss(F.log_softmax(x, 1), t, reduction="none") | nn.NLLLoss()(F.log_softmax(x[0], 0), t[0])
F.binary_cross_entropy(torch.sigmoid(x), p) | F.binary_cross_entropy(torch.sigmoid(x), p, weight=w) | F.binary_cross_entropy(torch.sigmoid(x), p, reduction="none") | F.binary_cross_entropy(x, p) | F.binary_cross_entropy(torch.sigmoid(x), p[0]) | F.binary_cross_entropy(torch.tensor([0.0, 1.0], requires_grad=True), torch.tensor([1.0, 1.0]))
F.binary_cross_entropy_with_logits(x, p) | F.binary_cross_entropy_with_logits(x, p, w) | F.binary_cross_entropy_with_logits(x, p, pos_weight=w) | F.binary_cross_entropy_with_logits(x, p, reduction="none") | F.binary_cross_entropy_with_logits(x, p[0]) | nn.BCEWithLogitsLoss(pos_weight=w, reduction="sum")(x, p)
F.kl_div(F.log_softmax(x, 1), p) | F.kl_div(F.log_softmax(x, 1), p, reduction="batchmean") | F.kl_div(F.log_softmax(x, 1), p.log(), reduction="sum", log_target=True) | F.kl_div(F.log_softmax(x, 1), p, reduction="none")
F.poisson_nll_loss(x, p * 10) | F.poisson_nll_loss(x.exp(), p * 10, log_input=False, full=True) | F.gaussian_nll_loss(x, y, p) | F.gaussian_nll_loss(x, y, 0.5, full=True) | F.gaussian_nll_loss(x, y, -p) | F.gaussian_nll_loss(x, y, torch.ones(3))
F.soft_margin_loss(x, sign) | F.hinge_embedding_loss(x, sign) | F.hinge_embedding_loss(x, sign, margin=2.0, reduction="none") | F.margin_ranking_loss(x[0], x[1], sign[0]) | F.margin_ranking_loss(x[0], x[1], sign[0], margin=1.0, reduction="sum") | F.margin_ranking_loss(x, x[1], sign[0])
F.cosine_embedding_loss(x, y, torch.tensor([1, -1])) | F.cosine_embedding_loss(x, y, torch.tensor([1, -1]), margin=0.1, reduction="none") | F.triplet_margin_loss(x, y, p) | F.triplet_margin_loss(x, y, p, margin=2.0, swap=True, reduction="none") | F.triplet_margin_with_distance_loss(x, y, p) | F.triplet_margin_loss(x, y, p, margin=-1.0) | F.triplet_margin_loss(x, y[0], p)
F.multi_margin_loss(x, t) | F.multi_margin_loss(x, t, p=2, margin=0.5, weight=w) | F.multilabel_margin_loss(x, torch.tensor([[0, 2, -1], [1, -1, 0]])) | F.multilabel_soft_margin_loss(x, p.round()) | F.multilabel_soft_margin_loss(x, p.round(), weight=w, reduction="none") | F.multi_margin_loss(x, t, p=3)
"""
for text in (part.strip() for line in TEXTS.strip().split("\n") for part in line.split(" | ")):
    x.grad = None
    try:
        loss = eval(text)
        loss.sum().backward()
        print(text, "->", loss, x.grad)
    except Exception as error:
        print(text, "->", type(error).__name__, error)
