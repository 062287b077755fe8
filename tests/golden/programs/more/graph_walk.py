import torch
def walk(fn, d=0):
    if fn is None: return
    print("  " * d + fn.name(), len(fn.next_functions))
    for n, i in fn.next_functions:
        walk(n, d + 1) if n is not None else print("  " * (d + 1) + "None")
a = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor([3., 4.], requires_grad=True)
idx = torch.tensor([0, 1])
for name, f in dict(
    index=lambda: a[idx], gather=lambda: a.gather(0, idx), where=lambda: torch.where(a > 1, a, b), mask=lambda: a.masked_fill(a > 1, 0.), msel=lambda: a.masked_select(a > 1),
    isel=lambda: a.index_select(0, idx), iadd=lambda: a.index_add(0, idx, b), scat=lambda: a.scatter(0, idx, b), clampmin=lambda: a.clamp(min=1), clampt=lambda: a.clamp(min=b), rsub=lambda: 1 - a, rdiv=lambda: 1 / a, addn=lambda: a + 1, muln=lambda: 2 * a, pown=lambda: a ** 2, npow=lambda: 2 ** a, powt=lambda: a ** b,
    ce=lambda: torch.nn.functional.cross_entropy(a[None], idx[:1]), mse=lambda: torch.nn.functional.mse_loss(a, b), msec=lambda: torch.nn.functional.mse_loss(a, idx.float()), bce=lambda: torch.nn.functional.binary_cross_entropy(a.sigmoid(), idx.float()), bcel=lambda: torch.nn.functional.binary_cross_entropy_with_logits(a, idx.float()), emb=lambda: torch.nn.functional.embedding(idx, torch.stack([a, b])),
    lin=lambda: torch.nn.functional.linear(a, torch.stack([a, b]), a), mm=lambda: a[None] @ b[:, None], dot=lambda: a @ b, maxd=lambda: a.max(0).values, maxb=lambda: torch.maximum(a, b), topk=lambda: a.topk(1).values, sort=lambda: a.sort().values, cat=lambda: torch.cat([a, idx.float(), b]), stack=lambda: torch.stack([a, b]), std=lambda: a.std(), norm=lambda: a.norm(), lerp=lambda: torch.lerp(a, b, 0.5), addcmul=lambda: torch.addcmul(a, a, b, value=2), ln=lambda: torch.nn.functional.layer_norm(a, (2,)), drop=lambda: torch.nn.functional.dropout(a, 0.5), sm=lambda: a.softmax(0), prelu=lambda: torch.nn.functional.prelu(a, b[:1]), conv=lambda: torch.nn.functional.conv1d(a[None, None], b[None, None, :1])).items():
    print("##", name); walk(f().grad_fn)
