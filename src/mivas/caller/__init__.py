"""Who phones: a simulated person that decides by what it heard, never by tools, locks or scores.

Hears (`understand`), decides, words its decision; each a part of its own, so that each can be replaced and measured.
"""

from mivas.caller._answer import Answer, reply_to
from mivas.caller._approximation import approximate_program
from mivas.caller._brief import brief_for
from mivas.caller._by_ear import names_of, numbers_of, rare_words_of, understood_by_ear, words_of
from mivas.caller._check import check_program, unknown_references
from mivas.caller._decision import Ending
from mivas.caller._engine import (
    Caller,
    CallerBrief,
    CallerBroke,
    CallerEndpoint,
    CallerKind,
    CallerLost,
    Reply,
    load_caller,
)
from mivas.caller._faults import CallerFault, caller_faults
from mivas.caller._heard import Heard, KnownFact, ReadBack
from mivas.caller._hearing_model import Hearing
from mivas.caller._llm import llm
from mivas.caller._manner import DEFAULT_MANNER, MANNERS, Manner, manner_named
from mivas.caller._program import ProgramCaller, hearing_of, program, second_opinion_caller
from mivas.caller._understanding import understand
from mivas.caller._vocabulary import OFFERS, QUESTIONS, STATEMENTS

__all__ = [
    "DEFAULT_MANNER",
    "MANNERS",
    "OFFERS",
    "QUESTIONS",
    "STATEMENTS",
    "Answer",
    "Caller",
    "CallerBrief",
    "CallerBroke",
    "CallerEndpoint",
    "CallerFault",
    "CallerKind",
    "CallerLost",
    "Ending",
    "Heard",
    "Hearing",
    "KnownFact",
    "Manner",
    "ProgramCaller",
    "ReadBack",
    "Reply",
    "approximate_program",
    "brief_for",
    "caller_faults",
    "check_program",
    "hearing_of",
    "llm",
    "load_caller",
    "manner_named",
    "names_of",
    "numbers_of",
    "program",
    "rare_words_of",
    "reply_to",
    "second_opinion_caller",
    "understand",
    "understood_by_ear",
    "unknown_references",
    "words_of",
]
