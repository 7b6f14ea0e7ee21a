"""How each kind of figure is said. Rules in order: the first that fits a piece of text has it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from mivas.speech._number_words import LARGEST, ONES, digit_words, letter_words, number_words, ordinal_words, year_words

Found: TypeAlias = "re.Match[str]"
Rule: TypeAlias = "tuple[re.Pattern[str], Callable[[Found], str]]"

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
LONGEST_WORD = 4
"""Capitals beside digits that are letters of an id; a longer run is a word."""
LETTERS_A_BREATH = 4
_MONTH = {name[:3].lower(): name for name in MONTHS}
_ADDRESS_SIGNS = {".": "dot", "_": "underscore", "-": "dash", "+": "plus", "/": "slash", "@": "at"}


def _date(month: int, day: int, year: int | None, otherwise: str) -> str:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return _number_by_number(otherwise)
    said = f"{MONTHS[month - 1]} {ordinal_words(day)}"
    return said if year is None else f"{said}, {year_words(year)}"


def _figure_date(found: Found) -> str:
    year = int(found["year"]) if found["year"] else None
    if year is not None and year < 100:
        year += 2000 if year < 50 else 1900
    return _date(int(found["month"]), int(found["day"]), year, found[0])


def _named_date(found: Found) -> str:
    said = f"{_MONTH[found['name'][:3].lower()]} {ordinal_words(int(found['day']))}"
    return f"{said}, {year_words(int(found['year']))}" if found["year"] else said


def _time(found: Found) -> str:
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    half = (found["half"] or "").upper()
    if hour > 24 or minute > 59:
        return _number_by_number(found[0])
    if hour > 12 or hour == 0:
        half = "P" if 12 < hour < 24 else "A"
    words = [number_words(hour % 12 or 12)]
    if minute:
        words.append(f"oh {ONES[minute]}" if minute < 10 else number_words(minute))
    words += [f"{half} M"] if half else [] if minute else ["o'clock"]
    return f" {' '.join(words)}{'. ' if _ends_a_sentence(found) else ' '}"


def _ends_a_sentence(found: Found) -> bool:
    """Whether the stop of "p.m." is the sentence's as well."""
    rest = found.string[found.end() :].lstrip(" ")
    return found[0].endswith(".") and (not rest or rest[0].isupper())


def _money(found: Found) -> str:
    dollars, cents = int(found["dollars"].replace(",", "")), int((found["cents"] or "0").ljust(2, "0"))
    change = f"{number_words(cents)} cent{'' if cents == 1 else 's'}"
    if not dollars and cents:
        return f" {change} "
    said = f"{number_words(dollars)} dollar{'' if dollars == 1 else 's'}"
    return f" {said} and {change} " if cents else f" {said} "


def _large_money(found: Found) -> str:
    return f"{found[1]} {found[2]} dollars"


def _address(found: Found) -> str:
    """An e-mail or web address."""
    parts = re.findall(r"[A-Za-z]+|\d+|[._+/@-]", found[0].split("//")[-1])
    words = [_ADDRESS_SIGNS.get(part) or _digits_alone(part) for part in parts]
    return f" {' '.join(words)} "


def _digits_alone(part: str) -> str:
    return digit_words(part).replace(",", "") if part.isdecimal() else part


def _digit_groups(found: Found) -> str:
    """Digits in the groups in which they are written."""
    return f" {', '.join(digit_words(group) for group in re.findall(r'[0-9]+', found[0]))} "


def _id(found: Found) -> str:
    """Letters one by one, digits in groups."""
    said = []
    for part in re.findall(r"[A-Z]+|[0-9]+", found[0]):
        if part.isdecimal():
            said.append(digit_words(part))
        else:
            said.append(part if len(part) > LONGEST_WORD else letter_words(part))
    return f" {', '.join(said)} "


def _letters(found: Found) -> str:
    """A name spelled with marks between its letters."""
    letters = [one for one in found[0].upper() if one.isalpha()]
    groups = [letters[at : at + LETTERS_A_BREATH] for at in range(0, len(letters), LETTERS_A_BREATH)]
    if len(groups) > 1 and len(groups[-1]) == 1:
        groups[-2:] = [groups[-2] + groups[-1]]
    return ", ".join(map(" ".join, groups)) + (" " if found[0].endswith(".") else "")


def _range(found: Found) -> str:
    return f" {number_words(int(found[1]))} to {number_words(int(found[2]))} "


def _decimal(found: Found) -> str:
    whole, rest = found[0].replace(",", "").split(".")
    return f" {number_words(int(whole))} point {_digits_alone(rest)} "


def _grouped(found: Found) -> str:
    number = int(found[0].replace(",", ""))
    return f" {number_words(number)} " if number <= LARGEST else _digit_groups(found)


def _digits(found: Found) -> str:
    """A bare run: a small number or a year as one, anything else digit by digit."""
    digits = found[0]
    if len(digits) > 1 and digits.startswith("0"):
        return f" {digit_words(digits)} "
    if len(digits) <= 3:
        return f" {number_words(int(digits))} "
    return f" {year_words(int(digits)) if re.fullmatch('(?:19|20)..', digits) else digit_words(digits)} "


def _number_by_number(text: str) -> str:
    """What looked like a date or a time and is none."""
    parts = re.findall(r"[0-9]+|[A-Za-z]+", text)
    small = [number_words(int(part)) if len(part) <= 2 else digit_words(part) for part in parts if part.isdecimal()]
    return f" {', '.join([*small, *(part for part in parts if not part.isdecimal())])} "


_NAMES = "|".join(name if name == "May" else rf"{name}|{name[:3]}\.?" for name in MONTHS) + r"|Sept\.?"
_CODE = r"(?:[A-Z]*[0-9][A-Z0-9]*|[A-Z]+)"
FIGURES: tuple[Rule, ...] = tuple(
    (re.compile(pattern, re.ASCII), say)
    for pattern, say in (
        (r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+", _address),
        (r"\b(?:https?://|www\.)[\w./+-]*\w", _address),
        (r"\$\s?(\d[\d,.]*) (million|thousand|billion)\b", _large_money),
        (r"\$\s?(?P<dollars>\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(?P<cents>\d{1,2}))?(?!\d)", _money),
        (r"(?<![\d-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?![\d-])", _figure_date),
        (r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?(?![\d/])", _figure_date),
        (
            rf"\b(?P<name>{_NAMES})\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?![:-]\d)(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?",
            _named_date,
        ),
        (r"(?<=\d)\s?-\s?(?=\d{1,2}:\d\d)", lambda _: " to "),
        (r"\b(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d\d)?\b(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\b\.?)?", _time),
        (r"\b(?P<hour>\d{1,2})(?P<minute>)\s?(?P<half>[AaPp])\.?\s?[Mm]\b\.?", _time),
        (r"\b\d{1,2}-\d{3}-\d{3}-\d{4}\b", _digit_groups),
        (r"(?:\(|\b)\d{3}\)?[-. ]?\d{3}[-. ]\d{4}\b", _digit_groups),
        (r"\b(\d{1,2})\s?-\s?(\d{1,2})\b(?!-)", _range),
        (r"\b\d+(?:-\d+)+\b", _digit_groups),
        (rf"\b(?=[A-Z-]*\d)(?=[\d-]*[A-Z]){_CODE}(?:-{_CODE})*\b", _id),
        (r"\b[A-Za-z](?:-[A-Za-z])+\b|\b(?:[A-Z]\.){2,}", _letters),
        (r"\b(\d{1,9})(?:st|nd|rd|th)\b", lambda found: ordinal_words(int(found[1]))),
        (r"\b(?:\d{1,3}(?:,\d{3})+|\d{1,9})\.\d+\b", _decimal),
        (r"\b\d{1,3}(?:,\d{3})+\b", _grouped),
        (r"\d+", _digits),
    )
)
