# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

import torch.nn as nn

import torch.nn.functional as F

x = torch.arange(6.).reshape(2, 3)

y = torch.ones(2, 3)

v = torch.tensor([1., 2., 3.])

i = torch.tensor([0, 1])

s = torch.tensor(2.)

torch.tensor()

torch.tensor("a")

torch.tensor(["a"])

torch.tensor([1, "a"])

torch.tensor([[1, 2], [3]])

torch.tensor([[1, 2], 3])

torch.tensor([1, [2]])

torch.tensor(None)

torch.tensor([None])

torch.tensor({1: 2})

torch.tensor({1, 2})

torch.tensor(1, 2)

torch.tensor([1.], dtype="float32")

torch.tensor([1.], dtype=float)

torch.tensor([1.], dtype=int)

torch.tensor([1, 2], requires_grad=True)

torch.tensor([1.5], dtype=torch.int64, requires_grad=True)

torch.tensor([1.], requires_grad=1)

torch.tensor([1.], requires_grad="yes")

torch.tensor([1.], device="gpu")

torch.tensor([1.], device="cuda")

torch.tensor([1.], foo=1)

torch.tensor(object())

torch.tensor(lambda: 0)

torch.tensor([v, v])

torch.tensor([s, s])

torch.tensor(range(3))

torch.tensor((x for x in [1]))

torch.tensor([1e400])

torch.tensor([2**63])

torch.tensor([2**31], dtype=torch.int32)

torch.tensor([300], dtype=torch.uint8)

torch.tensor([-1], dtype=torch.uint8)

torch.Tensor("a")

torch.Tensor(2.5)

torch.Tensor(2, "a")

torch.Tensor(None)

torch.zeros("a")

torch.zeros(2, "a")

torch.zeros(-1)

torch.zeros(2.5)

torch.zeros(2, 3.0)

torch.zeros()

torch.zeros(None)

torch.zeros([2, 3], 4)

torch.zeros((2, 3), dtype="float")

torch.zeros(2, requires_grad="a")

torch.zeros(2, foo=1)

torch.zeros(2, dtype=torch.int64, requires_grad=True)

torch.ones([2, "a"])

torch.ones(x)

torch.ones(2, 3, "float32")

torch.ones(-2, 3)

torch.full(2, 3)

torch.full((2,))

torch.full((2, 3))

torch.full((2,), "a")

torch.full(2)

torch.full()

torch.full((2,), x)

torch.empty("a")

torch.empty(-1)

torch.rand("a")

torch.rand(-1)

torch.rand(2, 3.5)

torch.rand(2, dtype=torch.int64)

torch.randn("a")

torch.randn(2, dtype=torch.int64)

torch.randn(-2)

torch.randint(3)

torch.randint(0, 0, (2,))

torch.randint(5, 3, (2,))

torch.randint(10)

torch.randint(0, 10)

torch.randint(0, 10, 3)

torch.randint("a", (2,))

torch.randint(0.5, (2,))

torch.randperm("a")

torch.randperm(-1)

torch.randperm(2.5)

torch.arange("a")

torch.arange()

torch.arange(0, 1, 0)

torch.arange(1, 0)

torch.arange(0, 5, -1)

torch.arange(0, 1, 0.1, 2)

torch.arange(None)

torch.linspace(0, 1)

torch.linspace(0, 1, "a")

torch.linspace(0, 1, -1)

torch.linspace(0)

torch.linspace(0, 1, 5.0)

torch.logspace(0, 1)

torch.eye("a")

torch.eye(-1)

torch.eye(2, 3, 4)

torch.eye(2.0)

torch.zeros_like(3)

torch.zeros_like([1])

torch.ones_like("a")

torch.ones_like()

torch.full_like(x)

torch.full_like(x, "a")

torch.rand_like(i)

torch.randn_like(i)

torch.randn_like(3)

torch.empty_like(3)

torch.from_numpy([1])

torch.from_numpy(3)

torch.as_tensor("a")

torch.as_tensor()

torch.manual_seed("a")

torch.manual_seed(1.5)

torch.manual_seed()

torch.manual_seed(None)

torch.manual_seed(-1)

torch.normal(0, 1)

torch.normal("a", 1, (2,))

torch.normal(0., -1., (2,))

torch.bernoulli(v)

torch.bernoulli(i)

torch.bernoulli(0.5)

torch.multinomial(v, 5)

torch.multinomial(i, 1)

torch.multinomial(-v, 1)

torch.multinomial(v, 0)

torch.multinomial(torch.zeros(3), 1)

x.float(1)

x.to()

x.to("a")

x.to("cuda")

x.to(None)

x.to(float)

x.type("a")

x.type("torch.FooTensor")

x.type()

x.int("a")

x.double(foo=1)

x.requires_grad_("a")

x.requires_grad_(1)

x.requires_grad = 1

x.requires_grad = "a"

x.requires_grad = None

x.grad = 3

x.grad = [1]

x.grad = torch.ones(3)

x.grad = torch.ones(2, 3, dtype=torch.float64)

x.foo

x.foo()

x.data = 3

x.data = [1]

x.is_leaf = True

x.grad_fn = None

x.T = 3

x[5]

x[0, 5]

x[0, 0, 0]

x[1.5]

x[0, 1.5]

x[None, "a"]

x[[5]]

x[[0, 5]]

x[torch.tensor([5])]

x[torch.tensor([0.5])]

x[torch.tensor([True, False, True])]

x[torch.tensor([[True]])]

x[v > 1]

x[::0]

x[::-1]

x[0][0][0]

s[0]

s[0] = 1

x[0] = "a"

x[0] = [1, 2]

x[0] = [1, 2, 3]

x[0] = torch.ones(4)

x[0] = None

x[5] = 1

x[:, 5] = 1

x[0, 0] = torch.ones(2)

x[{}]

x[object()]

x[(0, 1), (0, 1, 2)]

x[[0, 1], [0, 1, 2]]

x[torch.tensor([0, 1]), torch.tensor([0, 1, 2])]

len(s)

len(x)

iter(s)

list(s)

for q in s: pass

bool(x)

bool(torch.tensor([]))

if x > 1: pass

not x

x and y

float(x)

int(x)

float(s)

int(s)

range(s)

range(torch.tensor(3))

[1, 2, 3][torch.tensor(1)]

[1, 2, 3][s]

abs(x)

round(s)

round(s, 2)

max(v)

sum(v)

sorted(v)

1 in x

"a" in x

None in x

x in [x]

y in [x]

divmod(x, 2)

complex(s)

import math

math.sqrt(s)

math.exp(x)

math.floor(s)

f"{s:.2f}"

f"{x:.2f}"

f"{s:d}"

f"{torch.tensor(2):d}"

f"{x}"

"%.2f" % s

"%.2f" % x

str(x)
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
