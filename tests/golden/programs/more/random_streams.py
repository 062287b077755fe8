import torch

torch.manual_seed(7)
print(torch.rand(2), torch.randn(3), torch.randint(0, 10, (4,)), torch.randperm(5))
print(torch.randn(16)[:3], torch.randn(17)[-2:], torch.rand(2, dtype=torch.float64))
print(torch.normal(torch.zeros(2), torch.tensor([1.0, 10.0])), torch.normal(5.0, 0.1, (2,)), torch.bernoulli(torch.tensor([0.1, 0.9])))
print(torch.multinomial(torch.tensor([0.1, 0.6, 0.3]), 2), torch.multinomial(torch.tensor([1.0, 1.0]), 4, replacement=True))
t = torch.empty(3)
print(t.uniform_(-1, 1), t.normal_(2, 0.5), t.exponential_(), t.random_(0, 100), t.bernoulli_(0.3), t.geometric_(0.5), t.cauchy_(), t.log_normal_())
g = torch.Generator().manual_seed(7)
print(torch.rand(2, generator=g), torch.randn(1, generator=g), g.initial_seed())
state = torch.get_rng_state()
a = torch.rand(1)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(1)), torch.nn.functional.dropout(torch.ones(8), 0.5))
with torch.random.fork_rng():
    torch.rand(5)
for f in (lambda: torch.randint(5, 5, (1,)), lambda: torch.randperm(-1), lambda: torch.multinomial(torch.tensor([1.0]), 2), lambda: torch.bernoulli(torch.tensor([2.0])), lambda: torch.normal(0.0, -1.0, (1,)), lambda: torch.rand(-1), lambda: torch.empty(1).uniform_(1, 0)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
