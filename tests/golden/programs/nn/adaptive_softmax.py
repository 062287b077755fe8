import torch
from torch import nn

torch.manual_seed(0)
m = nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 10], div_value=2.0, head_bias=True)
print(m)
print([(n, tuple(p.shape)) for n, p in m.named_parameters()])
x = torch.randn(5, 8, requires_grad=True)
y = torch.tensor([0, 3, 5, 12, 19])
out = m(x, y)
print(out)
print(type(out).__name__, out.output.grad_fn.name(), out.loss)
out.loss.backward()
print(x.grad)
print(m.tail[1][0].weight.grad.norm(), m.head.bias.grad)
print(m.log_prob(x)[:, :6])
print(m.log_prob(x).exp().sum(1))
print(m.predict(x), m.predict(x) == m.log_prob(x).argmax(1))
torch.manual_seed(5)
many = torch.randn(30, 8) * 4
print(m.predict(many), bool((m.predict(many) == m.log_prob(many).argmax(1)).all()))
one = m(x[0], torch.tensor(7))
print(one)
print(m(x[:2], torch.tensor([1, 2])))
m.reset_parameters()
opt = torch.optim.SGD(m.parameters(), lr=0.5)
for _ in range(3):
    opt.zero_grad()
    loss = m(x.detach(), y).loss
    loss.backward()
    opt.step()
    print(loss.detach())


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: m(x, torch.tensor([0, 1])))
attempt(lambda: m(x, torch.tensor([0, 1, 2, 3, 25])))
attempt(lambda: m(x, torch.tensor([[0, 1, 2, 3, 25]])))
attempt(lambda: m(x, torch.tensor(1)))
attempt(lambda: m(x[0], torch.tensor([1, 1, 1, 1, 1, 1, 1, 1])))
attempt(lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, []))
attempt(lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 4]))
attempt(lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 20]))
attempt(lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, [0, 4]))
