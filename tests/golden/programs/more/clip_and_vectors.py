import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_, parameters_to_vector, vector_to_parameters

a = torch.tensor([3.0, 4.0], requires_grad=True)
b = torch.tensor([[12.0]], requires_grad=True)
((a ** 2).sum() + (b ** 2).sum()).backward()
print(clip_grad_norm_([a, b], 1.0), a.grad, b.grad)
print(clip_grad_norm_(a, 10.0, norm_type=1), clip_grad_norm_([a, b], 1.0, norm_type=float("inf")), clip_grad_norm_([], 1.0))
a.grad = torch.tensor([5.0, -7.0])
clip_grad_value_([a], 2.0)
print(a.grad)
v = parameters_to_vector([a, b])
print(v)
vector_to_parameters(torch.arange(3.0), [a, b])
print(a, b)
a.grad = torch.tensor([float("nan"), 1.0])
try:
    clip_grad_norm_([a], 1.0, error_if_nonfinite=True)
except RuntimeError as e:
    print(e)
print(torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])]))
