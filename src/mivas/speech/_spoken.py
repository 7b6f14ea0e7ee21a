"""Text made sayable: figures, ids, dates, times, money and letters in the words a person would use. Pure.

A synthesiser reads "0198" as "one ninety eight" and "A" as "uh"; a person says "oh one nine eight" and "ay".
The result is plain words, letters standing alone in capitals, commas where a speaker pauses.
"""

from __future__ import annotations

import re
from collections.abc import Callable

ONES = [
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
]
TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
MONTHS = [
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
]
_MONTH = {name[:3].lower(): name for name in MONTHS}
ABBREVIATIONS = {
    "Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miz", "St.": "Street", "Ave.": "Avenue", "Rd.": "Road",
    "Blvd.": "Boulevard", "Apt.": "Apartment", "Ste.": "Suite", "No.": "Number", "vs.": "versus", "approx.": "about",
    "e.g.": "for example", "i.e.": "that is", "etc.": "and so on",
}  # fmt: skip
SIGNS = {"&": " and ", "%": " percent", "+": " plus ", "@": " at ", "#": " number ", "=": " equals ", "/": " ",
         "*": " ",
         "_": " ", "~": " about ", "<": " ", ">": " ", "|": " ", "^": " ", "`": " ", "{": " ", "}": " ", "[": " ",
         "]": " ", "\\": " "}  # fmt: skip
LARGEST = 999_999_999


def spoken(text: str) -> str:
    """The text as it is said aloud. Any text will do; what can't be said is left out."""
    text = re.sub(r"\s+", " ", text)
    for written, said in ABBREVIATIONS.items():
        text = re.sub(rf"(?<!\w){re.escape(written)}(?=\s|$|,)", said, text)
    for pattern, say in _RULES:
        text = pattern.sub(say, text)
    for sign, said in SIGNS.items():
        text = text.replace(sign, said)
    text = re.sub(r"[^\w\s.,;:!?'’()\"-]", " ", text)
    text = re.sub(r"\s+([.,;:!?])", r"\1", text)
    text = re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def number_words(number: int) -> str:
    """A whole number in words, up to 999,999,999. Longer ones digit by digit."""
    if number > LARGEST:
        return digit_words(str(number))
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f" {ONES[number % 10]}" if number % 10 else "")
    for size, name in ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = f" {number_words(number % size)}" if number % size else ""
            return f"{number_words(number // size)} {name}{rest}"
    raise AssertionError(number)


def ordinal_words(number: int) -> str:
    """first, second, ... as a day of the month is said."""
    *front, last = number_words(number).split()
    if last in ORDINALS:
        last = ORDINALS[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last.removesuffix('t')}th" if last == "eight" else f"{last}th"
    return " ".join([*front, last])


def digit_words(digits: str) -> str:
    """Digit by digit, zero as "oh", with a pause after each group a person would make."""
    names = ["oh" if digit == "0" else ONES[int(digit)] for digit in digits]
    return ", ".join(" ".join(names[at : at + size]) for at, size in _groups(len(digits)))


def _groups(count: int) -> list[tuple[int, int]]:
    sizes = {7: (3, 4), 10: (3, 3, 4), 11: (1, 3, 3, 4)}.get(count)
    if sizes is None:
        sizes = (count,) if count <= 5 else tuple(3 for _ in range((count - 2) // 3))
        left = count - sum(sizes)
        sizes = (*sizes, left) if left else sizes
    groups, at = [], 0
    for size in sizes:
        groups.append((at, size))
        at += size
    return groups


def letter_words(letters: str) -> str:
    """Letters one by one, in capitals."""
    return " ".join(letters.upper())


def year_words(year: int) -> str:
    """A year as it is said: nineteen eighty-four, two thousand nine, twenty twenty-six."""
    if 2000 <= year <= 2009:
        return number_words(year)
    century, rest = divmod(year, 100)
    if rest == 0:
        return f"{number_words(century)} hundred"
    return f"{number_words(century)} {f'oh {ONES[rest]}' if rest < 10 else number_words(rest)}"


def _date(month: int, day: int, year: int | None) -> str:
    said = f"{MONTHS[month - 1]} {ordinal_words(day)}"
    return said if year is None else f"{said}, {year_words(year)}"


def _iso_date(found: re.Match[str]) -> str:
    year, month, day = (int(found[key]) for key in ("year", "month", "day"))
    return _date(month, day, year) if 1 <= month <= 12 and 1 <= day <= 31 else _loose(found[0])


def _slash_date(found: re.Match[str]) -> str:
    month, day = int(found["month"]), int(found["day"])
    year = int(found["year"]) if found["year"] else None
    if year is not None and year < 100:
        year += 2000 if year < 50 else 1900
    return _date(month, day, year) if 1 <= month <= 12 and 1 <= day <= 31 else _loose(found[0])


def _named_date(found: re.Match[str]) -> str:
    month = _MONTH[found["name"][:3].lower()]
    said = f"{month} {ordinal_words(int(found['day']))}"
    return f"{said}, {year_words(int(found['year']))}" if found["year"] else said


def _time(found: re.Match[str]) -> str:
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    half = (found["half"] or "").lower().replace(".", "").replace(" ", "")
    if not 0 <= hour <= 24 or minute > 59:
        return _loose(found[0])
    if not half and hour > 12:
        hour, half = hour - 12, "pm"
    words = number_words(hour or 12)
    if minute:
        words += f" {f'oh {ONES[minute]}' if minute < 10 else number_words(minute)}"
    return words + (f" {letter_words(half)}" if half else "" if minute else " o'clock")


def _money(found: re.Match[str]) -> str:
    whole, cents = int(found["whole"].replace(",", "")), int((found["cents"] or "0").ljust(2, "0"))
    dollars = f"{number_words(whole)} dollar{'' if whole == 1 else 's'}"
    change = f"{number_words(cents)} cent{'' if cents == 1 else 's'}"
    if not cents:
        return dollars
    return f"{dollars} and {change}" if whole else change


def _email(found: re.Match[str]) -> str:
    name, domain = found[0].rsplit("@", 1)
    return f"{_address_words(name)} at {_address_words(domain)}"


def _address_words(text: str) -> str:
    signs = {".": " dot ", "_": " underscore ", "-": " dash ", "+": " plus "}
    parts = re.findall(r"[A-Za-z]+|\d+|[._+-]", text)
    words = [signs.get(part) or (digit_words(part).replace(",", "") if part.isdigit() else part) for part in parts]
    return re.sub(r"\s+", " ", " ".join(words)).strip()


def _phone(found: re.Match[str]) -> str:
    groups = [digits for digits in re.split(r"\D+", found[0]) if digits]
    return ", ".join(digit_words(group) for group in groups)


def _mixed_id(found: re.Match[str]) -> str:
    """An id of letters and digits: letters one by one, digits in groups."""
    parts = re.findall(r"[A-Za-z]+|\d+", found[0])
    return ", ".join(digit_words(part) if part.isdigit() else letter_words(part) for part in parts)


def _decimal(found: re.Match[str]) -> str:
    whole, rest = found[0].replace(",", "").split(".")
    return f"{number_words(int(whole))} point {digit_words(rest).replace(',', '')}"


def _grouped(found: re.Match[str]) -> str:
    return number_words(int(found[0].replace(",", "")))


def _digits(found: re.Match[str]) -> str:
    """A bare run of digits: a small number as one, a year as one, anything longer digit by digit."""
    digits = found[0]
    if digits.startswith("0") and len(digits) > 1:
        return digit_words(digits)
    if len(digits) <= 3:
        return number_words(int(digits))
    if len(digits) == 4 and digits[:2] in ("19", "20"):
        return year_words(int(digits))
    return digit_words(digits)


def _loose(text: str) -> str:
    return " ".join(digit_words(part) if part.isdigit() else part for part in re.findall(r"\d+|[A-Za-z]+", text))


def _letters(found: re.Match[str]) -> str:
    return letter_words(found[0])


_MONTH_NAMES = "|".join(rf"{name}|{name[:3]}\.?" if name != "May" else name for name in MONTHS) + r"|Sept\.?"
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), _email),
    (re.compile(r"(?:https?://|www\.)\S+"), lambda found: _address_words(found[0].split("//")[-1])),
    (re.compile(r"\$\s?(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(?P<cents>\d{2}))?(?!\d)"), _money),
    (re.compile(r"(?<![\d-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?![\d-])", re.ASCII), _iso_date),
    (
        re.compile(r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?(?![\d/])", re.ASCII),
        _slash_date,
    ),
    (
        re.compile(
            rf"\b(?P<name>{_MONTH_NAMES})\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?",
            re.ASCII,
        ),
        _named_date,
    ),
    (re.compile(r"\b(?P<hour>\d{1,2}):(?P<minute>\d{2})(?:\s?(?P<half>[AaPp]\.?\s?[Mm]\b\.?))?", re.ASCII), _time),
    (re.compile(r"\b(?P<hour>\d{1,2})(?P<minute>)\s?(?P<half>[AaPp]\.?\s?[Mm]\b\.?)", re.ASCII), _time),
    (re.compile(r"\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b", re.ASCII), _phone),
    (re.compile(r"\b\d{3}-\d{4}\b", re.ASCII), _phone),
    (
        re.compile(r"\b(?=[A-Za-z-]*\d)(?=[\d-]*[A-Za-z])(?!\d+(?:st|nd|rd|th)\b)[A-Z\d]+(?:-[A-Z\d]+)*\b", re.ASCII),
        _mixed_id,
    ),
    (re.compile(r"\b(\d+)(?:st|nd|rd|th)\b", re.ASCII), lambda found: ordinal_words(int(found[1][-9:]))),
    (re.compile(r"\b\d{1,3}(?:,\d{3})+\.\d+\b|\b\d{1,9}\.\d+\b", re.ASCII), _decimal),
    (re.compile(r"\b\d{1,3}(?:,\d{3})+\b(?!\.\d)", re.ASCII), _grouped),
    (re.compile(r"\d+", re.ASCII), _digits),
    (re.compile(r"\b[B-HJ-Z]\b(?!['’])"), _letters),
    (re.compile(r"\b(?:[A-Z]\.){2,}"), lambda found: letter_words(found[0].replace(".", ""))),
)
