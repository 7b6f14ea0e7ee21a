"""A caller's program guessed from a public task, which brings none: from its traits, its pins and its intent's lines.

Good enough to open, to answer, to say locked replies when their situation is described in words that `understand`
knows, and to leave. Marked `approximate`: results with it aren't comparable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mivas.caller._heard import Heard
from mivas.caller._understanding import understand
from mivas.pack import CallerFile, Task

_TRAIT_QUESTIONS = {
    "full_name": "name",
    "caller_name": "name",
    "date_of_birth": "date_of_birth",
    "mobile": "phone",
    "phone": "phone",
    "zip": "zip",
    "postal_code": "zip",
    "carrier": "carrier",
    "plan_name": "carrier",
    "member_id": "member_id",
    "email": "email",
    "preferred_office": "office",
    "patient_status": "new_or_existing",
    "medication": "medication",
    "order_number": "order_number",
    "rma_number": "order_number",
    "card_last4": "card_last4",
    "opposing_party": "opposing_party",
    "practice_area": "practice_area",
    "state": "state",
    "incident_date": "incident_date",
    "matter_id": "matter",
}
"""Trait of the public format -> the question it answers."""
OPENING = "Hello, I hope you can help me with something."
LEAVING = "No, that was all. Thank you, goodbye."
LONGEST_WISH = 220
_QUOTED = re.compile(r"[\"“]([^\"”]{4,})[\"”]")
_SENTENCE = re.compile(r"[^.?!]+[.?!]?")
_WISH = re.compile(
    r"^(?:you (?:want|need|have|are calling)|ask (?:whether|if|how|what|when|which|for|to))\b", re.IGNORECASE
)
_CONDITIONAL = re.compile(r"\b(?:if|when|until|once|unless|not|never|nor|exactly)\b|n't\b", re.IGNORECASE)
_AS_I_SAY_IT = (
    (r"\byou are\b", "I am"), (r"\byou're\b", "I'm"), (r"\byou were\b", "I was"), (r"\byour\b", "my"),
    (r"\b(for|to|with|at|on|from|about|against|calls?|texts?|costs?|mailed|told|gave|charged|sent) you\b", r"\1 me"),
    (r"\byou\b", "I"), (r"\btheir\b", "your"), (r"\b(?:they|them)\b", "you"),
)  # fmt: skip
_VETO = re.compile(r"\bNOT\b(?: when| if)?", re.IGNORECASE)
_ACT = re.compile(
    r"\b(asks?(?: for| whether| if)?|asking(?: for| whether| if)?|wants to know|offers?(?: to)?|offering(?: to)?|"
    r"suggests?|proposes?|brings up|says?(?: that)?|saying(?: that)?|tells you(?: that)?|confirms?(?: that)?|"
    r"names|quotes)\b"
)
_OTHER_THAN_THAT = re.compile(r"\b(?:asking|asks) about anything else\b|\bany other question\b", re.IGNORECASE)
"""A veto on everything that isn't meant, and no question whether there is more."""
_QUESTION_WORDS = ("what", "which", "who", "whose", "when", "where", "how", "why")


def approximate_program(task: Task) -> CallerFile:
    """The guessed program. Its one wish counts as met when the agent asks whether there is anything else."""
    phrases = tuple(pin.match_phrase for pin in task.file.scripted_responses)
    return _guessed(task.file.intent, tuple(task.traits.items()), phrases)


@lru_cache(maxsize=512)
def _guessed(intent: str, traits: tuple[tuple[str, str], ...], match_phrases: tuple[str, ...]) -> CallerFile:
    quoted = _QUOTED.findall(intent)
    wish = _wish(_QUOTED.sub("", intent))
    facts = [
        {"id": name, "value": value, "say": f"It's {value}.", "answers": [_TRAIT_QUESTIONS[name]]}
        for name, value in traits
        if name in _TRAIT_QUESTIONS
    ]
    opening = quoted[0] if quoted else " ".join([OPENING, *([wish] if wish else [])])
    asked = wish or opening
    return CallerFile.model_validate(
        {
            "version": 1,
            "opening": opening,
            "facts": facts,
            "goals": [{"id": "wish", "ask": [asked], "again": asked, "met_when": {"question": "anything_else"}}],
            "pins": list(_pins(match_phrases)),
            "exit": {"when": ["wish"], "say": quoted[-1] if len(quoted) > 1 else LEAVING},
            "canary": "",
        }
    )


def _wish(intent: str) -> str | None:
    """The first plain sentence of an intent that tells what the caller wants, in the first person."""
    for sentence in map(str.strip, _SENTENCE.findall(intent)):
        if _WISH.match(sentence) and not _CONDITIONAL.search(sentence) and len(sentence) <= LONGEST_WISH:
            told = re.sub(r"^ask (?=for)", "I'd like to ask ", sentence, flags=re.IGNORECASE)
            told = re.sub(r"^ask (?:to )?", "I'd like to ask ", told, flags=re.IGNORECASE)
            for pattern, words in _AS_I_SAY_IT:
                told = re.sub(pattern, words, told, flags=re.IGNORECASE)
            return told
    return None


def _pins(match_phrases: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Conditions of the pins whose described situation has ids; the others are never said."""
    for index, phrase in enumerate(match_phrases):
        situation, *vetoes = _VETO.split(phrase)
        when = _conditions(situation)
        vetoed_by = [one for veto in vetoes for one in _conditions(_OTHER_THAN_THAT.sub("", veto))]
        not_when = [one for one in vetoed_by if one not in when]
        if when:
            vetoed = {"not_when": {"any": _once(not_when)}} if not_when else {}
            yield {"index": index, "when": {"any": _once(when)}, **vetoed}


def _conditions(description: str) -> list[dict[str, str]]:
    """What a described turn holds: "asks for the name" is understood as "May I have the name?"."""
    found: list[dict[str, str]] = []
    acts = list(_ACT.finditer(description))
    ends = [*(act.start() for act in acts[1:]), len(description)]
    for act, end in zip(acts, ends, strict=bool(acts)):
        said = description[act.end() : end].strip(" ,.;")
        if said:
            found += _ids(act[1].lower(), said)
    return found


def _ids(act: str, said: str) -> list[dict[str, str]]:
    said = re.sub(r"\bthe caller's\b|\btheir\b", "your", said)
    if act.startswith(("ask", "wants")):
        return [{"question": id} for id in sorted(_asked(act, said).questions)]
    if act.startswith(("offer", "suggest", "propose", "brings")):
        wanted = f"Would you like me to {said}?" if act.endswith("to") else f"Would you like {said}?"
        return [{"offer": id} for id in sorted(understand(wanted, ()).offers)]
    stated: Mapping[str, str] = understand(f"{said[0].upper()}{said[1:]}.", ()).values
    return [{"value": id, "polarity": polarity} for id, polarity in sorted(stated.items())]


def _asked(act: str, said: str) -> Heard:
    if act.endswith("for"):
        return understand(f"May I have {said}?", ())
    if said.startswith(_QUESTION_WORDS):
        return understand(f"{said[0].upper()}{said[1:]}?", ())
    return understand(f"Could you tell me {'whether ' if act.endswith(('whether', 'if')) else ''}{said}?", ())


def _once(conditions: list[dict[str, str]]) -> list[dict[str, str]]:
    return [one for place, one in enumerate(conditions) if one not in conditions[:place]]
