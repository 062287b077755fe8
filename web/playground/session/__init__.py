"""Run a learner's program with the engine as torch, and return what happened as a Trace.

`run` never raises on account of the program: whatever it does ends in a trace. `evaluate` runs the
program again up to a step and evaluates an expression in its state there. `handle` answers the
messages of the page's runner.
"""

from playground.session.budgets import Budgets
from playground.session.messages import handle
from playground.session.run import Evaluation, evaluate, run

__all__ = ["Budgets", "Evaluation", "evaluate", "handle", "run"]
