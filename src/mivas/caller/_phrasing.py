"""From a decision to words. The same decision, templates and seed give the same words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Protocol, TypeAlias

from mivas.caller._decision import (
    AcknowledgeWait,
    Act,
    AskAgain,
    AskGoal,
    ChangeMind,
    ConfirmReadBack,
    Consent,
    CorrectFact,
    Decision,
    DidntCatch,
    DontKnow,
    GiveUp,
    Goodbye,
    Leave,
    LockedReply,
    Open,
    RefuseOffer,
    SpellFact,
    StateFact,
    StillHere,
    StillThere,
)

Templates: TypeAlias = Mapping[str, Sequence[str]]
"""Kind of act -> wordings, `{say}` and `{spell}` where a fact's texts stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrased:
    """What the caller says."""

    text: str
    notes: tuple[str, ...] = ()
    """What the call's log should keep about how it came to these words."""


class Phraser(Protocol):
    """Words for decisions. One instance serves one call."""

    def phrase(self, decision: Decision, seed: int) -> Phrased:
        """Word a decision; every text of `verbatim_texts` stands in it character for character, nothing empty.

        Blocking is allowed: a caller's thinking costs the call no time. Raises CallerLost when its engine is gone.
        """


class TemplatePhraser:
    """Words by our own templates: deterministic, offline."""

    def phrase(self, decision: Decision, seed: int) -> Phrased:
        return Phrased(text=phrase(decision, own_templates(), seed))


@cache
def own_templates() -> Templates:
    """The wordings that come with the package."""
    text = files("mivas.caller").joinpath("data/templates.json").read_text(encoding="utf-8")
    return {kind: tuple(wordings) for kind, wordings in json.loads(text).items()}


def phrase(decision: Decision, templates: Templates, seed: int) -> str:
    """Word a decision by templates. Pure; a fact's `say` stands in it as it is, so that a listener can look for it.

    >>> phrase(Decision(acts=(LockedReply(index=0, text="Not today."),), turn=3), {}, 7)
    'Not today.'
    """
    words: list[str] = []
    for place, act in enumerate(decision.acts):
        words.append(_worded(act, templates, f"{seed}/{decision.turn}/{place}", leads=place == 0))
    return " ".join(dict.fromkeys(filter(None, words)))


def _worded(act: Act, templates: Templates, draw: str, *, leads: bool) -> str:
    match act:
        case Open(text=text) | LockedReply(text=text) | Leave(text=text):
            return text
        case AskGoal(text=text) | AskAgain(text=text) | ChangeMind(text=text):
            return text
        case StateFact(say=say, assents=assents):
            return _closed(_drawn(templates["state"], draw).format(say=say) if leads and not assents else say)
        case SpellFact(say=say, spell=spell):
            return _closed(_drawn(templates["spell"], draw).format(say=_closed(say), spell=spell))
        case CorrectFact(say=say, spell=None):
            return _closed(_drawn(templates["correct"], draw).format(say=say))
        case CorrectFact(say=say, spell=spelled):
            return _closed(_drawn(templates["correct_spelled"], draw).format(say=_closed(say), spell=spelled))
        case RefuseOffer(times=times):
            return _drawn(templates["refuse" if times == 0 else "refuse_again"], draw)
        case _:
            return _drawn(templates[_KINDS[type(act)]], draw)


_KINDS: Mapping[type, str] = {
    ConfirmReadBack: "confirm",
    Consent: "consent",
    DontKnow: "dont_know",
    DidntCatch: "didnt_catch",
    StillThere: "still_there",
    StillHere: "still_here",
    AcknowledgeWait: "acknowledge_wait",
    Goodbye: "goodbye",
    GiveUp: "give_up",
}
"""Acts whose words are free -> their templates."""


def _drawn(wordings: Sequence[str], draw: str) -> str:
    digest = hashlib.sha256(draw.encode()).digest()
    return wordings[int.from_bytes(digest[:4], "big") % len(wordings)]


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
