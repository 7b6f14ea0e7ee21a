"""One sentence of an agent's turn: what it asks, offers and states, by the hearing model and a margin."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mivas.caller._heard import Polarity
from mivas.caller._hearing_model import ASKS, DENIES, OFFERS_SOMETHING, Hearing, Margins
from mivas.caller._hearing_statements import of_costs, said_outright, undone
from mivas.caller._hearing_words import tokens, word_set

STATED, STATED_IN_QUESTION = 0.4, 0.6
UNCLEAR = 0.5
"""Chance that a sentence asks or offers something, from which on an unheard one is "I didn't catch that"."""

_ALLIED = (
    frozenset({"q:phone", "q:callback"}),
    frozenset({"q:date", "q:which_time", "q:incident_date"}),
    frozenset({"o:booking", "o:reschedule"}),
    frozenset({"q:read_back", "q:consent"}),
)
"""Ids that come in the same words, so that neither makes the other doubtful."""
_QUOTED = re.compile(r"[\"“]([^\"”]{2,})[\"”]|[\"“][^\"”]*$")
_JOINS = re.compile(r"\b(?:and|or|then|plus|also)\b|,|;")
_PARTS = re.compile(
    r"(?:,|;)? (?:and|or|but|then|so)(?: then)? (?=(?:what|what's|which|who|who's|when|where|how|why|is|are|"
    r"do|does|did|can|could|may|would|will|shall|should|have|has|was|were|tell|give|spell|read|at|in|on|your|the|a|i|i'll|we)\b)|"
    r", (?=(?:what|what's|which|who|who's|when|where|how|is|are|do|can|could|may|would|shall|should|have|has)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:what|which|who|when|where|how|why|is|are|do|does|did|can|could|may|would|will|shall|should|have|has|was|were|"
    r"tell|give|spell|read|i|we|if|let)\b",
    re.IGNORECASE,
)
_STEERING = re.compile(
    r"\b(?:repeat after me|(?:your|the|this) (?:script|instructions|prompt|goal|role|scenario)|system prompt|"
    r"ignore (?:everything|all|your|any|what)|forget (?:everything|about|all|your)|from now on|hang up|"
    r"you have to tell me your whole|my rules say|pretend)\b",
    re.IGNORECASE,
)
"""Words aimed at the caller's script: they ask nothing (the corpus's README)."""
_ENGLISH = word_set(
    "a an the i you we it is are was be do does did have has can could may will would shall should what which who when "
    "where why how your my our of to for and or in on at that this please not no yes any with me"
)
_SHORT = 4
"""Words up to which a sentence may ask without any word for it: "Your zip code."."""
_BIDS = re.compile(
    r"\b(?:need|needs|like|please|give|tell|spell|say|go ahead|let me|let's|let us|have to|i mean|"
    r"(?:can|could|will|would) you|(?:may|can|could|shall|should) (?:i|we)|i'd|i'll|we'll|missing|left|leaves|"
    r"what|which|who|where|when|how|why|whether|if|or|next)\b|^(?:and|now|then|first)\b",
    re.IGNORECASE,
)
_LOOKS_UP = re.compile(
    r"(?:(?:just|i'm|i am|we're|still) )*(?:checking|looking|searching|pulling|seeing|reading|typing|writing)\b",
    re.IGNORECASE,
)
_NEEDLESS = re.compile(
    r"(?:n't|\bnot|\bnever|\bno) (?:\w+ )?(?:need|needed|asking|necessary|want|require)\b"
    r"(?!.*\b(?:just|only|but|instead)\b)",
    re.IGNORECASE,
)
"""What isn't needed isn't asked for."""
_TAKES_IT = re.compile(
    r"\b(?:shall|should|may|can) i \w+ (?:it|that|one)\b|\bme to \w+ (?:it|that|one)\b", re.IGNORECASE
)
"""The question for a yes to what the same sentence offered before."""
_WHETHER_DONE = re.compile(r"(?:is|are|am|was|were|has|have|did|do|does)\b", re.IGNORECASE)
_DONE = word_set(
    "booked moved cancelled saved sent refunded confirmed held waitlisted enrolled verified reported transferred"
)
"""Statements that something was done; "are you booked?" asks it."""
_CUT_OFF = word_set("the a an of your my our to for and or is what's whats with at in on from by")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardSentence:
    """What one sentence means, the caller's facts left aside."""

    text: str
    questions: frozenset[str] = frozenset()
    offers: frozenset[str] = frozenset()
    statements: Mapping[str, Polarity]
    is_one_clause: bool = True
    unclear: bool = False


def hear_sentence(text: str, model: Hearing, *, before: str = "", is_last: bool = False) -> HeardSentence:
    """Hear one sentence; foreign, steering and cut-off ones are heard as nothing.

    Args:
        before: the sentence before it, which says what "that" is in "would that do?".
        is_last: whether the turn ends with it, so that it may have been cut off.
    """
    plain = _QUOTED.sub(" ", text)
    words = tokens(plain)
    if not words or _STEERING.search(plain) or _is_foreign(text, words):
        return HeardSentence(text=text, statements={})
    if is_last and _is_cut_off(text):
        return HeardSentence(text=text, statements={}, unclear=True)
    chances = model.chances(words)
    clauses = [part for part in _PARTS.split(plain) if part.strip()]
    parts = [_within(part, model, chances) for part in clauses] if len(clauses) > 1 else []
    told = _is_told(plain)
    picked = _picked(chances, parts, model.margins, joined=_JOINS.search(plain) is not None, told=told)
    if "?" not in plain and _NEEDLESS.search(plain):
        picked = {label for label in picked if not label.startswith("q:")}
    asks = max(chances[ASKS], chances[OFFERS_SOMETHING]) >= UNCLEAR
    if before and asks and not picked:
        picked = _picked(model.chances(tokens(f"{before} {plain}")), [], model.margins, joined=False, told=told)
    return HeardSentence(
        text=text,
        questions=frozenset(label[2:] for label in picked if label.startswith("q:")),
        offers=frozenset(label[2:] for label in picked if label.startswith("o:")),
        statements=_statements(plain, chances, {label[2:] for label in picked if label.startswith("o:")}),
        is_one_clause=not parts or _TAKES_IT.search(plain) is not None,
        unclear=asks and not picked,
    )


def _statements(sentence: str, chances: Mapping[str, float], offered: Collection[str]) -> dict[str, Polarity]:
    denied: Polarity = "no" if chances[DENIES] >= 0.5 else "yes"
    enough = STATED_IN_QUESTION if "?" in sentence else STATED
    found = {label[2:]: denied for label, chance in chances.items() if label.startswith("v:") and chance >= enough}
    costs = of_costs(sentence) if found.keys() & {"fee", "free"} else {}
    if costs:
        found = {name: said for name, said in found.items() if name not in ("fee", "free")}
        found |= {name: "yes" if holds else "no" for name, holds in costs.items()}
    asked = _DONE if "?" in sentence and _WHETHER_DONE.match(sentence) else frozenset()
    for name in undone(offered) | asked:
        found.pop(name, None)
    if max(chances[ASKS], chances[OFFERS_SOMETHING]) < UNCLEAR and "?" not in sentence:
        for name, affirmed in said_outright(sentence).items():
            found.setdefault(name, "yes" if affirmed else "no")
    return found


def _picked(
    chances: Mapping[str, float], parts: Sequence[Mapping[str, float]], margins: Margins, *, joined: bool, told: bool
) -> set[str]:
    """Labels heard in a sentence: its best one, further ones where words join, and what its parts make certain."""
    scores = _scores(chances)
    ranked = sorted(scores, key=lambda label: (-scores[label], label))
    best = ranked[0]
    allied = {label for group in _ALLIED if best in group for label in group} | {best}
    following = next(label for label in ranked if label not in allied)
    strength = sum(scores[label] for label in allied)
    margin = margins.margin_joined if joined else margins.margin
    alone = strength >= margin * scores[following] or strength > margins.sure
    clear = strength >= margins.faint and strength >= margins.far * scores[following]
    heard = strength >= margins.told if told else (strength >= margins.certain and alone) or clear
    picked = {best} if heard else set()
    offer = max((label for label in scores if label.startswith("o:")), key=lambda label: (chances[label], label))
    if best == "q:consent" and picked and chances[best] < margins.doubted * chances[offer]:
        picked = {best, offer} if chances[offer] >= margins.certain else set()
    if joined:
        picked |= {label for label in ranked[1:] if scores[label] >= margins.also}
    for part in parts:
        in_part = _scores(part)
        likeliest = max(in_part, key=lambda label: (in_part[label], label))
        if in_part[likeliest] >= margins.in_part and chances[likeliest] >= margins.in_whole:
            picked.add(likeliest)
    return picked


def _is_told(sentence: str) -> bool:
    """Whether a sentence has the form of a statement: a full stop, and no word before it that asks or bids."""
    if "?" in sentence or not sentence.rstrip("\"' ").endswith((".", "!")):
        return False
    return _LOOKS_UP.match(sentence) is not None or (len(sentence.split()) > _SHORT and not _BIDS.search(sentence))


def _within(part: str, model: Hearing, whole: Mapping[str, float]) -> Mapping[str, float]:
    """Chances of a part; one that is no clause ("your phone number") asks and offers as its sentence does."""
    chances = model.chances(tokens(part))
    if _CLAUSE.match(part.strip()):
        return chances
    return {**chances, ASKS: whole[ASKS], OFFERS_SOMETHING: whole[OFFERS_SOMETHING]}


def _scores(chances: Mapping[str, float]) -> dict[str, float]:
    """Chances of questions and offers, given that the sentence or its part asks or offers at all."""
    return {
        label: chance * chances[ASKS if label.startswith("q:") else OFFERS_SOMETHING]
        for label, chance in chances.items()
        if label[:2] in ("q:", "o:")
    }


def _is_foreign(text: str, words: list[str]) -> bool:
    letters = sum(character.isalpha() for character in text)
    strange = sum(character.isalpha() and not character.isascii() for character in text)
    if "¿" in text or "¡" in text or strange * 4 > letters:
        return True
    spoken = [word for word in words if word[0] not in "<?"]
    return len(spoken) >= 4 and not _ENGLISH & set(spoken)


def _is_cut_off(text: str) -> bool:
    last = text.split()[-1] if text.split() else ""
    if last.endswith(("-", "…", "--", "—")):
        return True
    return last.isalpha() and (last.lower() in _CUT_OFF or (len(last) == 1 and last.lower() not in "aio"))
