"""Differential fuzzing: random programs on PyTorch and on `engine`, all that is seen compared."""
