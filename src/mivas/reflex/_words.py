"""What speech recognition wrote, as words that can be compared: numbers, ordinals, single letters, plain words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rapidfuzz import fuzz
from text_to_num import alpha2digit

Kind: TypeAlias = Literal["number", "ordinal", "letter", "word"]


def word_set(text: str) -> frozenset[str]:
    """Words written in a row."""
    return frozenset(text.split())


ALIKE = 83.0
"""Similarity (rapidfuzz ratio, 0 to 100) from which two longer words count as the same one misheard."""
OTHER_BEGINNING = 90.0
"""The same where even the first letter differs: "there's" is no "where's"."""
LONG_WORD = 5
_TOKEN = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]")
_AS_IN = re.compile(r"\b([a-z])[,.]? (?:as in|like in|for) [a-z-]+", re.IGNORECASE)
_DASHED_LETTERS = re.compile(r"\b[A-Za-z](?:[-.][A-Za-z])+\b\.?")
_CODE = re.compile(r"\b(?!\d+(?:st|nd|rd|th|am|pm)\b)(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{3,}\b")
_DIGITS = {"oh": "0", "o": "0", "nought": "0", "zero": "0", "one": "1"}
"""Words that are figures among figures only."""
_FIGURES = {
    word: str(at) for at, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine"), start=2)
}
_TIMES = {"double": 2, "triple": 3}
_NATO = {
    word: word[0]
    for word in word_set(
        "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec "
        "romeo sierra tango uniform victor whiskey xray yankee zulu"
    )
}
_EARLY = {"first": "1", "second": "2"}
_WORDS_TOO = frozenset("ai")
_PAUSES = frozenset(",.;:?!")
_STOPS = frozenset(".?!")


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `text` in lower case, digits for numbers and ordinals."""

    kind: Kind
    text: str
    raw: str
    """As it was written."""
    pause: bool = False
    """Whether a mark follows it."""
    stops: bool = False
    """Whether that mark ends a sentence."""


def words_of(text: str) -> tuple[Word, ...]:
    """Read any text as words, in order. Marks are kept as pauses only; never raises.

    >>> [word.text for word in words_of("It's W as in whiskey, double four, nineteen fifty-eight.")]
    ["it's", 'w', '4', '4', '19', '58']
    """
    plain = text.replace("’", "'")
    plain = _AS_IN.sub(r"\1", plain)
    plain = _DASHED_LETTERS.sub(lambda found: " ".join(re.findall("[A-Za-z]", found[0])) + ",", plain)
    plain = _CODE.sub(lambda found: " ".join(re.findall(r"\d+|[A-Za-z]", found[0])), plain)
    found: list[Word] = []
    for token in _TOKEN.findall(_in_digits(plain)):
        if token[0].isalnum():
            found.append(_word(token))
        elif found and token in _PAUSES:
            found[-1] = replace(found[-1], pause=True, stops=token in _STOPS)
    return tuple(_settled(_repeated(found)))


def _in_digits(text: str) -> str:
    try:
        return str(alpha2digit(text, "en"))
    except Exception:
        # A third party's parser on a third party's transcript: unread numbers beat a broken call.
        return text


def _word(token: str) -> Word:
    lowered = token.lower()
    if lowered[0].isdecimal():
        digits = re.sub(r"\D", "", lowered)
        return Word("ordinal" if digits != lowered else "number", digits, token)
    return Word("letter" if len(lowered) == 1 else "word", lowered, token)


def _repeated(found: list[Word]) -> list[Word]:
    """ "Double five" as five, five."""
    kept: list[Word] = []
    times = 1
    for at, word in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        if word.text in _TIMES and following and (following.kind in ("number", "letter") or following.text in _DIGITS):
            times = _TIMES[word.text]
            continue
        kept += [word] * times
        times = 1
    return kept


def _settled(found: list[Word]) -> list[Word]:
    """Decide what depends on its neighbours: "oh" a zero, "a" a letter, "hotel" an h, "first" a day."""
    kept = [replace(word, kind="number", text=_FIGURES[word.text]) if word.text in _FIGURES else word for word in found]
    for at, word in enumerate(kept):
        before = kept[at - 1].kind if at else None
        after = kept[at + 1] if at + 1 < len(kept) else None
        among_figures = before == "number" or (after is not None and after.kind == "number")
        among_letters = before == "letter" or (after is not None and after.kind == "letter")
        if word.text in _DIGITS and among_figures:
            kept[at] = replace(word, kind="number", text=_DIGITS[word.text])
        elif word.kind == "letter" and word.text in _WORDS_TOO and not (among_letters or among_figures):
            kept[at] = replace(word, kind="word")
        elif word.text in _NATO and (before == "letter" or (after is not None and after.text in _NATO)):
            kept[at] = replace(word, kind="letter", text=_NATO[word.text])
        elif word.text in _EARLY:
            kept[at] = replace(word, kind="ordinal", text=_EARLY[word.text])
    return kept


def alike(heard: str, meant: str) -> bool:
    """Whether a heard word may be the meant one: equal, another ending, or a longer word slightly off.

    >>> alike("accepts", "accept"), alike("offise", "office"), alike("nine", "fine")
    (True, True, False)
    """
    return _stem(heard) == _stem(meant) or misheard(heard, meant)


def misheard(heard: str, meant: str) -> bool:
    """Whether two words are the same but for what recognition may get wrong of a longer one."""
    if heard == meant or abs(len(heard) - len(meant)) > 1:
        return heard == meant
    likeness = fuzz.ratio(heard, meant) if min(len(heard), len(meant)) >= LONG_WORD else 0.0
    return likeness >= (ALIKE if heard[:1] == meant[:1] else OTHER_BEGINNING)


def _stem(word: str) -> str:
    bare = word.removesuffix("'s")
    for ending in ("ing", "ed", "es", "s"):
        if len(bare) - len(ending) >= 3 and bare.endswith(ending):
            bare = bare.removesuffix(ending)
            break
    return bare.removesuffix("e") if len(bare) > 3 else bare
