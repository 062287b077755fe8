import numpy as np
import torch

a = np.array([1.0, 2.0, 3.0])
t = torch.from_numpy(a)
t[0] = 10
a[1] = 20
print(a, t, torch.tensor(a)[0], torch.as_tensor(a).dtype, torch.tensor(np.float32(2.5)), torch.tensor([np.int64(3), np.int64(4)]))
print(t.numpy() is not a, t.numpy().dtype, torch.ones(2, 3).numpy().shape, np.asarray(torch.ones(2)), np.sum(np.array(torch.ones(3))))
print(torch.from_numpy(np.arange(3, dtype=np.int32)), torch.tensor(np.eye(2, dtype=np.float32)), torch.tensor(np.array([True, False])))
x = torch.ones(2, requires_grad=True)
for f in (lambda: x.numpy(), lambda: np.array(x), lambda: torch.from_numpy([1]), lambda: torch.from_numpy(np.array(["a"])), lambda: x.detach().numpy(), lambda: np.ones(2) * torch.ones(2), lambda: torch.ones(2) * np.ones(2), lambda: np.float32(3) * torch.ones(2)):
    try:
        r = f()
        print(type(r).__name__, r)
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
