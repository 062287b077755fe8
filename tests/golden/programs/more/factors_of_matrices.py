import torch

A = torch.tensor([[0.5, 2.0, -0.3], [0.1, 1.5, 0.4], [-0.2, 0.3, 1.2]], requires_grad=True)
B = torch.tensor([[1.0], [2.0], [3.0]], requires_grad=True)
print(torch.linalg.lu(A))
P, L, U = torch.linalg.lu(A)
(L.sum() + (U**2).sum()).backward()
print(A.grad)
A.grad = None
print(torch.linalg.lu_factor(A))
LU, pivots = torch.linalg.lu_factor(A)
X = torch.linalg.lu_solve(LU, pivots, B)
X.sum().backward()
print(X, A.grad, B.grad)
print(torch.lu_unpack(LU.detach(), pivots))
wide = torch.tensor([[0.5, 2.0, -0.3], [0.1, 1.5, 0.4]], requires_grad=True)
P, L, U = torch.linalg.lu(wide)
(L.sum() + (U**2).sum()).backward()
print(U, wide.grad)

print(torch.linalg.inv_ex(A))
print(torch.linalg.solve_ex(A, torch.ones(3, 1)))
singular = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
print(torch.linalg.inv_ex(singular).info)
try:
    torch.linalg.inv_ex(singular, check_errors=True)
except RuntimeError as e:
    print(e)

S = torch.tensor([[2.0, 0.5], [0.5, 1.0]], requires_grad=True)
print(torch.linalg.cholesky_ex(S))
print(torch.linalg.cholesky_ex(torch.tensor([[2.0, 0.5], [0.5, -1.0]])))
low = torch.linalg.cholesky(S)
print(torch.cholesky_inverse(low), torch.cholesky_solve(torch.ones(2, 1), low))
(torch.cholesky_inverse(low).sum() + torch.cholesky_solve(torch.ones(2, 1), low).sum()).backward()
print(S.grad)
print(torch.linalg.tensorsolve(torch.eye(6).reshape(2, 3, 2, 3) * 2, torch.ones(2, 3)))
try:
    torch.linalg.tensorsolve(torch.ones(2, 3, 4), torch.ones(2, 3))
except RuntimeError as e:
    print(e)
