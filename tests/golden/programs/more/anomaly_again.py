import torch
import warnings

warnings.simplefilter("ignore")
x = torch.tensor([0.0, -1.0], requires_grad=True)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
with torch.autograd.detect_anomaly():
    attempt(lambda: torch.sqrt(x).sum().backward())
    attempt(lambda: (x / x).sum().backward())
    attempt(lambda: (x * 2).sum().backward())
    print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
with torch.autograd.detect_anomaly(check_nan=False):
    attempt(lambda: torch.sqrt(x).sum().backward())
    print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
with torch.autograd.set_detect_anomaly(True):
    attempt(lambda: torch.log(x).sum().backward())
    y = x.exp()
    y.add_(1)
    attempt(lambda: y.sum().backward())
print(torch.is_anomaly_enabled())
torch.autograd.set_detect_anomaly(True, check_nan=False)
print(torch.is_anomaly_enabled())
torch.autograd.set_detect_anomaly(False)
print(x.grad)
