import torch

x = torch.arange(6)
for f in (lambda: x.view(4), lambda: x.view(-1, 4), lambda: x.view(-1, -1), lambda: x.reshape(7), lambda: x.reshape(2, -1, 2), lambda: x.view(2, 3).t().view(6),
          lambda: x.transpose(0, 1), lambda: x.permute(1, 0), lambda: x.squeeze(2), lambda: x.unsqueeze(3), lambda: x.expand(3, 5), lambda: x.expand(2),
          lambda: torch.cat([torch.ones(2, 2), torch.ones(3)]), lambda: torch.cat([]), lambda: torch.stack([torch.ones(2), torch.ones(3)]),
          lambda: torch.stack([]), lambda: torch.cat([torch.ones(2, 2), torch.ones(3, 3)], 1), lambda: x.split([1, 2]), lambda: x.split(0), lambda: x.chunk(0),
          lambda: x.view(2, 3).t().t().view(6).shape, lambda: torch.ones(2, 2, 2).t(), lambda: x.repeat(), lambda: x.view(2, 3).flatten(1, 0),
          lambda: x.narrow(0, 4, 4), lambda: x.unfold(0, 9, 1), lambda: x.roll(1, 2), lambda: x.flip(1), lambda: torch.diag(torch.ones(1, 1, 1))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
