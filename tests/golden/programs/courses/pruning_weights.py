"""The tutorial on pruning: masks on parameters, several at once, and what is refused."""

import torch
from torch import nn
import torch.nn.utils.prune as prune
import torch.nn.functional as F
torch.manual_seed(0)
class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 3)
        self.conv2 = nn.Conv2d(2, 3, 3)
        self.fc1 = nn.Linear(3 * 2 * 2, 4)
        self.fc2 = nn.Linear(4, 2)
    def forward(self, x):
        x = F.relu(self.conv1(x)); x = F.relu(self.conv2(x))
        x = x.view(-1, int(x.nelement() / x.shape[0]))
        return self.fc2(F.relu(self.fc1(x)))
model = LeNet()
module = model.conv1
print([n for n, _ in module.named_parameters()], list(module.named_buffers()))
prune.random_unstructured(module, name="weight", amount=0.3)
print([n for n, _ in module.named_parameters()])
print(list(module.named_buffers()))
print(module.weight)
print(list(module._forward_pre_hooks.values()))
prune.l1_unstructured(module, name="bias", amount=1)
print([n for n, _ in module.named_parameters()], [n for n, _ in module.named_buffers()], module.bias)
print(len(module._forward_pre_hooks))
prune.ln_structured(module, name="weight", amount=0.5, n=2, dim=0)
print(module.weight)
for hook in module._forward_pre_hooks.values():
    if hook._tensor_name == "weight":
        break
print([type(h).__name__ for h in hook])
print(model.state_dict().keys())
prune.remove(module, 'weight')
print([n for n, _ in module.named_parameters()], prune.is_pruned(model), prune.is_pruned(model.fc1))
for name, module in model.named_modules():
    if isinstance(module, nn.Conv2d): prune.l1_unstructured(module, name='weight', amount=0.2)
    elif isinstance(module, nn.Linear): prune.l1_unstructured(module, name='weight', amount=0.4)
print(dict(model.named_buffers()).keys())
model = LeNet()
parameters_to_prune = ((model.conv1, 'weight'), (model.conv2, 'weight'), (model.fc1, 'weight'), (model.fc2, 'weight'))
prune.global_unstructured(parameters_to_prune, pruning_method=prune.L1Unstructured, amount=0.2)
print("Sparsity in conv1.weight: {:.2f}%".format(100. * float(torch.sum(model.conv1.weight == 0)) / float(model.conv1.weight.nelement())))
print(sum(int((m.weight == 0).sum()) for m, _ in parameters_to_prune))
class FooBarPruningMethod(prune.BasePruningMethod):
    """Prune every other entry in a tensor"""
    PRUNING_TYPE = 'unstructured'
    def compute_mask(self, t, default_mask):
        mask = default_mask.clone()
        mask.view(-1)[::2] = 0
        return mask
def foobar_unstructured(module, name):
    FooBarPruningMethod.apply(module, name)
    return module
model = LeNet()
foobar_unstructured(model.fc1, name='bias')
print(model.fc1.bias_mask, model.fc1.bias)
model(torch.randn(1, 1, 6, 6)).sum().backward()
print(model.fc1.bias_orig.grad)
m = prune.random_structured(nn.Linear(5, 3), 'weight', amount=3, dim=1)
print(int((m.weight_mask.sum(0) == 0).sum()))
m = prune.identity(nn.Linear(2, 3), 'bias'); print(m.bias_mask)
m = prune.custom_from_mask(nn.Linear(5, 3), name='bias', mask=torch.tensor([0, 1, 0])); print(m.bias_mask)
for bad in (lambda: prune.l1_unstructured(nn.Linear(2, 2), 'weight', amount=1.5), lambda: prune.l1_unstructured(nn.Linear(2, 2), 'weight', amount=10), lambda: prune.remove(nn.Linear(2, 2), 'weight'),
            lambda: prune.random_structured(nn.Linear(2, 2), 'weight', amount=0.5, dim=3), lambda: prune.l1_unstructured(nn.Linear(2, 2), 'weight', amount=-1)):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
