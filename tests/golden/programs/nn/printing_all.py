import torch

inf, nan = float("inf"), float("nan")
VALUES = [[0.0], [1.0, -2.0], [0.1, 1e-5], [1e8, 1.0], [1e9], [nan, 1.0], [inf, -1.5], [0.0, 1e-4], [1000.0, 1.0], [1000.5, 1.0], [99999.0, 0.5], [1e-45, 1.0], [123456.789], [-0.0, 0.5]]
for dtype in (torch.float32, torch.float64, torch.float16):
    for v in VALUES:
        print(torch.tensor(v, dtype=dtype), torch.tensor(v[0], dtype=dtype))
for shape in ((0,), (0, 2), (1, 0, 3), (2, 3), (1, 2, 2), (2, 1, 1, 2), (13,), (3, 12), (1001,), (2, 600), (600, 2), (5, 5, 50), ()):
    n = 1
    for s in shape:
        n *= s
    t = torch.arange(float(n)).reshape(shape)
    print(t)
    print((t / 3).requires_grad_(), t.int(), t > 2)
for options in ({"precision": 2}, {"precision": 8}, {"sci_mode": True}, {"sci_mode": False}, {"threshold": 4}, {"threshold": 4, "edgeitems": 1}, {"linewidth": 30}, {"profile": "short"},
                {"profile": "full"}, {"edgeitems": 0, "threshold": 3}, {"profile": "default"}):
    torch.set_printoptions(**options)
    print(options)
    for t in (torch.tensor([1.0, 2.5, -300.125]), torch.tensor([1e-6, 1.0]), torch.arange(8), torch.arange(12.0).reshape(3, 4) / 7, torch.tensor(2.0), torch.zeros(2), torch.ones(2, 3, 2, requires_grad=True)):
        print(t)
