import torch

base = torch.zeros(2, 3)
v = base.view(3, 2)
t = base.t()
n = base.narrow(1, 0, 2)
d = base.detach()
print(base._version, v._version, v._base is base, t._base is base, base._base, d._base, n._is_view())
v.add_(1)
print(base._version, v._version, t._version, d._version, n._version)
t[0, 0] = 5
base.data.mul_(2)
print(base, base._version, base.data._version)
d.zero_()
print(base, base._version)
c = base.clone()
c.add_(1)
print(base._version, c._version, c._base, base.reshape(-1)._base is base, base.t().reshape(-1)._base, base.contiguous() is base)
e = base[0].expand(2, 3)
try:
    e.add_(1)
except RuntimeError as err:
    print(err)
print(v.data_ptr() == base.data_ptr(), base[1].storage_offset(), t.stride(), e.stride(), t.is_contiguous(), base[:, 1].is_contiguous())
