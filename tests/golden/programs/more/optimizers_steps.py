import torch

def run(make, steps=4):
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    b = torch.tensor(0.5, requires_grad=True)
    opt = make([w, b])
    for _ in range(steps):
        opt.zero_grad()
        loss = ((w * torch.tensor([1.0, 3.0])).sum() + b - 1) ** 2
        loss.backward()
        opt.step()
    print(w.detach(), b.detach(), loss.item().__class__.__name__)
o = torch.optim
for name, make in (("sgd", lambda p: o.SGD(p, 0.01)), ("momentum", lambda p: o.SGD(p, 0.01, momentum=0.9, dampening=0.1)), ("nesterov", lambda p: o.SGD(p, 0.01, momentum=0.9, nesterov=True, weight_decay=0.1)),
                   ("maximize", lambda p: o.SGD(p, 0.001, maximize=True)), ("adam", lambda p: o.Adam(p, 0.1)), ("amsgrad", lambda p: o.Adam(p, 0.1, amsgrad=True, weight_decay=0.01)), ("adamw", lambda p: o.AdamW(p, 0.1, betas=(0.8, 0.9))),
                   ("rmsprop", lambda p: o.RMSprop(p, 0.1)), ("centered", lambda p: o.RMSprop(p, 0.1, centered=True, momentum=0.5)), ("adagrad", lambda p: o.Adagrad(p, 0.5, lr_decay=0.1)), ("adadelta", lambda p: o.Adadelta(p, 1.0)),
                   ("adamax", lambda p: o.Adamax(p, 0.1)), ("nadam", lambda p: o.NAdam(p, 0.1)), ("radam", lambda p: o.RAdam(p, 0.1)), ("rprop", lambda p: o.Rprop(p, 0.1)), ("asgd", lambda p: o.ASGD(p, 0.01))):
    print(name)
    run(make)
