"""From a step, an error, a name or a ledger entry to keys, facts and formulas.

Nothing here is a sentence: a `Sentence` holds a key and facts, `words.say(language, key, **facts)`
makes it one. Formulas come from the engine's own records, as LaTeX and as MathML.
"""

from playground.explain.errors import Failure, Mark, explain_error
from playground.explain.formula import Level
from playground.explain.inspector import (
    Box,
    Explanation,
    Row,
    explain_message,
    explain_op,
    explain_step,
)
from playground.explain.ledger import CallPaths, Path, WhyEntry, paths_of, why_entry
from playground.explain.mathml import mathml
from playground.explain.naming import title
from playground.explain.none import Check, WhyNone, why_none, why_tensor
from playground.explain.remedy import Remedy
from playground.explain.sentences import Sentence, closing_sentence, step_sentence

__all__ = [
    "Box",
    "CallPaths",
    "Check",
    "Explanation",
    "Failure",
    "Level",
    "Mark",
    "Path",
    "Remedy",
    "Row",
    "Sentence",
    "WhyEntry",
    "WhyNone",
    "closing_sentence",
    "explain_error",
    "explain_message",
    "explain_op",
    "explain_step",
    "mathml",
    "paths_of",
    "step_sentence",
    "title",
    "why_entry",
    "why_none",
    "why_tensor",
]
