# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

import torch.nn.functional as F

x = torch.arange(12.).reshape(3, 4)

m = x > 5

x[m]

x[m] = -1

x

x[1:, ::2]

x[..., -1]

x[None].shape

x[:, None].shape

x[torch.tensor([0, 2])]

x[torch.tensor([0, 2]), torch.tensor([1, 3])]

x[[0, 2], 1:3]

x[torch.tensor([[0, 1], [1, 2]])].shape

x[0, :] = torch.tensor([9., 8., 7., 6.])

x[:, 1] += 1

x

x[torch.tensor([0, 0, 1]), 0] += 1

x

x.index_put_((torch.tensor([0, 0]), torch.tensor([0, 0])), torch.tensor([1., 1.]), accumulate=True)

x.index_add_(0, torch.tensor([0, 0]), torch.ones(2, 4))

x.index_copy_(1, torch.tensor([0]), torch.zeros(3, 1))

x.index_fill_(0, torch.tensor([1]), 5)

x.masked_fill_(x > 6, 0)

x.fill_diagonal_(7)

x.clamp_(min=1, max=6)

x.tril()

x.triu(1)

torch.where(x > 2, x, torch.tensor(0.))

torch.where(x > 2)

torch.where(x > 2, 1, 0)

w = torch.tensor([1., 2., 3., 4.], requires_grad=True)

(w[[0, 0, 1]] * torch.tensor([1., 2., 3.])).sum().backward()

w.grad

w.grad = None

w[w > 2].sum().backward()

w.grad

y = w.clone(); y[1] = 0; y.sum().backward()

w.grad

y = w * 1; y[w > 2] = 0.

y

y.grad_fn

w.unfold(0, 2, 1).sum().backward()

w.grad

torch.gather(x, 1, torch.tensor([[0], [1], [2]]))

torch.zeros(3, 5).scatter_(1, torch.tensor([[0], [1], [2]]), 1.0)

torch.zeros(3).scatter_add_(0, torch.tensor([0, 0, 2]), torch.ones(3))

torch.zeros(3).scatter_reduce_(0, torch.tensor([0, 0, 2]), torch.tensor([1., 5., 2.]), reduce='amax')

w.sort(descending=True)

w.topk(2)

w.max(0)

torch.tensor([[1., 3.], [3., 1.]]).max(dim=1, keepdim=True)

torch.tensor([1, 2, 3]).float().softmax(0)

torch.tensor([1e-8, 1., 1e8])

torch.tensor([1e-3, 1e3])

torch.tensor([0.00001, 123456.])

torch.tensor([1.5e10])

torch.tensor([[1e-5, 1.], [2., 3.]])

torch.tensor([float('nan'), 1., float('-inf')])

torch.tensor([1, 1000000, -5])

torch.tensor([True, False])

torch.tensor([[[1.]]])

torch.zeros(0)

torch.zeros(2, 0)

torch.zeros(0, 3, dtype=torch.int32)

torch.arange(2000)

torch.arange(2000.).view(2, 1000)

torch.rand(30, 30).shape

torch.ones(12, 12, 12)[..., 0].shape

torch.tensor(3.14159265, dtype=torch.float64)

torch.tensor(0.1 + 0.2)

torch.tensor(1e20)

torch.tensor(-0.0)

torch.tensor([0.1, 0.25]).half()

torch.tensor([1.123456789]).double()

torch.tensor([100000.5, 0.1])

torch.tensor([99999.5])

torch.tensor([1.0, 2.0, 3.0]) / 3

torch.set_printoptions(precision=2)

torch.tensor([1.23456, 100.])

torch.set_printoptions(sci_mode=True)

torch.tensor([1.23456, 100.])

torch.set_printoptions(profile='default')

torch.set_printoptions(threshold=5, edgeitems=1)

torch.arange(10.)

torch.set_printoptions(profile='default')

torch.set_printoptions(linewidth=40)

torch.arange(20.)

torch.set_printoptions(profile='default')

print(torch.tensor(2.), torch.tensor(2), torch.tensor([2.]), torch.tensor(True))

print(w, w.grad, w.sum(), w.detach())

print(f"{w.sum():.3f} {w[0].item():8.2f} {torch.tensor(3):05d}")

str(torch.float32), repr(torch.Size([1, 2])), torch.device('cpu'), torch.Size([])

torch.int32 == torch.int, torch.long is torch.int64

torch.tensor([1, 2]) + 1.5

torch.tensor([1, 2]) * torch.tensor(2.5)

torch.tensor([1, 2], dtype=torch.int8) + torch.tensor([1], dtype=torch.uint8)

torch.tensor([1.], dtype=torch.float16) + torch.tensor([1.], dtype=torch.float32)

torch.tensor([1.], dtype=torch.float32) * torch.tensor(2., dtype=torch.float64)

torch.tensor([3, 4]) / 2

torch.tensor([3, 4]) // 2

torch.tensor([-3, 4]) // 2

torch.tensor([-3.5]) // 2

torch.tensor([7]) % -3

torch.tensor([5]) ** 2

torch.tensor([5]) ** 0.5

2 ** torch.tensor([1, 2, 3])

torch.tensor([1, 0]) & torch.tensor([1, 1])

~torch.tensor([1, 0])

torch.tensor([True]) + torch.tensor([True])

torch.tensor([1.7, -1.7]).int()

torch.tensor([1.7]).long().dtype

torch.tensor([0, 2]).bool()

torch.tensor([1., 2.]).to(torch.int32)

torch.tensor([300]).to(torch.uint8)

torch.tensor([1.5, 2.5, -0.5]).round()

torch.tensor([1.2345]).round(decimals=2)

torch.tensor([1.5]).frac()

torch.tensor([5, 3]).cumsum(0)

torch.tensor([2., 3.]).cumprod(0)

torch.tensor([1, 2, 3, 4]).prod()

torch.tensor([True, True]).sum()

torch.tensor([[1, 2], [3, 4]]).sum(0, keepdim=True)

torch.tensor([[1., 2.], [3., 4.]]).mean((0, 1))

torch.tensor([[1., 2.], [3., 4.]]).std()

torch.tensor([[1., 2.], [3., 4.]]).var(0, unbiased=False)

torch.tensor([[1., 2.], [3., 4.]]).norm(dim=1)

torch.tensor([3., 1., 2.]).median()

torch.tensor([1., 2., 3., 4.]).quantile(0.5)

torch.tensor([1, 1, 2]).unique(return_inverse=True)

torch.tensor([3., 4.]).dot(torch.tensor([1., 2.]))

torch.einsum('bij,bjk->bik', torch.ones(2, 2, 3), torch.ones(2, 3, 1))

torch.ones(2, 3) @ torch.arange(3.)

torch.matmul(torch.ones(2, 1, 3), torch.ones(3, 2)).shape

torch.stack([torch.ones(2), torch.zeros(2)], dim=1)

torch.cat([torch.ones(1, 2), torch.zeros(1, 2)], -1)

torch.chunk(torch.arange(7), 3)

torch.split(torch.arange(7), [3, 4])

torch.arange(6).view(2, 3).unbind(1)

torch.arange(6).reshape(2, 3).t().contiguous().view(-1)

torch.arange(4).expand(2, 4)

torch.arange(3).repeat(2, 2)

torch.eye(2).flatten()

torch.ones(1, 2, 1).squeeze().shape, torch.ones(1, 2, 1).squeeze(0).shape

torch.arange(24).view(2, 3, 4).permute(2, 0, 1).shape

torch.arange(24).view(2, 3, 4).transpose(0, 2).stride()

F.relu(torch.tensor([-1., 2.]))

F.gelu(torch.tensor([-1., 2.]))

F.silu(torch.tensor([1.]))

F.softplus(torch.tensor([1.]))

F.leaky_relu(torch.tensor([-1.]), 0.1)

F.elu(torch.tensor([-1.]))

F.log_softmax(torch.tensor([1., 2.]), 0)

F.cross_entropy(torch.tensor([[1., 2., 3.]]), torch.tensor([2]))

F.nll_loss(torch.tensor([[-1., -2.]]), torch.tensor([1]))

F.binary_cross_entropy_with_logits(torch.tensor([1.]), torch.tensor([0.]))

F.smooth_l1_loss(torch.tensor([3.]), torch.tensor([1.]))

F.kl_div(torch.tensor([-1.]), torch.tensor([0.5]), reduction='sum')

F.avg_pool1d(torch.arange(6.).view(1, 1, 6), 2)

F.max_pool2d(torch.arange(16.).view(1, 1, 4, 4), 2)

F.conv1d(torch.arange(5.).view(1, 1, 5), torch.ones(1, 1, 3))

F.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2), padding=1)

F.conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 3))

F.layer_norm(torch.tensor([1., 2., 3.]), (3,))

F.batch_norm(torch.tensor([[1.], [3.]]), None, None, training=True)

F.pad(torch.ones(1, 2), (1, 1))

F.embedding(torch.tensor([1, 0]), torch.eye(2))

torch.nn.utils.clip_grad_norm_([w], 1.0)

w.grad

torch.empty(2, 3).shape

torch.full((2,), 3), torch.full((2,), 3.), torch.full((2,), True)

torch.linspace(0, 1, 5)

torch.logspace(0, 2, 3)

torch.arange(0, 1, 0.25)

torch.arange(5, 0, -2)

torch.eye(2, 3)

torch.tril(torch.ones(3, 3, dtype=torch.long))

torch.zeros_like(w), torch.ones_like(x, dtype=torch.int)

torch.tensor([[1., 2.], [3., 4.]], dtype=torch.float64).numpy()

torch.from_numpy(__import__('numpy').array([1., 2.]))

torch.as_tensor([1, 2])

torch.tensor([1, 2]).tolist(), torch.tensor(5).item(), torch.tensor([[1.5]]).item()

torch.allclose(torch.tensor([1.]), torch.tensor([1. + 1e-9]))

torch.equal(torch.tensor([1]), torch.tensor([1]))

torch.isclose(torch.tensor([1., 2.]), torch.tensor([1., 2.1]))

torch.maximum(torch.tensor([1., 5.]), torch.tensor([3., 2.]))

torch.sign(torch.tensor([-2., 0., 3.]))

torch.floor(torch.tensor([-1.5])), torch.ceil(torch.tensor([1.2])), torch.trunc(torch.tensor([-1.7]))

torch.clamp(torch.tensor([-1., 5.]), 0, 3)

torch.logical_and(torch.tensor([True]), torch.tensor([False]))

torch.any(torch.tensor([0, 1])), torch.all(torch.tensor([]))

torch.argmax(torch.tensor([[1, 5], [7, 2]])), torch.argmax(torch.tensor([[1, 5], [7, 2]]), dim=1)

torch.cov(torch.tensor([[1., 2.], [3., 5.]]))

torch.trapz(torch.tensor([1., 2., 3.]))

torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4]), right=True)
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
