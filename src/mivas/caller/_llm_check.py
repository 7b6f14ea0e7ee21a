"""Whether a model's words keep to what the caller may say: nothing added, nothing left out, nothing turned round.

Looks at values (numbers, dates, names, e-mail addresses, ids, spelled letters) and at yes and no. Strict on purpose:
what it can't tell is refused, and the caller falls back on words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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
    GiveUp,
    Goodbye,
    Leave,
    LockedReply,
    Open,
    RefuseOffer,
    StillHere,
    StillThere,
    verbatim_texts,
)
from mivas.caller._llm_values import Values, unfounded, values_of

LONGEST_WORDS = 60
"""Beyond the decision's own texts; a caller isn't a lecturer."""
_ASSENT = re.compile(
    r"\b(?:yes|yeah|yep|sure|correct|agreed?|absolutely|definitely|go ahead|please do|sounds good|that works|"
    r"that'?s (?:right|fine|okay|ok|it)|right)\b"
)
_DISSENT = re.compile(r"\b(?:no|not|nope|never|without|decline|pass|rather|skip|\w+n't|cannot)\b")
_FAREWELL = re.compile(r"\b(?:bye|goodbye|farewell|see you|take care)\b")


def complaint_about(text: str, decision: Decision) -> str | None:
    """What is wrong with a model's words for a decision; None: they say the same. One line for the call's log."""
    texts = [words for act in decision.acts for words in _texts(act)]
    said, decided = values_of(text), values_of(". ".join(texts))
    missing = [one for act in decision.acts for one in verbatim_texts(act) if one not in text]
    if missing:
        return f"leaves out {missing[0]!r}"
    for own in (values_of(one) for one in texts):
        if lost := sorted(own.figures - said.figures) + sorted(own.names - said.words):
            return f"leaves out {lost[0]!r}"
    if added := unfounded(said, [decided]):
        return f"adds {added[0]!r}"
    if len(text.split()) > LONGEST_WORDS + sum(len(one.split()) for one in texts):
        return "is too long"
    return _turned_round(text, decision.acts) or _off_the_point(said, decision.acts)


def _texts(act: Act) -> tuple[str, ...]:
    match act:
        case AskGoal(text=text) | AskAgain(text=text) | ChangeMind(text=text):
            return (text,)
        case _:
            return verbatim_texts(act)


def _turned_round(text: str, acts: Iterable[Act]) -> str | None:
    """A yes that nobody decided, a no that got lost, a goodbye or a question too many."""
    acts = tuple(acts)
    given = " ".join(words for act in acts for words in _texts(act)).lower()
    free = text.lower().replace("’", "'")
    for words in sorted({words.lower() for act in acts for words in verbatim_texts(act)}, key=len, reverse=True):
        free = free.replace(words.replace("’", "'"), " ")
    says_no = any(isinstance(act, RefuseOffer | CorrectFact) for act in acts)
    says_yes = any(isinstance(act, Consent | ConfirmReadBack) for act in acts)
    pinned = any(isinstance(act, LockedReply | Open | Leave) for act in acts)
    if says_no and not _DISSENT.search(free):
        return "doesn't say no"
    if says_yes and (not _ASSENT.search(free) or (not says_no and _DISSENT.search(free))):
        return "doesn't say yes"
    may_nod = says_yes or any(isinstance(act, AcknowledgeWait | StillHere) for act in acts)
    if not may_nod and _ASSENT.search(free) and not _ASSENT.search(given):
        return "says yes to what nobody agreed to"
    ends = any(isinstance(act, Goodbye | GiveUp | Leave) for act in acts)
    if _FAREWELL.search(free) and not ends and not pinned:
        return "says goodbye"
    asks = any(isinstance(act, AskGoal | AskAgain | StillThere | DidntCatch) for act in acts)
    return "asks something" if "?" in free and not asks and "?" not in given else None


def _off_the_point(said: Values, acts: Iterable[Act]) -> str | None:
    """Whether a wish that was to be put in other words is still the same wish: a third of its longer words."""
    for act in acts:
        if isinstance(act, AskGoal | AskAgain | ChangeMind):
            wanted = {word for word in values_of(act.text).words if len(word) > 3}
            if wanted and 3 * len(wanted & said.words) < len(wanted):
                return f"isn't about {act.text!r}"
    return None
