import torch

for options in ({}, {"lr": 0.5, "max_iter": 5}, {"line_search_fn": "strong_wolfe"}, {"line_search_fn": "strong_wolfe", "history_size": 3, "max_iter": 10}):
    x = torch.tensor([-1.5, 2.0], requires_grad=True, dtype=torch.float64)
    opt = torch.optim.LBFGS([x], **options)
    calls = 0

    def closure():
        global calls
        calls += 1
        opt.zero_grad()
        loss = (1 - x[0]) ** 2 + 10 * (x[1] - x[0] ** 2) ** 2
        loss.backward()
        return loss

    for i in range(4):
        print(f"{opt.step(closure).item():.5f}", end=" ")
    print(calls, x.data)
    print(sorted(opt.state[x])[:4], opt.state[x]["n_iter"], opt.state[x]["func_evals"])
print(opt)
