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

torch.add(x)

torch.add()

torch.add(x, y, y)

torch.add(x, "a")

torch.add([1, 2], x)

torch.mul(x)

torch.mul(x, "a")

torch.mul(x, [1, 2])

torch.mul(x, None)

torch.div(x, y, "floor")

torch.sub(x, y, 2)

torch.sub(x, None)

torch.exp(3)

torch.exp("a")

torch.exp()

torch.exp(x, y)

torch.exp([1., 2.])

torch.exp(None)

torch.sin(1.0)

torch.log(2)

torch.sqrt(2.0)

torch.tanh([1])

torch.relu(3)

torch.sigmoid(None)

torch.abs(-1)

torch.neg(1)

x.exp(1)

x.sum("a")

torch.sum()

torch.sum(3)

torch.sum([1, 2])

torch.mean([1., 2.])

torch.mean(torch.tensor([1, 2]))

x.mean("a")

x.mean(1, 2, 3)

x.prod("a")

x.max("a")

x.max(1.5)

torch.max(3)

torch.max(x, 0, True, 3)

torch.max(x, y, 1)

torch.min([1])

x.argmax("a")

torch.argmax([1])

x.var("a")

torch.var(3)

x.norm("a")

torch.norm(3)

torch.norm([1., 2.])

torch.matmul(x)

torch.matmul(x, 2)

torch.matmul(x, [1, 2, 3])

torch.matmul(2, x)

torch.mm(x, 3)

torch.mm(x)

torch.dot(v, 3)

torch.dot(v, [1, 2, 3])

torch.bmm(x, x)

x @ 3

x @ [1, 2, 3]

3 @ x

x @ None

x + "a"

"a" + x

x + None

x + [1, 2, 3]

x + (1, 2, 3)

[1, 2, 3] + x

x * "a"

x - {}

x / "a"

x ** "a"

"a" ** x

x > "a"

x == "a"

x != None

x < None

x // "a"

x % "a"

x & y

x | 1.5

x ^ y

~x

x << 1

-torch.tensor(True)

torch.tensor(True) - torch.tensor(True)

torch.tensor([True]) - 1

torch.tensor([True]) + torch.tensor([True])

torch.cat(x, y)

torch.cat(x)

torch.cat([x, 3])

torch.cat([])

torch.cat((x, y), "a")

torch.cat((x, y), 5)

torch.cat([x, v])

torch.cat([x, [1]])

torch.cat()

torch.stack(x)

torch.stack([])

torch.stack([x, v])

torch.stack(x, y)

torch.stack([x, 3])

torch.stack([1, 2])

torch.split(x)

torch.split(x, "a")

x.split(0)

x.split([1, 2])

x.split(-1)

x.chunk(0)

x.chunk("a")

torch.chunk(x)

x.unbind("a")

x.reshape("a")

x.reshape(4)

x.reshape(2, "a")

x.reshape()

x.reshape(-1, -1)

x.reshape(-2, 3)

x.reshape([2.0, 3])

x.reshape(2.0, 3)

x.view("a")

x.view(2.0, 3)

x.view()

x.view(7)

x.view(-1, 4)

x.view(-1, -1)

x.view(None)

x.T.view(6)

torch.reshape(x)

torch.reshape(x, 3)

torch.reshape(x, 2, 3)

torch.reshape(x, (4,))

x.transpose(0)

x.transpose()

x.transpose(0, 5)

x.transpose("a", "b")

x.transpose(0, 1.0)

torch.transpose(x)

torch.transpose(x, 0)

x.permute(0)

x.permute(0, 0)

x.permute("a")

x.permute(0, 1, 2)

torch.permute(x, 1, 0)

x.squeeze("a")

x.squeeze(5)

x.unsqueeze()

x.unsqueeze("a")

x.unsqueeze(5)

x.unsqueeze(0, 1)

torch.unsqueeze(x)

x.expand(3)

x.expand(2, 2)

x.expand("a")

x.expand()

x.expand(-1)

x.expand(-1, 2, 3)

x.repeat()

x.repeat(2)

x.repeat("a")

x.flatten("a")

x.flatten(5)

x.flatten(1, 0)

torch.flatten()

x.t(1)

torch.ones(2, 3, 4).t()

x.clone(1)

x.detach(1)

x.item()

x.item(1)

torch.tensor([]).item()

x.tolist(1)

x.numpy(1)

x.fill_("a")

x.fill_(x)

x.fill_()

x.zero_(1)

x.add_("a")

x.add_()

x.mul_(None)

i.add_(1.5)

i += 1.5

i.mul_(0.5)

i.div_(2)

i.sqrt_()

x.copy_(3)

x.copy_("a")

x.copy_(torch.ones(4))
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
