import torch

torch.manual_seed(0)
for kind in (torch.float32, torch.float64):
    for n in (2, 3, 4, 5, 7):
        for _ in range(3):
            A = (torch.randn(n, n) * 30).round() / 10
            A = A.to(kind).requires_grad_()
            b = ((torch.randn(n) * 10).round() / 10).to(kind).requires_grad_()
            print(torch.linalg.lu_factor(A.detach())[0].tolist())
            det = torch.linalg.det(A)
            print(det.item(), torch.linalg.det(A.detach().T).item())
            print(torch.autograd.grad(det, A)[0].tolist())
            print(torch.linalg.inv(A).tolist())
            print(torch.linalg.solve(A, b).tolist())
            if n < 5:
                print(torch.autograd.grad(torch.linalg.inv(A).sum(), A)[0].tolist())
                found = torch.autograd.grad(torch.linalg.solve(A, b).sum(), (A, b))
                print([grad.tolist() for grad in found])
for m, n in ((2, 3), (3, 2), (4, 3), (3, 5), (5, 3)):
    print(torch.linalg.lu_factor((torch.randn(m, n) * 30).round() / 10)[0].tolist())
print(torch.linalg.det(torch.tensor([[1.0, 2.0], [3.0, 4.0]])))
print(torch.inverse(torch.tensor([[1.0, 2.0], [3.0, 4.0]])))
