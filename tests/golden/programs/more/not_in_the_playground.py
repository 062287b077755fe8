import torch

print(torch.cuda.is_available(), torch.backends.mps.is_available(), torch.device("cpu"), torch.device("cpu", 0), torch.ones(1).cpu().device)
print(torch.__version__.split("+")[0], torch.version.cuda, torch.get_num_threads() > 0)
print(torch.ones(1, device="cpu"), torch.ones(1).to(torch.device("cpu")), torch.ones(1).is_cuda, torch.ones(1).get_device())
try:
    torch.device("banana")
except RuntimeError as e:
    print(str(e)[:60])
try:
    torch.nothing_like_this
except AttributeError as e:
    print(e)
torch.set_num_threads(1)
torch.use_deterministic_algorithms(False)
print(torch.is_tensor(3), torch.is_floating_point(torch.ones(1)), torch.numel(torch.ones(2, 3)), torch.typename(torch.ones(1)))
