# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

import torch.nn as nn

import torch.nn.functional as F

import numpy as np

x = torch.arange(6.).reshape(2, 3)

v = torch.tensor([1., 2., 3.])

i = torch.tensor([0, 1])

w = torch.tensor([1., 2., 3.], requires_grad=True)

torch.range(1, 4)

torch.logspace(0, 2, 3)

torch.hann_window(4)

torch.hamming_window(5)

torch.blackman_window(4)

torch.bartlett_window(4)

torch.kaiser_window(4)

torch.tril_indices(3, 3)

torch.triu_indices(3, 3, 1)

torch.combinations(v)

torch.cartesian_prod(v, v).shape

torch.block_diag(x, v)

torch.vander(v)

torch.empty_like(x).shape

torch.asarray([1, 2])

torch.frombuffer(bytearray(8), dtype=torch.int32)

torch.scalar_tensor(3)

torch.is_nonzero(torch.tensor(1))

torch.is_same_size(x, x)

torch.numel(x)

x.is_sparse

x.is_quantized

x.is_cpu

x.is_meta

x.is_mkldnn

x.names

x.nbytes

x.itemsize

x.real

x.imag

x.layout

x.device

x.type()

x.is_contiguous()

x.T.is_contiguous()

x.storage()

x.untyped_storage()

x.untyped_storage().nbytes()

x.is_set_to(x)

x.new_zeros(2)

x.new_tensor([1, 2])

x.new_full((2,), 7)

x.new_ones(1, 2)

x.new_empty(2).shape

x.as_strided((2, 2), (1, 2))

x.unfold(1, 2, 1)

x.narrow(1, 0, 2)

x.index_select(1, i)

x.take(i)

x.put_(i, torch.tensor([9., 8.]))

x.masked_select(x > 2)

x.nonzero()

x.argwhere()

x.diag()

torch.diag(v)

torch.diagonal(torch.ones(3, 3), offset=1)

torch.diag_embed(v)

torch.trace(torch.eye(3))

x.flip(0)

x.fliplr()

x.flipud()

x.rot90()

x.roll(1)

x.roll((1, 1), (0, 1))

x.movedim(0, 1).shape

x.swapaxes(0, 1).shape

torch.atleast_2d(v).shape

torch.broadcast_to(v, (2, 3))

torch.broadcast_tensors(v, x)

torch.broadcast_shapes((3,), (2, 1))

torch.meshgrid(v, i, indexing='ij')

torch.tile(v, (2,))

torch.repeat_interleave(v, 2)

torch.repeat_interleave(v, torch.tensor([1, 0, 2]))

torch.unique(torch.tensor([3, 1, 1]), return_counts=True)

torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))

torch.bincount(torch.tensor([0, 1, 1]))

torch.histc(v, 3)

torch.histogram(v, 3)

torch.bucketize(v, torch.tensor([1.5, 2.5]))

torch.searchsorted(v, torch.tensor([1.5]))

torch.quantile(v, 0.3)

torch.nanquantile(v, torch.tensor([0.1, 0.9]))

torch.cummax(v, 0)

torch.logcumsumexp(v, 0)

torch.cumulative_trapezoid(v)

torch.trapz(v)

torch.trapezoid(v, dx=0.5)

torch.diff(v)

torch.gradient(v)

torch.cov(x)

torch.corrcoef(x)

torch.cross(v, v + 1, dim=0)

torch.cdist(x, x)

torch.pdist(x)

torch.renorm(x, 2, 0, 1.)

torch.addcmul(v, v, v, value=2)

torch.addcdiv(v, v, v)

torch.lerp(v, v + 1, 0.5)

torch.hypot(v, v)

torch.atan2(v, v)

torch.copysign(v, -v)

torch.nextafter(v, v + 1)

torch.frexp(v)

torch.ldexp(v, i[1])

torch.logaddexp(v, v)

torch.logaddexp2(v, v)

torch.xlogy(v, v)

torch.special.xlog1py(v, v)

torch.special.entr(v)

torch.special.zeta(v + 1, 2.)

torch.special.i0(v)

torch.special.i1(v)

torch.special.ndtr(v)

torch.special.log_ndtr(v)

torch.special.ndtri(torch.tensor([0.1, 0.5]))

torch.special.erfcx(v)

torch.lgamma(v)

torch.digamma(v)

torch.polygamma(1, v)

torch.mvlgamma(v + 1, 2)

torch.erf(v)

torch.erfinv(torch.tensor([0.5]))

torch.sinc(v)

torch.exp2(v)

torch.expm1(v)

torch.log1p(v)

torch.rsqrt(v)

torch.deg2rad(v)

torch.heaviside(v - 2, v)

torch.signbit(-v)

torch.sgn(v)

torch.gcd(torch.tensor(12), torch.tensor(18))

torch.lcm(torch.tensor(4), torch.tensor(6))

torch.bitwise_and(i, 1)

torch.bitwise_not(i)

torch.logical_xor(i, i)

torch.isclose(v, v)

torch.allclose(v, v)

torch.equal(v, v)

torch.isin(v, torch.tensor([1.]))

torch.isreal(v)

torch.isposinf(v)

torch.nan_to_num(torch.tensor([float('nan'), float('inf')]))

torch.clip(v, 1.5)

torch.clamp_min(v, 2)

torch.clamp_max(v, 2)

torch.fmod(v, 2)

torch.remainder(-v, 2)

torch.float_power(v, 2)

torch.square(v)

torch.positive(v)

torch.aminmax(v)

torch.std_mean(v)

torch.var_mean(v)

torch.nansum(v)

torch.nanmean(v)

torch.count_nonzero(v)

torch.all(v > 0)

torch.any(x > 4, dim=1)

torch.logsumexp(x, 1)

torch.kthvalue(v, 2)

torch.mode(torch.tensor([1, 1, 2]))

torch.msort(v)

torch.argsort(v, descending=True)

torch.sort(v, stable=True)

torch.topk(v, 2, largest=False)

torch.median(x, dim=1)

torch.dist(v, v + 1)

torch.norm(x)

torch.norm(x, p=1, dim=1)

torch.norm(x, 'fro')

torch.norm(x, 'nuc')

torch.linalg.norm(x)

torch.linalg.norm(x, 'nuc')

torch.linalg.vector_norm(v, 3)

torch.linalg.matrix_norm(x, 2)

torch.linalg.cond(torch.eye(2))

torch.linalg.matrix_rank(x)

torch.linalg.matrix_power(torch.eye(2) * 2, 3)

torch.linalg.multi_dot([x, x.T])

torch.linalg.eigvalsh(torch.eye(2))

torch.linalg.eigh(torch.tensor([[2., 1.], [1., 2.]]))

torch.linalg.svdvals(x)

torch.linalg.qr(x)

torch.linalg.pinv(x)

torch.linalg.solve(torch.eye(2), i.float())

torch.linalg.solve_triangular(torch.eye(2), torch.ones(2, 1), upper=True)

torch.linalg.tensorsolve(torch.eye(2), torch.ones(2))

torch.linalg.lu(torch.tensor([[2., 1.], [1., 2.]]))

torch.linalg.lu_factor(torch.tensor([[2., 1.], [1., 2.]]))

torch.linalg.vecdot(v, v)

torch.linalg.cross(v, v)

torch.linalg.diagonal(torch.eye(2))

torch.linalg.vander(v)

torch.linalg.matrix_exp(torch.zeros(2, 2))

torch.matrix_exp(torch.ones(2, 2))

torch.matrix_power(torch.ones(2, 2), 2)

torch.inverse(torch.eye(2))

torch.det(torch.eye(2))

torch.logdet(torch.eye(2))

torch.slogdet(torch.eye(2))

torch.linalg.cholesky(torch.eye(2))

torch.cholesky_solve(torch.ones(2, 1), torch.eye(2))

torch.tensordot(x, x, dims=([1], [1]))

torch.kron(torch.eye(2), v)

torch.outer(v, v)

torch.ger(v, v)

torch.inner(v, v)

torch.vdot(v, v)

torch.addmv(torch.zeros(2), x, v)

torch.addr(torch.zeros(3, 3), v, v)

torch.baddbmm(torch.zeros(1, 2, 2), torch.ones(1, 2, 2), torch.ones(1, 2, 2))

torch.addbmm(torch.zeros(2, 2), torch.ones(1, 2, 2), torch.ones(1, 2, 2))

torch.einsum('ij,kj->ik', x, x)

torch.einsum('...i->...', x)

torch.einsum('ii', torch.eye(2))

torch.take_along_dim(x, x.argmax(1, keepdim=True), 1)

torch.scatter_reduce(torch.zeros(2), 0, torch.tensor([0, 0, 1]), v, 'sum')

torch.nonzero_static(v, size=2)

torch.masked_scatter(v, v > 1, torch.tensor([7., 8.]))

torch.select_scatter(x, torch.zeros(3), 0, 0)

torch.slice_scatter(x, torch.zeros(2, 1), 1, 0, 1)

torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))

torch.column_stack((v, v))

torch.dstack((v, v)).shape

torch.hsplit(x, 3)

torch.tensor_split(v, 2)

torch.vsplit(x, 2)

torch.unravel_index(torch.tensor(4), (2, 3))

torch.detach_copy(v)

torch.view_copy(v, (3, 1))

torch.expand_copy(v, (2, 3))

torch.permute_copy(x, (1, 0))

torch.t_copy(x)

torch.transpose_copy(x, 0, 1)

torch.unsqueeze_copy(v, 0)

torch.squeeze_copy(v)

torch.split_copy(v, 1)

torch.unbind_copy(v)

torch.select_copy(x, 0, 0)

torch.slice_copy(v, 0, 0, 2)

torch.narrow_copy(v, 0, 0, 2)

torch.alias_copy(v)

torch.as_strided_copy(v, (2,), (1,))

torch.diagonal_copy(x)

torch.unfold_copy(v, 0, 2, 1)

torch.cuda.is_available()

torch.device('cuda')

torch.device('cuda:0')

x.cuda()

x.to('cuda')

torch.vmap(lambda a: a * 2)(v)

torch.get_default_dtype()

torch.manual_seed(0)

torch.get_rng_state().shape

torch.set_default_tensor_type(torch.FloatTensor)

torch.finfo(torch.float32)

torch.iinfo(torch.int8)

torch.promote_types(torch.int32, torch.float16)

torch.result_type(i, 1.5)

torch.can_cast(torch.float32, torch.int64)

torch.version.cuda

torch.backends.mps.is_available()

torch.Size([2, 3]).numel()

torch.Size([2]) + torch.Size([3])

torch.Size([2, 3])[1:]

x.size()[0]

x.apply_(lambda a: a + 1)

v.map_(v, lambda a, b: a + b)

torch.testing.assert_close(v, v + 1)

torch.are_deterministic_algorithms_enabled()

torch.set_float32_matmul_precision('high')

torch.get_float32_matmul_precision()

torch.typename(v)

torch.newaxis

torch.arange(3)[torch.newaxis].shape

torch.pi

torch.inf
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
