import torch
import torch.nn.functional as F

x = torch.tensor([[-2.0, -1.25, 0.0], [0.5, 1.0, 2.5]], requires_grad=True)
TEXTS = """
relu(x) | relu6(x) | elu(x) | elu(x, 0.5) | selu(x) | celu(x, 2.0) | gelu(x) | gelu(x, approximate="tanh") | glu(x.view(3, 2)) | hardtanh(x) | hardtanh(x, -1, 2) | leaky_relu(x) | leaky_relu(x, 0.2) | logsigmoid(x) | silu(x) | mish(x) | softplus(x) | softplus(x, 2, 3) | softshrink(x) | hardshrink(x, 1.0)
softsign(x) | tanhshrink(x) | tanh(x) | sigmoid(x) | hardsigmoid(x) | hardswish(x) | threshold(x, 0.25, 9.0) | softmax(x, 1) | softmax(x, dim=0) | log_softmax(x, 1) | softmin(x, 1) | softmax(x) | softmax(x, 1, dtype=torch.float64) | prelu(x, torch.tensor([0.25])) | rrelu(x) | normalize(x) | normalize(x, p=1.0, dim=0)
cosine_similarity(x, torch.tensor([[1.0, 2.0, -1.0], [0.5, -1.0, 2.0]])) | pairwise_distance(x, x.detach() + 1) | linear(x, torch.ones(2, 3)) | linear(x, torch.ones(2, 3), torch.ones(2)) | linear(x[0], torch.ones(2, 3), torch.ones(2)) | bilinear(x, x, torch.ones(1, 3, 3)) | one_hot(torch.tensor([0, 2])) | one_hot(torch.tensor([0, 2]), 4) | embedding(torch.tensor([1, 0]), x)
embedding(torch.tensor([1, 0]), x, padding_idx=0) | layer_norm(x, (3,)) | layer_norm(x, (3,), torch.ones(3), torch.ones(3)) | group_norm(x, 1) | batch_norm(x.view(3, 2), None, None, training=True) | batch_norm(x, torch.zeros(3), torch.ones(3)) | instance_norm(x.view(1, 2, 3)) | rms_norm(x, (3,)) | local_response_norm(x.view(1, 2, 3), 2)
pad(x, (1, 1)) | pad(x, (1, 0, 0, 1), value=2.0) | pad(x, (1, 1), mode="reflect") | pad(x, (1, 1), mode="replicate") | pad(x, (1, 1), mode="circular") | unfold(x.view(1, 1, 2, 3), 2) | fold(x.view(1, 2, 3).repeat(1, 2, 1), (2, 4), 2) | max_pool1d(x.view(1, 2, 3), 2) | max_pool1d(x.view(1, 2, 3), 2, return_indices=True) | avg_pool1d(x.view(1, 2, 3), 2) | max_pool2d(x.view(1, 1, 2, 3), 2) | adaptive_avg_pool1d(x.view(1, 2, 3), 2) | adaptive_max_pool1d(x.view(1, 2, 3), 2) | lp_pool1d(x.view(1, 2, 3).abs() + 1, 2, 2)
conv1d(x.view(1, 2, 3), torch.ones(1, 2, 2)) | conv_transpose1d(x.view(1, 2, 3), torch.ones(2, 1, 2)) | pixel_shuffle(torch.arange(8.0).view(1, 4, 1, 2), 2) | pixel_unshuffle(torch.arange(8.0).view(1, 1, 2, 4), 2) | channel_shuffle(torch.arange(8.0).view(1, 4, 2), 2) | interpolate(x.view(1, 2, 3), scale_factor=2) | interpolate(x.view(1, 1, 2, 3), size=(3, 4), mode="bilinear") | interpolate(x.view(1, 1, 2, 3), size=(3, 4), mode="bilinear", align_corners=True)
scaled_dot_product_attention(x.view(1, 2, 3), x.view(1, 2, 3), x.view(1, 2, 3)) | scaled_dot_product_attention(x.view(1, 2, 3), x.view(1, 2, 3), x.view(1, 2, 3), is_causal=True) | scaled_dot_product_attention(x.view(1, 2, 3), x.view(1, 2, 3), x.view(1, 2, 3), attn_mask=torch.tensor([[True, False], [True, True]])) | gumbel_softmax(x, tau=0.5) | gumbel_softmax(x, hard=True) | hardtanh(x, 1, 0) | one_hot(torch.tensor([1.5])) | one_hot(torch.tensor([3]), 2) | one_hot(torch.tensor([-1]))
"""
for text in (part.strip() for line in TEXTS.strip().split("\n") for part in line.split(" | ")):
    x.grad = None
    torch.manual_seed(0)
    try:
        out = eval("F." + text)
        first = out[0] if isinstance(out, tuple) else out
        shown = out if isinstance(out, tuple) else out.detach()
        if first.requires_grad:
            (first * torch.linspace(1, 2, first.numel()).reshape(first.shape)).sum().backward()
        print(text, "->", shown, x.grad)
    except Exception as error:
        print(text, "->", type(error).__name__, error)
for text in ("relu", "relu6", "elu", "selu", "celu", "hardtanh", "leaky_relu", "silu", "mish", "hardswish", "hardsigmoid"):
    z = x.detach().clone()
    print(text, getattr(F, text)(z, inplace=True) is z, z)
