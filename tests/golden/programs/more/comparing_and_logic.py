import torch

a = torch.tensor([1.0, float("nan"), 3.0])
b = torch.tensor([1.0, 2.0, float("nan")])
print(a == b, a != b, a < b, a >= b, torch.equal(a, a), torch.allclose(a, a), torch.allclose(a, a, equal_nan=True), torch.isclose(a, b))
print(torch.maximum(a, b), torch.fmax(a, b), a.max(), torch.isnan(a).any(), a.isfinite().all(), (a > 0).sum(), torch.where(a > 1, 1, 0), a.ne(a))
t, f = torch.tensor([True, True, False]), torch.tensor([False, True, False])
print(t & f, t | f, t ^ f, ~t, t.logical_not(), t + f, t * f, t.sum(), t.float().mean(), t.all(), t.any(), t == 1)
print(torch.tensor([5, 6]) & 3, torch.tensor([5, 6]) | 1, torch.tensor([5]) ^ 1, ~torch.tensor([5]), torch.tensor([1]) << 3, torch.tensor([16]) >> 2)
for g in (lambda: t - f, lambda: -t, lambda: a & b, lambda: ~a, lambda: torch.equal(a, 1), lambda: a < "x", lambda: a == "x", lambda: a == None, lambda: t.mean(), lambda: torch.allclose(a, a.double()), lambda: 1 < a, lambda: a and b):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
