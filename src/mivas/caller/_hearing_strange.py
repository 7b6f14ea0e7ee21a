"""Values in a sentence that is read back which are none of the caller's. A yes to them would be a yes to a mistake."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from mivas.caller._heard import KnownFact
from mivas.caller._hearing_figures import Named, named_figures, shape_of
from mivas.caller._hearing_words import word_set
from mivas.caller._spoken_items import Item, items
from mivas.caller._spoken_values import days, runs

FEWEST_FIGURES = 3
"""Of a number that is somebody's: fewer may count anything."""
_COUNTED = word_set("hours hour days day minutes minute percent years year months month weeks week times people miles")
"""What a number before such a word is how many of."""
_NUMBERED = ("digits", "code", "money")
_PLACED = word_set("office provider carrier opposing_party")
"""Questions answered by the name of a place, a firm or a doctor."""
_NAME_AFTER = re.compile(r"\b(?:at|with|from|near) (?:the |Doctor |Dr\.? )?((?!I\b)[A-Z][a-z]+(?:[- ][A-Z][a-z]+)*)")
_CALENDAR = word_set(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)
_KIN = (
    word_set("mother mom mum mama stepmother stepmom"), word_set("father dad papa stepfather stepdad"),
    word_set("daughter stepdaughter"), word_set("son stepson"), word_set("daughter-in-law"), word_set("son-in-law"),
    word_set("sister"), word_set("brother"), word_set("aunt auntie"), word_set("uncle"), word_set("niece"),
    word_set("nephew"), word_set("grandmother grandma"), word_set("grandfather grandpa"), word_set("wife"),
    word_set("husband"), word_set("neighbor neighbour"), word_set("mother-in-law"), word_set("father-in-law"),
)  # fmt: skip
"""Who somebody may be to another; words of a group are one."""
_YOU_ARE = re.compile(
    r"\byou(?:'re| are|'d be| would be|, )? ?(?:calling as |also )?(?:his|her|their|the|\w+'s) "
    rf"({'|'.join(sorted((word for group in _KIN for word in group), key=lambda word: (-len(word), word)))})\b",
    re.IGNORECASE,
)


def named_kin(sentence: str, facts: Sequence[KnownFact]) -> list[Named]:
    """The caller's relation to the person concerned, where a sentence says it: "you're her aunt"."""
    said = _YOU_ARE.search(sentence.replace("’", "'"))
    if said is None:
        return []
    heard = _kin_of({said[1].lower()})
    known = {fact.id: _kin_of(_words(fact.value) | _words(fact.say)) for fact in facts if _is_relation(fact)}
    return [Named(fact, bool(kin & heard), said[1].lower()) for fact, kin in known.items() if kin]


def is_strange(sentence: str, facts: Sequence[KnownFact], named: Collection[Named]) -> bool:
    """Whether a read-back names a number, a day or a place that may stand for a fact it doesn't name.

    Args:
        named: the facts that it names.
    """
    left = [fact for fact in facts if fact.id not in {one.fact for one in named}]
    found = items(sentence)
    return (
        _strange_number(found, facts, left)
        or _strange_day(found, named, facts)
        or _strange_place(sentence, facts, left)
    )


def _strange_number(found: Sequence[Item], facts: Sequence[KnownFact], left: Sequence[KnownFact]) -> bool:
    if not any(shape_of(fact) in _NUMBERED for fact in left):
        return False
    by_shape = {shape: [fact for fact in facts if shape_of(fact) == shape] for shape in {*map(shape_of, facts)}}
    named, used = named_figures(found, by_shape)
    said = {one.said for one in named}
    known = [re.sub(r"\D", "", fact.value) for fact in facts]
    return any(
        len(figures := re.sub(r"\D", "", run)) >= FEWEST_FIGURES
        and not any(figures in one for one in known)
        and not used & set(range(span.start, span.end))
        and " ".join(item.value for item in found[span.start : span.end]) not in said
        and (span.end >= len(found) or found[span.end].value not in _COUNTED)
        for span, run in runs(found)
    )


def _strange_day(found: Sequence[Item], named: Collection[Named], facts: Sequence[KnownFact]) -> bool:
    known = {fact.id for fact in facts if shape_of(fact) == "day"}
    return bool(known) and bool(days(found)) and not known & {one.fact for one in named}


def _strange_place(sentence: str, facts: Sequence[KnownFact], left: Sequence[KnownFact]) -> bool:
    if not any(_PLACED & set(fact.answers) for fact in left):
        return False
    own = {word for fact in facts for word in _words(fact.value) | _words(fact.say)}
    return any(not _words(name) & (own | _CALENDAR) for name in _NAME_AFTER.findall(sentence))


def _is_relation(fact: KnownFact) -> bool:
    return "relationship" in fact.answers


def _kin_of(words: Collection[str]) -> set[int]:
    return {at for at, group in enumerate(_KIN) if group & set(words)}


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+(?:-[a-z]+)*", text.lower()))
