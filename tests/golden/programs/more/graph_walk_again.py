import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
out = ((a * b).exp() - a / b).mean() + (a @ a).log() ** 2
def show(node, depth=0):
    if node is None:
        print("  " * depth + "None")
        return
    print("  " * depth + node.name(), len(node.next_functions))
    for child, index in node.next_functions:
        show(child, depth + 1)
show(out.grad_fn)
leaf = (a * 2).grad_fn.next_functions[0][0]
print(leaf.variable is a, type(leaf).__name__, leaf.name(), leaf.next_functions)
print(out.grad_fn.metadata, callable(out.grad_fn))
p, q = torch.stack([a, a]).unbind()
print(p.output_nr, q.output_nr, p.grad_fn is q.grad_fn, p.grad_fn.next_functions[0][1])
m = torch.max(torch.stack([a, a]), dim=0)
print(m.values.grad_fn.name(), m.indices.grad_fn, m.values.output_nr)
