"""Ensembles of models with stack_module_state, functional_call and vmap."""

import torch, copy
import torch.nn as nn
from torch.func import stack_module_state, functional_call, vmap
torch.manual_seed(0)
class SimpleMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 8)
        self.fc2 = nn.Linear(8, 3)
    def forward(self, x):
        x = x.flatten(1)
        return self.fc2(self.fc1(x).relu())
data = torch.randn(10, 4, 1, 3, 4)
models = [SimpleMLP() for _ in range(3)]
minibatches = data[:3]
predictions_diff_minibatch_loop = [model(minibatch) for model, minibatch in zip(models, minibatches)]
params, buffers = stack_module_state(models)
print({k: v.shape for k, v in params.items()}, buffers)
print(params['fc1.bias'].is_leaf, params['fc1.bias'].requires_grad)
base_model = copy.deepcopy(models[0])
base_model = base_model.to('meta') if False else base_model
def fmodel(params, buffers, x):
    return functional_call(base_model, (params, buffers), (x,))
predictions1_vmap = vmap(fmodel)(params, buffers, minibatches)
print(torch.allclose(predictions1_vmap, torch.stack(predictions_diff_minibatch_loop), atol=1e-3, rtol=1e-5))
predictions2_vmap = vmap(fmodel, in_dims=(0, 0, None))(params, buffers, data[0])
print(predictions2_vmap.shape)
try: stack_module_state([])
except RuntimeError as e: print(e)
try: stack_module_state([nn.Linear(1, 1), nn.ReLU()])
except RuntimeError as e: print(e)
m = nn.BatchNorm1d(2)
p, b = stack_module_state([m, copy.deepcopy(m)])
print(sorted(p), sorted(b), b['running_var'])
