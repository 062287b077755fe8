"""Slices by an index: what is refused, and in which order."""
import torch
import torch.nn.functional as F

def show(number, source):
    try:
        exec(source, {"torch": torch, "F": F})
    except Exception as error:
        print(number, type(error).__name__, error)


PARTS = """\
print(torch.zeros(3).index_add(0, torch.tensor([0]), torch.ones(1).double()))
###
print(torch.zeros(3).index_add_(0, torch.tensor([0]), torch.ones(1).double()))
###
print(torch.zeros(3, 2).index_add_(0, torch.tensor([0]), torch.ones(1, 2).double()))
###
print(torch.zeros(3, 2).index_add_(0, torch.tensor([0]), torch.ones(1, 2).long()))
###
print(torch.zeros(3, 2, requires_grad=True).index_add(0, torch.tensor([0]), torch.ones(1, 2).long()))
###
print(torch.zeros(3, 2).long().index_add(0, torch.tensor([0, 1]), torch.ones(1, 2)))
###
print(torch.zeros(3, 2).long().index_add(0, torch.tensor([0, 1]), torch.ones(())))
###
print(torch.zeros(3, 2).index_add(1, torch.tensor([0, 1]), torch.ones(2)))
###
print(torch.zeros(3, 2).index_add(1, torch.tensor([0, 1]), torch.ones(())))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([0, 1]), torch.ones(())))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([0]), torch.ones(())))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([0]), torch.ones(1, 3)))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([0, 1]), torch.ones(1, 3)))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([5]), torch.ones(1, 2)))
###
print(torch.zeros(3).index_add(0, torch.tensor([5]), torch.ones(1)))
###
print(torch.zeros(3).index_add(0, torch.tensor([-1]), torch.ones(1)))
###
print(torch.zeros(3, 0).index_add(0, torch.tensor([5]), torch.ones(1, 0)))
###
print(torch.zeros(()).index_add(0, torch.tensor([5]), torch.ones(())))
###
print(torch.zeros(3).index_add(0, torch.tensor([0]), torch.ones(())))
###
print(torch.zeros(()).index_add(0, torch.tensor([0]), torch.ones(1)))
###
print(torch.zeros(()).index_add(0, torch.tensor([0]), torch.ones(1, 1)))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([0.5]), torch.ones(1, 2)))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([[0]]), torch.ones(1, 2)))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([[0]]), torch.ones(1, 2).double()))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([0.5]), torch.ones(1, 2).double()))
###
print(torch.zeros(3, 2).index_add(1, torch.tensor([[0]]), torch.ones(())))
###
print(torch.zeros(0, 2).index_add(0, torch.tensor([], dtype=torch.int64), torch.ones(0, 2)))
###
print(torch.zeros(3, 2).index_add(0, torch.tensor([], dtype=torch.int64), torch.ones(0, 3)))
###
print(torch.zeros(3, 2).index_add(5, torch.tensor([0]), torch.ones(1, 2).double()))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0.5]), torch.ones(1, 2).double()))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([[0]]), torch.ones(1, 2).double()))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0, 1]), torch.ones(()).double()))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0, 1]), torch.ones(1).double()))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0, 1]), torch.ones(1)))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0]), torch.ones(())))
###
print(torch.zeros(()).index_copy(0, torch.tensor([0]), torch.ones(1)))
###
print(torch.zeros(()).index_copy(0, torch.tensor([0]), torch.ones(1, 1)))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0]), torch.ones(1, 3)))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0]), torch.ones(1, 3).double()))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0, 1]), torch.ones(1, 3)))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([0, 1]), torch.ones(1, 2).double()))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([5]), torch.ones(1, 2)))
###
print(torch.zeros(3, 0).index_copy(0, torch.tensor([5]), torch.ones(1, 0)))
###
print(torch.zeros(3).index_copy(0, torch.tensor([-1]), torch.ones(1)))
###
print(torch.zeros(()).index_copy(0, torch.tensor([1]), torch.ones(())))
###
print(torch.zeros(3, 2).index_copy(0, torch.tensor([], dtype=torch.int64), torch.ones(0, 2)))
###
print(torch.zeros(0, 2).index_copy(1, torch.tensor([5]), torch.ones(0, 1)))
###
print(torch.zeros(3).index_select(0, torch.tensor([5])))
###
print(torch.zeros(3, 3).index_select(0, torch.tensor([5])))
###
print(torch.zeros(3, 3).index_select(1, torch.tensor([5])))
###
print(torch.zeros(3, 3).int().index_select(1, torch.tensor([5])))
###
print(torch.zeros(3, 3).to(torch.uint8).index_select(1, torch.tensor([5])))
###
print(torch.zeros(3, 3).double().index_select(1, torch.tensor([5])))
###
print(torch.zeros(3, 3).bool().index_select(1, torch.tensor([5])))
###
print(torch.zeros(3, 3).half().index_select(1, torch.tensor([5])))
###
print(torch.zeros(3).long().index_select(0, torch.tensor([5])))
###
print(torch.zeros(3, 3).long().index_select(0, torch.tensor([-1])))
###
print(torch.zeros(3, 3).long().index_select(0, torch.tensor([-1], dtype=torch.int32)))
###
print(torch.zeros(3, 3).to(torch.uint8).index_select(0, torch.tensor([-1])))
###
print(torch.zeros(3, 3, 2).index_select(1, torch.tensor([5])))
###
print(torch.zeros(3, 3, 2).index_select(2, torch.tensor([5])))
###
print(torch.zeros(3, 0).index_select(1, torch.tensor([5])))
###
print(torch.zeros(3, 0).index_select(1, torch.tensor([], dtype=torch.int64)))
###
print(torch.zeros(3, 0).index_select(0, torch.tensor([5])))
###
print(torch.zeros(0).index_select(0, torch.tensor([5])))
###
print(torch.zeros(()).index_select(0, torch.tensor([5])))
###
print(torch.zeros(()).index_select(0, torch.tensor([0, 0])))
###
print(torch.zeros(3, 2, 4).index_copy(0, torch.tensor([0]), torch.ones(1, 3, 5)))
###
print(torch.zeros(3, 2, 4).index_copy(1, torch.tensor([0, 1]), torch.ones(1, 3, 5)))
###
print(torch.zeros(3, 2, 4).index_fill(1, torch.tensor([0, 4]), 1.0))
###
print(torch.zeros(3, 2, 4).index_fill(1, torch.tensor([[0, 4]]), 1.0))
###
print(torch.zeros(3, 0, 4).index_fill(0, torch.tensor([0, 4]), 1.0))
###
print(torch.zeros(()).index_fill(0, torch.tensor([0, 4]), 1.0))
###
print(torch.zeros(3).index_fill(0, torch.tensor([0, -4]), 1.0))
###
print(torch.zeros(3).index_fill(0, torch.tensor([0, -1]), torch.ones(2)))
###
print(torch.zeros(3).index_fill(0, torch.tensor([0.0]), 1.0))
"""
for number, part in enumerate(PARTS.split("###\n")):
    show(number, part)
