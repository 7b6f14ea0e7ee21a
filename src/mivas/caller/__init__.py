"""Who phones: a simulated person that decides by what it heard, never by tools, locks or scores.

A first, minimal mind over `caller.json`: opening, facts on request, goals, locked replies, exit.
"""

from mivas.caller._brief import approximate_program, brief_for, check_program
from mivas.caller._heard import Heard, KnownFact, ReadBack
from mivas.caller._program import CallerBrief, ProgramCaller, Reply
from mivas.caller._understanding import understand
from mivas.caller._vocabulary import OFFERS, QUESTIONS, STATEMENTS

program = ProgramCaller
"""Entry point `mivas.callers: program`."""

__all__ = [
    "OFFERS",
    "QUESTIONS",
    "STATEMENTS",
    "CallerBrief",
    "Heard",
    "KnownFact",
    "ProgramCaller",
    "ReadBack",
    "Reply",
    "approximate_program",
    "brief_for",
    "check_program",
    "program",
    "understand",
]
