"""Numbers, digits, years and letters in words, as they are said aloud. Pure."""

from __future__ import annotations

ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
LARGEST = 999_999_999
"""Longer numbers are said digit by digit."""
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_SIZES = ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
_GROUPS = {7: (3, 4), 10: (3, 3, 4), 11: (1, 3, 3, 4)}
"""How a telephone number is said, by its number of digits; eleven begin with the country's 1."""
LONGEST_GROUP = 5
"""Digits said in one breath."""


def number_words(number: int) -> str:
    """A whole number, 0 or more.

    >>> number_words(1249)
    'one thousand two hundred forty nine'
    """
    if number > LARGEST:
        return digit_words(str(number))
    if number < len(ONES):
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f" {ONES[number % 10]}" if number % 10 else "")
    size, name = next((size, name) for size, name in _SIZES if number >= size)
    rest = f" {number_words(number % size)}" if number % size else ""
    return f"{number_words(number // size)} {name}{rest}"


def ordinal_words(number: int) -> str:
    """A place in a row, as a day of the month is said.

    >>> ordinal_words(22)
    'twenty second'
    """
    *front, last = number_words(number).split()
    said = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return " ".join([*front, said])


def digit_words(digits: str) -> str:
    """Digit by digit, zero as "oh", with a pause after each group a person would make.

    >>> digit_words("4492051")
    'four four nine, two oh five one'
    """
    groups, at = [], 0
    for size in _group_sizes(digits):
        groups.append(" ".join("oh" if digit == "0" else ONES[int(digit)] for digit in digits[at : at + size]))
        at += size
    return ", ".join(groups)


def _group_sizes(digits: str) -> tuple[int, ...]:
    count = len(digits)
    if count <= LONGEST_GROUP:
        return (count,)
    if count in _GROUPS and (count < 11 or digits.startswith("1")):
        return _GROUPS[count]
    threes = (count - 2) // 3
    return (*[3] * threes, count - 3 * threes)


def year_words(year: int) -> str:
    """A year of four digits.

    >>> year_words(1984), year_words(2009), year_words(2026)
    ('nineteen eighty four', 'two thousand nine', 'twenty twenty six')
    """
    if 2000 <= year <= 2009:
        return number_words(year)
    century, rest = divmod(year, 100)
    if rest == 0:
        return f"{number_words(century)} hundred"
    return f"{number_words(century)} {f'oh {ONES[rest]}' if rest < 10 else number_words(rest)}"


def letter_words(letters: str) -> str:
    """Letters one by one, in capitals."""
    return " ".join(letters.upper())
