import torch


def show(text):
    torch.manual_seed(0)
    g.manual_seed(1)
    names = {"torch": torch, "g": g, "f": torch.zeros(3), "i": torch.zeros(3, dtype=torch.int64)}
    names["b"], names["d"] = torch.zeros(3, dtype=torch.bool), torch.zeros(3, dtype=torch.float64)
    try:
        for part in text.split(";"):
            result = eval(part.strip(), names)
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(text, "->", result, "|", f"{torch.rand(1).item():.5f}")


g = torch.Generator()
for line in """
torch.nn.functional.dropout(torch.ones(4),1.5)
torch.nn.functional.dropout(torch.ones(4),0.5)
torch.nn.functional.dropout(torch.ones(4),1.0)
torch.nn.functional.dropout(torch.ones(4),0.0)
torch.nn.functional.dropout(torch.ones(4,requires_grad=True),0.5)
torch.nn.functional.dropout(torch.ones(4,requires_grad=True),0.0)
torch.nn.functional.dropout(torch.ones(4,requires_grad=True),1.0)
torch.nn.functional.dropout(torch.ones(4,requires_grad=True)*2,0.5,inplace=True)
torch.dropout(torch.ones(4),0.5,True)
torch.nn.functional.dropout2d(torch.ones(1,3,2,2),0.5)
torch.nn.functional.dropout1d(torch.ones(3,2),0.5)
torch.nn.functional.dropout2d(torch.ones(3,2),0.5)
torch.nn.functional.alpha_dropout(torch.ones(4,requires_grad=True),0.5,True)
torch.nn.functional.feature_alpha_dropout(torch.ones(2,3,2),0.5,True)
torch.nn.functional.rrelu(torch.tensor([-1.,-2,3]),training=True)
torch.nn.functional.gumbel_softmax(torch.ones(1,4))
torch.nn.functional.gumbel_softmax(torch.ones(1,4),hard=True)
""".strip().split("\n"):
    show(line)
