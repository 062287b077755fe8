import torch
dtype = torch.float
torch.manual_seed(5)
N, D_in, H, D_out = 8, 10, 6, 3
x = torch.randn(N, D_in, dtype=dtype)
y = torch.randn(N, D_out, dtype=dtype)
w1 = torch.randn(D_in, H, dtype=dtype)
w2 = torch.randn(H, D_out, dtype=dtype)
lr = 1e-3
for t in range(5):
    h = x.mm(w1)
    h_relu = h.clamp(min=0)
    y_pred = h_relu.mm(w2)
    loss = (y_pred - y).pow(2).sum().item()
    print(t, round(loss, 2))
    grad_y_pred = 2.0 * (y_pred - y)
    grad_w2 = h_relu.t().mm(grad_y_pred)
    grad_h_relu = grad_y_pred.mm(w2.t())
    grad_h = grad_h_relu.clone()
    grad_h[h < 0] = 0
    grad_w1 = x.t().mm(grad_h)
    w1 -= lr * grad_w1
    w2 -= lr * grad_w2
w1.requires_grad_(); w2.requires_grad_()
for t in range(3):
    y_pred = x.mm(w1).clamp(min=0).mm(w2)
    loss = (y_pred - y).pow(2).sum()
    print(t, f"{loss.item():.2f}", loss.grad_fn)
    loss.backward()
    with torch.no_grad():
        w1 -= lr * w1.grad
        w2 -= lr * w2.grad
        w1.grad = None
        w2.grad.zero_()
print(w1.grad, w2.grad.abs().sum())
try:
    w1 -= lr * w2.sum()
except RuntimeError as e:
    print(e)
