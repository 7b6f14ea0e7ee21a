"""Amounts, numbers and lists as a person says them: the texts of a tool are read aloud.

Plain ASCII, because some voice models accept nothing else in a tool's answer.
"""

from __future__ import annotations

from collections.abc import Iterable

_UP_TO_NINETEEN = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NANP_NUMBER_LENGTH = 11


def in_words(number: int) -> str:
    """A whole number from 0 to 999.

    >>> in_words(0), in_words(24), in_words(250)
    ('zero', 'twenty-four', 'two hundred fifty')
    """
    if not 0 <= number < 1000:
        raise ValueError(f"no words for {number}")
    if number < 20:
        return _UP_TO_NINETEEN[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{in_words(ones)}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{in_words(hundreds)} hundred" + (f" {in_words(rest)}" if rest else "")


def dollars(cents: int) -> str:
    """A round amount of money. Raises ValueError when it isn't whole dollars.

    >>> dollars(12500)
    'one hundred twenty-five dollars'
    """
    whole, odd = divmod(cents, 100)
    if odd:
        raise ValueError(f"{cents} cents aren't whole dollars")
    return f"{in_words(whole)} dollars"


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "hour"), count(2, "business day")
    ('one hour', 'two business days')
    """
    return f"{in_words(number)} {noun}" + ("" if number == 1 else "s")


def phone(value: object) -> str:
    """A telephone number digit by digit, North American ones in their usual groups.

    >>> phone("+12125550100")
    'two one two, five five five, zero one zero zero'
    """
    digits = [character for character in str(value) if character in "0123456789"]
    if len(digits) == _NANP_NUMBER_LENGTH and digits[0] == "1":
        digits = digits[1:]
    groups = (digits[:3], digits[3:6], digits[6:]) if len(digits) == _NANP_NUMBER_LENGTH - 1 else (digits,)
    return ", ".join(" ".join(in_words(int(digit)) for digit in group) for group in groups)


def plain(name: str) -> str:
    """A slug or argument key as words.

    >>> plain("front_desk")
    'front desk'
    """
    return name.replace("_", " ")


def listed(names: Iterable[str], last: str = "or") -> str:
    """Names in a row.

    >>> listed(["sms", "email"]), listed(["a", "b", "c"], last="and")
    ('sms or email', 'a, b and c')
    """
    *head, tail = map(plain, names)
    return f"{', '.join(head)} {last} {tail}" if head else tail
