"""Spoken words as items that can be compared: numbers, ordinals, spelled letters and plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from text_to_num import alpha2digit

from mivas.caller._hearing_words import word_set

Kind: TypeAlias = Literal["number", "ordinal", "letter", "word"]

_AS_IN = re.compile(r"\b([a-z]),? (?:as in|like in|like|for) (?:the )?([a-z-]+)")
_WRITTEN_CODE = re.compile(r"\b([a-z]{1,4})-?(\d{3,})\b")
_HALF_DAY = re.compile(r"\b(\d{1,2}(?::\d\d)?) ?([ap])\.?m\b\.?")
_HYPHENATED_LETTERS = re.compile(r"\b[a-z](?:-[a-z])+\b")
_ITEM = re.compile(
    r"\d+(?:st|nd|rd|th)\b|[#$]?\d+(?:[.:/,-]\d+)*|[a-z0-9]+(?:[.'_+-][a-z0-9]+)*(?:@[a-z0-9.-]*[a-z0-9])?"
)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DIGIT_WORDS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "oh": "0", "o": "0", "nought": "0", "naught": "0",
}  # fmt: skip
_FIGURES = word_set("two three four five six seven eight nine")
"""Digit words that are nothing else; the rest ("one", "oh") are digits among digits only."""
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_NATO = {
    word: word[0]
    for word in word_set(
        "alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa "
        "quebec romeo sierra tango uniform victor whiskey whisky xray x-ray yankee zulu"
    )
}
_EARLY = {"first": "1", "second": "2"}
_MONTHS = word_set("january february march april may june july august september october november december")
_DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
_WORDS_TOO = frozenset("ai")
"""Letters that are words as well: letters only among other letters."""


@dataclass(frozen=True, slots=True)
class Item:
    """One spoken item: `value` is `19` for a number or an ordinal, `w` for a letter, lower case for a word."""

    kind: Kind
    value: str


def items(text: str) -> tuple[Item, ...]:
    """Read words as items, in order.

    >>> [item.value for item in items("W as in whiskey, double four, nineteen fifty-eight")]
    ['w', '4', '4', '19', '58']
    >>> [item.value for item in items("order KE-4492551")]
    ['order', 'k', 'e', '4492551']
    """
    lowered = text.lower().replace("’", "'").replace("'s ", " ")
    lowered = _AS_IN.sub(lambda found: found[1] if found[2].startswith(found[1]) else found[0], lowered)
    lowered = _HYPHENATED_LETTERS.sub(lambda found: found[0].replace("-", " "), lowered)
    lowered = _HALF_DAY.sub(r"\1 \2m", lowered)
    lowered = _WRITTEN_CODE.sub(lambda found: " ".join([*found[1], found[2]]), lowered)
    raw: list[str] = _ITEM.findall(alpha2digit(lowered, "en"))
    return tuple(_settled(_repeated(raw)))


def _repeated(raw: list[str]) -> Iterable[Item]:
    times = 1
    for word in raw:
        if word in _TIMES:
            times = _TIMES[word]
            continue
        item = _item(word)
        yield from [item] * (times if item.kind in ("number", "letter") or word in _DIGIT_WORDS else 1)
        times = 1


def _item(word: str) -> Item:
    ordinal = _ORDINAL.fullmatch(word)
    if ordinal:
        return Item("ordinal", ordinal[1])
    if len(word) == 1 and word.isalpha():
        return Item("letter", word)
    if word[0].isdigit() or word[0] in "#$":
        return Item("number", word.lstrip("#"))
    return Item("word", word)


def _settled(found: Iterable[Item]) -> list[Item]:
    """Decide what stands among numbers or letters: "oh", "one", "i", "hotel"."""
    settled = list(found)
    for at, item in enumerate(settled):
        before = settled[at - 1].kind if at else "word"
        after = settled[at + 1] if at + 1 < len(settled) else Item("word", "")
        among_numbers = before == "number" or after.kind == "number" or after.value in _DIGIT_WORDS
        if item.value in _FIGURES:
            settled[at] = Item("number", _DIGIT_WORDS[item.value])
        elif item.value in _DIGIT_WORDS and (among_numbers or before == "letter") and item.kind in ("word", "letter"):
            letters_around = before == "letter" and (after.kind == "letter" or at + 1 == len(settled))
            if not (item.kind == "letter" and letters_around):
                settled[at] = Item("number", _DIGIT_WORDS[item.value])
        elif item.value in _EARLY and _is_day(settled, at):
            settled[at] = Item("ordinal", _EARLY[item.value])
        elif item.kind == "letter" and item.value in _WORDS_TOO:
            if before != "letter" and after.kind != "letter" and after.value not in _NATO:
                settled[at] = Item("word", item.value)
        elif item.value in _NATO and (before == "letter" or after.value in _NATO):
            settled[at] = Item("letter", _NATO[item.value])
    return settled


def _is_day(found: list[Item], at: int) -> bool:
    """Whether "first" or "second" is a day of a month."""
    before, earlier = (found[at - back].value if at >= back else "" for back in (1, 2))
    after = found[at + 1].value if at + 1 < len(found) else ""
    return before in _MONTHS or after in _MONTHS or after == "of" or (before == "the" and earlier in _DAYS | _MONTHS)
