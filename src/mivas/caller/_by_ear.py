"""What a recogniser wrote, as the person on the line would have understood it. Pure.

A person knows its own name, its insurer and its street, and hears them in whatever a recogniser spells ("Etna", "the
O'Grear"). It knows its own numbers as well: recognisers swallow and double equal digits ("555" as "55"), so a long
number that lacks or doubles one digit is heard as the one it is like. A digit that is another one is heard as wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib.resources import files

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

SAME_SOUND = 80.0
"""Likeness of letters, 0 to 100, from which a name is one's own."""
SAME_FOR_CERTAIN = 92.0
"""From which on it needs no capital."""
SAME_RARE_WORD = 74.0
"""For a word of one's own that is in few mouths, such as a medicine."""
SHORTEST_RARE_WORD = 7
"""Letters."""
SHORTEST_NAME = 4
"""Letters; shorter ones are too like other words."""
LONGEST_NAME = 4
"""Words."""
MISHEARD_LETTERS = 0.3
"""Share of spelled letters that may be others, missing or too many."""
_SPELLED = re.compile(r"(?<![\w'’])[A-Za-z]{1,2}(?:[-,. ]+[A-Za-z]{1,2}(?![\w'’])){2,}")
_ASKING = (
    r"(?:which (?!(?:is|was|are|were|will|would|has|have|had|can|could|means|you|we|i|it|the|a)\b)\w+|"
    r"what|how (?:much|many|soon|would|do|can)|would you|could you|can you|"
    r"will you|may i|can i|could i|shall i|should i|do you|did you|are you|is that|is this|does that)"
)
_RUN_ON = re.compile(rf",\s+({_ASKING})\b", re.IGNORECASE)
"""A question that was written on after a comma: recognisers know no sentences."""
_QUESTION = re.compile(rf"(?:(?<=[.?!] )|^){_ASKING}\b[^.?!]*(?:\.(?=\s|$)|$)", re.IGNORECASE)
SHORTEST_OWN_WORD = 5
"""Letters of a word that is known again."""
SAME_WORD = 86.0
"""Likeness of letters, 0 to 100, from which a word is one's own."""
ENDINGS = ("s", "d", "ed", "es", "ing", "er", "ly", "'s")
_PLAIN_WORD = re.compile(r"(?<![\w'’])[A-Za-z]+(?![\w'’])")
_TWO_PIECES = re.compile(r"(?<![\w'’])([A-Za-z]{3,})[- ]([A-Za-z]{3,})(?![\w'’])")
TELEPHONE_DIGITS = 10
SHORTEST_NUMBER = 7
"""Digits of a number that is known by its whole."""
_NUMBER = re.compile(r"(?<![\w$])\d(?:[\d .,-]*\d)?(?!\w)", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def understood_by_ear(
    text: str, names: Sequence[str], numbers: Sequence[str] = (), words: Collection[str] = frozenset()
) -> str:
    """The text with the listener's own names as it spells them, and what recognisers always get wrong put right.

    Args:
        names: as `names_of` finds them.
        numbers: digits of the listener's own numbers, as `numbers_of` finds them.
        words: that it uses itself, as `words_of` finds them; it recognises them in what sounds like them.
    """
    for pattern, meant in _confusions():
        text = pattern.sub(meant, text)
    text = _QUESTION.sub(_asked, _RUN_ON.sub(lambda found: f". {found[1].capitalize()}", text))
    if words:
        text = _with_own_words(text, words)
    text = _SPELLED.sub(lambda found: _own_spelling(found[0], names), text)
    for name in names:
        text = _with_name(text, name)
    return _NUMBER.sub(lambda found: _own_number(found[0], numbers), text)


def _own_spelling(heard: str, names: Sequence[str]) -> str:
    """Letters as the name they spell is written, where few are others: S and F, M and N are one on a telephone."""
    letters = _letters(heard)
    for name in names:
        for known in (_letters(name), *map(_letters, name.split())):
            if len(known) < SHORTEST_NAME:
                continue
            if Levenshtein.distance(letters, known) <= len(known) * MISHEARD_LETTERS:
                return ", ".join(known.upper())
    return heard


def _asked(found: re.Match[str]) -> str:
    """A sentence that asks, with its mark."""
    return f"{found[0].rstrip('.')}?"


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Words of those texts, in lower case, that are long enough to be known again."""
    return frozenset(
        word for text in texts for word in _PLAIN_WORD.findall(text.lower()) if len(word) >= SHORTEST_OWN_WORD
    )


def _with_own_words(text: str, words: Collection[str]) -> str:
    """The text with one's own words where it has others that sound like them, or the same in two pieces."""

    def one(found: re.Match[str]) -> str:
        heard = found[0].lower()
        if heard in words or len(heard) < SHORTEST_OWN_WORD - 1:
            return found[0]
        alike = (own for own in words if own[0] == heard[0] and ratio(own, heard, score_cutoff=SAME_WORD))
        return next((own for own in sorted(alike) if not _inflected(own, heard)), found[0])

    def joined(found: re.Match[str]) -> str:
        own = f"{found[1]}{found[2]}".lower()
        return own if own in words else found[0]

    return _PLAIN_WORD.sub(one, _TWO_PIECES.sub(joined, text))


def _inflected(one: str, other: str) -> bool:
    """Whether they are forms of one word, which mean different things."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short[:-1]) and len(long) - len(short) <= 3 and long[len(short) - 1 :].endswith(ENDINGS)


def numbers_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Digits of every number in those texts that has at least seven of them."""
    found = (_national(re.sub(r"\D", "", number)) for text in texts for number in _NUMBER.findall(text))
    return tuple(sorted({digits for digits in found if len(digits) >= SHORTEST_NUMBER}))


def _own_number(heard: str, numbers: Sequence[str]) -> str:
    """The number as it is known, where one digit was swallowed or doubled or a 1 stands before it; else as heard."""
    digits = re.sub(r"\D", "", heard)
    national = _national(digits)
    for number in numbers:
        near = abs(len(number) - len(digits)) == 1 and Levenshtein.distance(number, digits) == 1
        if (near or number == national != digits) and len(number) == TELEPHONE_DIGITS:
            return f"{number[:3]}-{number[3:6]}-{number[6:]}"
        if near:
            return number
    return heard


def _national(digits: str) -> str:
    """A telephone number without its country's 1."""
    return digits[1:] if len(digits) == TELEPHONE_DIGITS + 1 and digits[0] == "1" else digits


def names_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Those of the texts that are names: a capital, no figure, up to four words. Longest first, each once."""
    found = (
        text.strip(" .,")
        for text in texts
        if text[:1].isupper() and len(text.split()) <= LONGEST_NAME and not any(map(str.isdigit, text))
    )
    named = {name for name in found if len(_letters(name)) >= SHORTEST_NAME and "," not in name}
    return tuple(sorted(named, key=lambda name: (-len(name), name)))


def rare_words_of(values: Iterable[str], sayings: Collection[str]) -> tuple[str, ...]:
    """Values that are one long word in small letters and stand in what the caller says of them, such as a medicine."""
    return tuple(
        value
        for value in dict.fromkeys(values)
        if value.isalpha() and value.islower() and len(value) >= SHORTEST_RARE_WORD and value in sayings
    )


def _with_name(text: str, name: str) -> str:
    """The text with the most alike run of words replaced by the name, wherever one is alike enough."""
    letters = _letters(name)
    if letters in _letters(text):
        return text
    words = list(_WORD.finditer(text))
    size = len(name.split())
    best = (SAME_RARE_WORD if name.islower() else SAME_SOUND), 0, 0
    for begin in range(len(words)):
        for end in range(begin + 1, min(begin + size + 1, len(words)) + 1):
            run = text[words[begin].start() : words[end - 1].end()]
            if re.search(r"[.?!;:,\d]", run) or not run[:1].isalpha():
                continue
            likeness = ratio(letters, _letters(run))
            if likeness > best[0] and (any(map(str.isupper, run)) or likeness > SAME_FOR_CERTAIN or name.islower()):
                best = likeness, words[begin].start(), words[end - 1].end()
    _, begin, end = best
    return f"{text[:begin]}{name}{text[end:]}" if end else text


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha())


@cache
def _confusions() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Heard -> meant, from `data/by_ear.json`."""
    listed = json.loads(files(__package__).joinpath("data/by_ear.json").read_text("utf-8"))
    return tuple((re.compile(rf"\b{heard}\b", re.IGNORECASE), meant) for heard, meant in listed.items())
