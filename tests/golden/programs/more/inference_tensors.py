import torch

w = torch.ones(2, requires_grad=True)
with torch.inference_mode():
    a = torch.ones(2)
    b = w * 2
    v = w[0]
print(a.is_inference(), b.is_inference(), v.is_inference(), b.requires_grad, torch.is_inference_mode_enabled())
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: a * w)
attempt(lambda: a + w)
attempt(lambda: a.add_(1))
attempt(lambda: a._version)
attempt(lambda: a.requires_grad_())
attempt(lambda: a.clone() * w)
attempt(lambda: a[0])
attempt(lambda: w.add_(a))
attempt(lambda: b.sum().backward())
attempt(lambda: a.detach().is_inference())
with torch.inference_mode():
    attempt(lambda: a.add_(1))
    with torch.inference_mode(False):
        attempt(lambda: (w * 2).requires_grad)
