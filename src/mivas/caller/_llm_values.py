"""Values that a text states, in forms that can be compared: figures (numbers, ids, spelled letters) and names.

Reads what a caller says, not what an agent asks; "August 31st" and "August thirty-first" come to the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

_TOKEN = re.compile(r"[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+|[^\W_]*\d[^\W_]*|[^\W\d_]+(?:'[^\W\d_]+)*|[^\w\s]")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",)  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
    **{f"{word}th": number for number, word in enumerate(_UNITS) if number not in (0, 1, 2, 3, 5, 8, 9, 12)},
    **{f"{word[:-1]}ieth": 10 * number for number, word in enumerate(_TENS, 2)},
}  # fmt: skip
_NUMBERS = (
    {word: number for number, word in enumerate(_UNITS)}
    | {word: 10 * number for number, word in enumerate(_TENS, 2)}
    | _ORDINALS
    | {"oh": 0}
)
_SCALES = {"hundred": 100, "thousand": 1000}
_REPEATS = {"double": 2, "triple": 3}
_JOINTS = frozenset("-–—,./():+#$")
"""Signs inside a number, an id or a spelled word."""
_DATE_WORDS = frozenset(
    (
        "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
        "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today",
        "tomorrow", "tonight", "yesterday", "noon", "midnight",
    )
)  # fmt: skip
_COMMON = frozenset(
    (
        "a", "ah", "actually", "again", "all", "alright", "also", "and", "any", "are", "as", "ask", "at", "be",
        "because", "but", "by", "bye", "can", "certainly", "cheers", "correct", "could", "did", "do", "does",
        "exactly", "excuse", "fine", "for", "go", "good", "goodbye", "got", "great", "have", "hello", "hey", "hi",
        "hm", "hmm", "hold", "how", "i", "if", "in", "is", "it", "it's", "i'd", "i'll", "i'm", "i've", "just",
        "let", "like", "look", "maybe", "me", "my", "nah", "never", "no", "nope", "not", "now", "of", "oh", "ok",
        "okay", "on", "one", "or", "otherwise", "pardon", "perfect", "please", "rather", "really", "right", "say",
        "so", "see", "sorry", "still", "sure", "take", "tell", "thank", "thanks", "that", "that's", "the", "then",
        "there", "there's", "they", "this", "to", "uh", "um", "unfortunately", "well", "what", "what's", "when",
        "where", "which", "who", "why", "will", "would", "yeah", "yep", "yes", "you", "your", "you're",
    )
)  # fmt: skip
"""Words that may begin a sentence with a capital and are no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """What a text states."""

    figures: frozenset[str]
    """Numbers, ids and spelled letters, as digits and lower-case letters run together: `7185550142`, `bq408`."""
    names: frozenset[str]
    """Capitalised words, months, weekdays and e-mail addresses, in lower case."""
    words: frozenset[str]
    """All words in lower case."""


def values_of(text: str) -> Values:
    """Read the values of a text.

    >>> sorted(values_of("On August 31st, it's double five oh for Ann.").figures)
    ['31', '550']
    """
    tokens = _TOKEN.findall(text.replace("’", "'"))
    return Values(
        figures=frozenset(_figures(tokens)),
        names=frozenset(_names(tokens)),
        words=frozenset(token.lower() for token in tokens),
    )


def unfounded(said: Values, known: Iterable[Values]) -> list[str]:
    """Values said that none of the known texts holds, sorted."""
    figures: set[str] = set()
    words: set[str] = set()
    for one in known:
        figures |= one.figures
        words |= one.words
    return sorted(said.figures - figures) + sorted(said.names - words)


def _names(tokens: list[str]) -> Iterator[str]:
    begins = True
    for word, following in pairwise([*tokens, ""]):
        lower = word.lower()
        is_name = _is_capitalised(word, lower) and not (begins and _only_begins(lower, following))
        if is_name or "@" in word or lower in _DATE_WORDS:
            yield lower
        begins = word in (".", "!", "?", ":", '"') or (begins and not word[0].isalnum())


def _only_begins(lower: str, following: str) -> bool:
    """Whether a sentence's first word is capitalised for that alone: "Call me", but neither "Cigna." nor "Bob here"."""
    if lower == "may":
        return following in ("I", "we")
    goes_on = following.islower() and following not in ("here", "is", "speaking")
    return lower in _COMMON or goes_on or following.startswith("I'") or following == "I"


def _is_capitalised(word: str, lower: str) -> bool:
    if not word.replace("'", "").isalpha() or len(word) == 1 or word.startswith("I'"):
        return False
    is_figure = lower in _NUMBERS or lower in _SCALES or lower in _REPEATS
    return word[0].isupper() and not is_figure and lower not in ("ok", "am", "pm")


def _figures(tokens: list[str]) -> Iterator[str]:
    run = _Run()
    for token, following in pairwise([*tokens, ""]):
        if run.takes(token, following):
            continue
        if run.is_value:
            yield run.text
        run = _Run()
        run.takes(token, following)
    if run.is_value:
        yield run.text


class _Run:
    """Numbers and letters said one after the other."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._words: list[str] = []
        self._last: int | None = None
        """Number that a unit or a scale may still join."""
        self._times = 1

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def is_value(self) -> bool:
        """Whether it is more than an article, the pronoun, or the "one" of "that one"."""
        return bool(self._parts) and self._words not in (["a"], ["i"], ["one"])

    def takes(self, token: str, following: str) -> bool:
        """Add a token, or say that it doesn't belong."""
        lower = token.lower()
        if ordinal := _ORDINAL.fullmatch(token):
            return self._add(ordinal[1], lower, None)
        if any(letter.isdigit() for letter in token):
            return "@" not in token and self._add(lower, lower, None)
        if lower in _REPEATS:
            self._times, self._last = _REPEATS[lower], None
            return True
        if lower in _SCALES:
            return self._scale(_SCALES[lower])
        if lower in _NUMBERS and (lower != "oh" or self._parts or self._times > 1):
            return self._number(_NUMBERS[lower], lower)
        if len(token) == 1 and token.isalpha():
            return (token.isupper() or bool(self._parts)) and self._add(lower, lower, None)
        return self._joins(token, following)

    def _joins(self, sign: str, following: str) -> bool:
        """Whether a sign stands inside a figure rather than behind it."""
        if sign not in _JOINTS or not self._parts:
            return False
        if sign not in "-–":
            self._last = None
        if sign == ".":
            return following[:1].isdigit()
        return following[:1].isdigit() or following.lower() in _NUMBERS or len(following) == 1

    def _number(self, number: int, word: str) -> bool:
        last = self._last or 0
        joins_tens = last % 100 >= 20 and last % 10 == 0 and 0 < number < 10
        joins_hundreds = last > 0 and last % 100 == 0 and 0 < number < 100
        return self._join(last + number) if joins_tens or joins_hundreds else self._add(str(number), word, number)

    def _scale(self, scale: int) -> bool:
        return self._last is not None and 0 < self._last < scale and self._join(self._last * scale)

    def _join(self, number: int) -> bool:
        self._parts[-1] = str(number)
        self._words.append("")
        self._last = number
        return True

    def _add(self, part: str, word: str, last: int | None) -> bool:
        self._parts += [part] * self._times
        self._words += [word] * self._times
        self._times, self._last = 1, last
        return True
