"""Numbers in English text, written as digits or as words, each with the noun it counts.

Pure text; knows no pack. Ordinals below "third" and "once" or "twice" order things and aren't read as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BASE_UNITS = frozenset(
    {"dollar", "percent", "hour", "minute", "second", "day", "business day", "week", "month", "year", "digit"}
)
"""Nouns that belong to the number before them in every pack."""

_TOKEN = re.compile(
    r"(?P<money>\$ ?)?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:st|nd|rd|th)?(?P<percent> ?%)?"
    r"|(?P<word>[A-Za-z]+)|(?P<stop>[.;:!?,()|\"])|(?P<line>\n\s*\n|\n\s*[-#])"
)
_SMALL = {
    word: value
    for value, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        )
    )
}  # fmt: skip
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
_ORDINALS = {
    word: value
    for value, word in enumerate(("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=3)
}
_RANGES = frozenset({"or", "to", "and", "through"})
_CENTS_IN_A_DOLLAR = 100


@dataclass(frozen=True, slots=True)
class Number:
    """A number as a text gives it."""

    value: float
    """Cents are told in dollars."""
    unit: str | None
    """Noun in the singular, or None when none of the known ones follows."""
    said: str
    """The words or digits themselves."""

    def __str__(self) -> str:
        carries_unit = self.unit is None or not self.said[-1:].isalnum() or not self.said[:1].isalnum()
        return self.said if carries_unit else f"{self.said} {self.unit}"


def numbers(text: str, units: frozenset[str] = BASE_UNITS) -> Iterator[Number]:
    """Every number of a text in order. "One" counts only hours, dollars and the like, else it is a pronoun.

    >>> [(number.value, number.unit) for number in numbers("Two or three days, $50, twenty-four-hour window.")]
    [(2.0, 'day'), (3.0, 'day'), (50.0, 'dollar'), (24.0, 'hour')]
    """
    tokens = list(_TOKEN.finditer(text))
    position = 0
    while position < len(tokens):
        found = _number_at(tokens, position)
        if found is None:
            position += 1
            continue
        value, end = found
        unit = _own_unit(tokens[position]) or _unit_at(tokens, end, units)
        said = text[tokens[position].start() : tokens[end - 1].end()]
        if unit in BASE_UNITS or said.lower() != "one":
            yield _in_dollars(value, unit, said)
        position = end


def _in_dollars(value: float, unit: str | None, said: str) -> Number:
    if unit == "cent":
        return Number(value / _CENTS_IN_A_DOLLAR, "dollar", said)
    return Number(value, unit, said)


def _own_unit(token: re.Match[str]) -> str | None:
    if token["money"]:
        return "dollar"
    return "percent" if token["percent"] else None


def _number_at(tokens: list[re.Match[str]], start: int) -> tuple[float, int] | None:
    """Value of the number that begins at a token, and the token after it; None when none begins there."""
    if start == len(tokens):
        return None
    if digits := tokens[start]["digits"]:
        return float(digits.replace(",", "")), start + 1
    if (ordinal := _ORDINALS.get(_word(tokens, start))) is not None:
        return float(ordinal), start + 1
    found = _below_thousand(tokens, start)
    if found is None:
        return None
    value, end = found
    if _word(tokens, end) == "thousand":
        rest = _below_thousand(tokens, end + 1)
        return (1000.0 * value, end + 1) if rest is None else (1000.0 * value + rest[0], rest[1])
    return float(value), end


def _below_thousand(tokens: list[re.Match[str]], start: int) -> tuple[int, int] | None:
    found = _below_hundred(tokens, start)
    if found is None or _word(tokens, found[1]) != "hundred":
        return found
    hundreds, end = found[0] * 100, found[1] + 1
    rest = _below_hundred(tokens, end + (_word(tokens, end) == "and"))
    return (hundreds, end) if rest is None else (hundreds + rest[0], rest[1])


def _below_hundred(tokens: list[re.Match[str]], start: int) -> tuple[int, int] | None:
    word = _word(tokens, start)
    if word in _SMALL:
        return _SMALL[word], start + 1
    if word not in _TENS:
        return None
    ones = _SMALL.get(_word(tokens, start + 1), 0)
    return (_TENS[word] + ones, start + 2) if 0 < ones < 10 else (_TENS[word], start + 1)


def _unit_at(tokens: list[re.Match[str]], position: int, units: frozenset[str]) -> str | None:
    """Known noun at a token; after "two or" that of the number which follows."""
    if _word(tokens, position) in _RANGES and (following := _number_at(tokens, position + 1)) is not None:
        return _own_unit(tokens[position + 1]) or _unit_at(tokens, following[1], units)
    pair = f"{_word(tokens, position)} {_singular(_word(tokens, position + 1))}"
    single = _singular(_word(tokens, position))
    return next((noun for noun in (pair, single) if noun in units or noun == "cent"), None)


def _singular(word: str) -> str:
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def _word(tokens: list[re.Match[str]], position: int) -> str:
    """Lower-cased word at a position, "" when there is none."""
    return (tokens[position]["word"] or "").lower() if position < len(tokens) else ""
