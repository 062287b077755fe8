# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

torch.manual_seed(1)

torch.poisson(torch.tensor([2., 3., 0., 12., 40.]))

torch.rand(2)

torch.poisson(torch.rand(2, 3) * 5)

torch.binomial(torch.tensor([10., 100., 40.]), torch.tensor([0.5, 0.3, 0.9]))

torch.rand(1)

torch.poisson(torch.tensor([-1.]))

torch.poisson(torch.tensor([1]))

torch.poisson(torch.ones(2, requires_grad=True))

torch.blackman_window(5)

torch.hann_window(5, periodic=False)

torch.hann_window(6, dtype=torch.float64)

torch.hamming_window(4, False)

torch.bartlett_window(1)

torch.kaiser_window(5, False, 8.)
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
