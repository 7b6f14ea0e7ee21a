"""From an agent's turn to what the caller heard: questions, offers, statements, facts named and read back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mivas.caller._heard import Heard, KnownFact, Polarity, ReadBack
from mivas.caller._hearing_facts import named_facts
from mivas.caller._hearing_figures import Named
from mivas.caller._hearing_marks import with_marks
from mivas.caller._hearing_model import Hearing, default_model
from mivas.caller._hearing_sentences import HeardSentence, hear_sentence
from mivas.caller._hearing_strange import is_strange
from mivas.caller._hearing_words import sentences
from mivas.caller._spoken_items import items

_NEWS = frozenset({"accepted", "booked", "moved", "cancelled", "refill", "available", "covered", "refunded", "held"})
"""Statements that tell something new: facts named in them are told, not read back, unless the next words ask."""
_BARE = 3
"""Words up to which a question like "is that right?" is about all of the sentence before it, offers and all."""
_REMEMBERED = re.compile(
    r"\byou (?:said|told|mentioned)\b|\bdid you say\b|\b(?:confirm|verify|make sure)\b|"
    r"\b(?:to|just|me|i'll|double|quickly)[ -]check(?:ing)?\b",
    re.IGNORECASE,
)
_ANOTHERS_NAME = re.compile(
    r"\b(?:your (?:wife|husband|spouse|ex|ex-wife|ex-husband|landlord|employer|boss)|"
    r"(?:the )?other (?:driver|party|side|person|company))(?:'s?|’s?)?(?: \w+){0,2} name\b",
    re.IGNORECASE,
)
_OWN_NAME = re.compile(r"\byour (?:own |full |first |last |first and last )*name\b", re.IGNORECASE)
_SUITS = re.compile(
    r"\b(?:suits?|works?) (?:you|for you)\b|\b(?:would|does|will) (?:that|it|this) (?:suit|work)\b", re.IGNORECASE
)
_THERE_IS = re.compile(r"\bthere(?:'s|’s| is| are)\b", re.IGNORECASE)
_SEND_IT = re.compile(r"\bsend (?:it|that|them|those|one|you (?:one|that|it))\b", re.IGNORECASE)
_SENDINGS = frozenset({"email", "text", "return_label"})
"""Offers, one of which a yes to "Shall I send it?" takes, whether or not it was heard."""
_POINTS_BACK = re.compile(
    r"(?:and )?(?:is|was|are|were|would) (?:that|this|it|those|these|they)\b"
    r"(?! (?:it|all|everything)\b)|got (?:that|it|both|all|them)\b|"
    r"have i got\b|do i have\b|did i (?:get|hear)\b|that's (?:yours|your|you|how|when|where|the)\b(?=.*\?)",
    re.IGNORECASE,
)
"""A question about what was just said."""
_CHOICE = re.compile(
    r"\bor\b(?!,? (?:not|no|did|do|does|have|has|is|are|was|am|should|shall|would|could|can|may|what|anything|else)\b)"
    r"(?=.*\?)",
    re.IGNORECASE,
)
_ASKS_OTHERWISE = re.compile(
    r"(?:(?:and|so|okay|then|but|well),? )*(?:would|could|can|may|shall|should|will|does|do you|did|"
    r"what|which|who|when|where|how|why)\b(?! (?:you say|you mean|I get|I hear|I have)\b)",
    re.IGNORECASE,
)
"""The form of a question that asks something of its own and repeats nothing."""
_I_MEAN = re.compile(r"(?:sorry,? |no,? )?(?:i mean|i meant|that is,|or rather)\b", re.IGNORECASE)
_ASKED_AS = {"date": "incident_date", "incident_date": "date", "callback": "phone", "phone": "callback"}
"""Questions that come in the same words: who can't answer the one takes it for the other."""


def understand(text: str, facts: Sequence[KnownFact], model: Hearing | None = None) -> Heard:
    """Hear an agent's turn. Any text gives an answer, and the same text the same one.

    Args:
        facts: what the caller knows, with the values it holds now.
        model: another hearing model than the one that ships, to measure it.

    >>> sorted(understand("May I have your name and date of birth?", []).questions)
    ['date_of_birth', 'name']
    """
    spoken = sentences(with_marks(text))
    weights = model or default_model()
    heard = [
        hear_sentence(one, weights, before=spoken[at - 1] if at else "", is_last=at + 1 == len(spoken))
        for at, one in enumerate(spoken)
    ]
    heard = [_put_right(one, heard[at + 1 : at + 2]) for at, one in enumerate(heard)]
    named = [named_facts(one, facts) if facts else [] for one in spoken]
    answers = {fact.id: frozenset(fact.answers) for fact in facts}
    heard = [_told(one, named[at], answers) for at, one in enumerate(heard)]
    heard = [_anothers_name(one, answers) for one in heard]
    chosen = [_offers_choice(one, named[at]) for at, one in enumerate(heard)]
    heard = [_asks_which(one, named[at], answers) if chosen[at] else one for at, one in enumerate(heard)]
    named = [[] if chosen[at] else facts_in for at, facts_in in enumerate(named)]
    heard = [_points_back(one, named[at - 1] if at else [], named[at]) for at, one in enumerate(heard)]
    repeated = {at: named[at] for at in _read_back_sentences(heard, named, answers)}
    read_backs = _read_backs(repeated)
    questions = frozenset(name for one in heard for name in one.questions)
    doubtful = _yes_is_doubtful(heard, named, set(repeated), read_backs) or (
        bool(read_backs)
        and all(one.right for one in read_backs)
        and not any(_SUITS.search(one.text) for one in heard)
        and any(
            is_strange(spoken[at], facts, [one for facts_in in named for one in facts_in])
            for at in repeated
            if not _is_proposed(heard[at])
        )
    )
    if doubtful:
        questions, read_backs = questions - {"read_back", "consent"}, ()
    known = {question for fact in facts for question in fact.answers}
    questions |= {_ASKED_AS[name] for name in questions if name in _ASKED_AS and name not in known} & known
    return Heard(
        questions=questions | ({"read_back"} if read_backs else set()),
        offers=frozenset(name for one in heard for name in one.offers),
        values=_values(heard, named, set(repeated)),
        agreeing_takes=frozenset(name for one in heard if "consent" in one.questions for name in _taken_by_yes(one)),
        read_backs=read_backs,
        unclear=doubtful or any(one.unclear for at, one in enumerate(heard) if at not in repeated),
    )


def _is_proposed(one: HeardSentence) -> bool:
    """ "There's Friday the fourteenth, with Doctor Sandoval." is new to the caller, whatever of it is known."""
    return bool(one.offers or _NEWS & set(one.statements)) or _THERE_IS.search(one.text) is not None


def _put_right(one: HeardSentence, following: Sequence[HeardSentence]) -> HeardSentence:
    """ "And the date? I mean when you were born." asks what its second sentence says."""
    if following and following[0].questions and _I_MEAN.match(following[0].text):
        return replace(one, questions=frozenset(), unclear=False)
    return one


def _told(one: HeardSentence, named: Sequence[Named], answers: Mapping[str, frozenset[str]]) -> HeardSentence:
    """ "And the zip, six oh six one four." doesn't ask for the zip: it gives it."""
    if "?" in one.text:
        return one
    given = {question for fact in named if not fact.is_part for question in answers[fact.fact]}
    return replace(one, questions=one.questions - given)


def _anothers_name(one: HeardSentence, answers: Mapping[str, frozenset[str]]) -> HeardSentence:
    """ "And your wife's full name?" asks for no name of the caller's."""
    known = frozenset(question for asked in answers.values() for question in asked)
    if "name" not in one.questions or "opposing_party" not in known or not _ANOTHERS_NAME.search(one.text):
        return one
    own = {"name"} if _OWN_NAME.search(one.text) else set()
    return replace(one, questions=(one.questions - {"name"}) | {"opposing_party"} | own)


def _taken_by_yes(one: HeardSentence) -> frozenset[str]:
    taken = one.offers if one.is_one_clause else frozenset()
    return taken | _SENDINGS if _SEND_IT.search(one.text) else taken


def _offers_choice(one: HeardSentence, named: Sequence[Named]) -> bool:
    """ "Is that Kern with a K, or Curn with a C?" leaves open which it is."""
    return (
        "read_back" in one.questions
        and _CHOICE.search(one.text) is not None
        and any(not fact.is_part for fact in named)
    )


def _asks_which(one: HeardSentence, named: Sequence[Named], answers: Mapping[str, frozenset[str]]) -> HeardSentence:
    asked = next(answers[fact.fact] for fact in named if not fact.is_part)
    return replace(one, questions=(one.questions - {"read_back"}) | asked, unclear=False)


def _points_back(one: HeardSentence, before: Sequence[Named], own: Sequence[Named]) -> HeardSentence:
    """ "Is that your last name?" after a name was said asks to confirm it, whatever else its words resemble."""
    if own or not any(not fact.is_part for fact in before) or not _POINTS_BACK.match(one.text) or len(one.text) > 60:
        return one
    asked = one.questions if not one.is_one_clause else frozenset()
    return replace(one, questions=asked | {"read_back"}, unclear=False)


def _values(
    heard: Sequence[HeardSentence], named: Sequence[Sequence[Named]], repeated: set[int]
) -> dict[str, Polarity]:
    """Statements and facts told, the last word on each; a fact read back isn't told."""
    values: dict[str, Polarity] = {}
    for at, one in enumerate(heard):
        values.update(one.statements)
        if at not in repeated:
            values.update(
                {fact.fact: _polarity(one.text, fact) for fact in named[at] if fact.right and not fact.is_part}
            )
    return values


def _polarity(text: str, fact: Named) -> Polarity:
    """`no` only when the denial stands right before the value: "it isn't August fifteenth"."""
    spoken = " ".join(item.value for item in items(text))
    return "no" if re.search(rf"(?:\bnot|n't) (?:\w+ )?{re.escape(fact.said)}", spoken) else "yes"


def _read_backs(repeated: Mapping[int, Sequence[Named]]) -> tuple[ReadBack, ...]:
    latest: dict[str, ReadBack] = {}
    for at in sorted(repeated):
        for one in repeated[at]:
            latest[one.fact] = ReadBack(fact=one.fact, right=one.right, said=one.said)
    return tuple(latest.values())


def _read_back_sentences(
    heard: Sequence[HeardSentence], named: Sequence[Sequence[Named]], answers: dict[str, frozenset[str]]
) -> list[int]:
    """Sentences whose facts were repeated to have them confirmed: those that ask it, and what stands before them."""
    found: set[int] = set()
    for at, one in enumerate(heard):
        asks_it = "read_back" in one.questions
        if named[at] and (asks_it or _asks_by_repeating(one, named[at], answers)):
            found.add(at)
        confirms_before = asks_it or ("consent" in one.questions and _has_mistake(named, at))
        if confirms_before and (not named[at] or _POINTS_BACK.match(one.text)):
            found.update(_before(heard, named, at))
    return sorted(found)


def _yes_is_doubtful(
    heard: Sequence[HeardSentence],
    named: Sequence[Sequence[Named]],
    repeated: set[int],
    read_backs: Sequence[ReadBack],
) -> bool:
    """Whether a yes is asked for after a sentence that names a fact otherwise and isn't known to be read back."""
    if any(not one.right for one in read_backs):
        return False
    asked = [at for at, one in enumerate(heard) if {"read_back", "consent"} & one.questions]
    return bool(asked) and any(
        not fact.right and not fact.is_part and not heard[at].offers and not heard[at].questions
        for at in range(asked[-1])
        if at not in repeated
        for fact in named[at]
    )


def _has_mistake(named: Sequence[Sequence[Named]], at: int) -> bool:
    return at > 0 and any(not one.right and not one.is_part for one in named[at - 1])


def _asks_by_repeating(one: HeardSentence, named: Sequence[Named], answers: dict[str, frozenset[str]]) -> bool:
    """ "And the phone is two zero one ...?": a fact said with a question mark, and nothing else asked or offered."""
    whole = [fact for fact in named if not fact.is_part]
    if _REMEMBERED.search(one.text) and (whole or not _ASKS_OTHERWISE.match(one.text)):
        return True
    if re.search(r"\bor\b", one.text) or _ASKS_OTHERWISE.match(one.text):
        return False
    asked_of_them = {question for fact in named for question in answers.get(fact.fact, ())}
    other = one.questions - asked_of_them - {"consent"}
    return bool(whole) and one.text.rstrip("\"' ").endswith("?") and not other and not one.offers


def _before(heard: Sequence[HeardSentence], named: Sequence[Sequence[Named]], at: int) -> list[int]:
    found: list[int] = []
    for earlier in range(at - 1, -1, -1):
        one = heard[earlier]
        is_news = bool(_NEWS & set(one.statements)) and bool(
            found or not any(not fact.right for fact in named[earlier])
        )
        offers = one.offers and not (earlier == at - 1 and len(heard[at].text.split()) <= _BARE)
        if not named[earlier] or offers or (found and is_news) or (one.questions - {"read_back"}):
            break
        found.append(earlier)
    return found
