"""What speech and recognition do to figures, undone: one way of writing for all ways of saying. Pure.

"K E, four four nine, two oh one" and "KE-449201" both become "ke449201"; dates, times, money and addresses likewise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from text_to_num import alpha2digit

from mivas.speech._abbreviations import in_full
from mivas.speech._written_runs import joined_runs

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH_OF = {name[:3]: name for name in MONTHS}
_MOST_PASSES = 8
"""A pass only makes text shorter or leaves it; two settle nearly everything."""
_QUOTES = str.maketrans("’‘“”–—−", "''\"\"---")
_UNITS = frozenset({"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"})
_FIGURES = _UNITS | frozenset(
    {"ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
     "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "double", "triple"}
)  # fmt: skip
_OHS = frozenset({"oh", "o"})
_SPELLED_WITH_O = re.compile(r"\b(?=(?:[A-Z],? )*[A-NP-Z]\b)(?=(?:[A-Z],? )*O\b)[A-Z](?:,? [A-Z])+\b")
"""Letters, which the digit words below must not claim."""
_HARD = re.compile(r"[^\s,-]")


def written(text: str) -> str:
    """The text in lower case without marks, its figures in digits. Doing it twice changes nothing.

    Dates become `august 14 2026`, times `10:30 am`, money `$45.50`, ids `ke4492551`, addresses `lee@example.com`.

    >>> written("K E, four four nine, two five five one, on August fourteenth, twenty twenty-six.")
    'ke4492551 on august 14 2026'
    """
    text = unicodedata.normalize("NFKC", text.encode(errors="ignore").decode()).translate(_QUOTES)
    for _ in range(_MOST_PASSES):
        shorter = _pass(text)
        if shorter == text:
            break
        text = shorter
    return text


def _pass(text: str) -> str:
    text = in_full(re.sub(r"\s+", " ", text))
    text = _with_digits(text)
    for pattern, write in _RULES:
        text = pattern.sub(write, text)
    return joined_runs(text)


def _with_digits(text: str) -> str:
    text = re.sub(r"\ba (?=hundred|thousand|million)", "one ", text, flags=re.IGNORECASE)
    text = alpha2digit(_with_zeros(text), "en", 0.0)
    return re.sub(r"\b(double|triple) (\d)\b", lambda found: found[2] * (2 if found[1] == "double" else 3), text)


def _with_zeros(text: str) -> str:
    """ "oh" is a digit after a number, and before one that ends there or goes on."""
    text = _SPELLED_WITH_O.sub(lambda found: re.sub(r",? ", "-", found[0]), text)
    parts = re.split(r"(\w+(?:'\w+)*)", text)  # marks at even places, words between them
    words = parts[1::2]
    for at, word in enumerate(words):
        if word.lower() not in _OHS:
            continue
        follows = at > 0 and _figure(words[at - 1]) and not _HARD.search(parts[2 * at])
        if follows or _leads(parts, at):
            words[at] = "zero"
    parts[1::2] = words
    return "".join(parts)


def _leads(parts: list[str], at: int) -> bool:
    """Whether the "oh" in place `at` begins a run of digits."""
    words, marks = parts[1::2], parts[2::2]
    if at + 1 == len(words):
        return False
    following = words[at + 1].lower()
    if marks[at] not in (" ", "-", ", ") or (marks[at] == ", " and following not in _OHS):
        return False
    if following in _OHS:
        return _leads(parts, at + 1) or (at + 2 < len(words) and words[at + 2].lower() in _OHS)
    ends = at + 2 == len(words) or bool(_HARD.search(marks[at + 1])) or "," in marks[at + 1]
    return _unit(following) and (ends or _figure(words[at + 2]) or words[at + 2].lower() in _OHS)


def _figure(word: str) -> bool:
    return word.isdecimal() or word.lower() in _FIGURES


def _unit(word: str) -> bool:
    return word.lower() in _UNITS or (word.isdecimal() and len(word) == 1)


def _date(month: int, day: str, year: str | None, else_: str) -> str:
    if not (1 <= month <= 12 and 1 <= int(day) <= 31):
        return else_
    year = (year or "").replace(" ", "")
    if len(year) == 2:
        year = ("20" if int(year) < 50 else "19") + year
    return f" {MONTHS[month - 1]} {int(day)} {year} "


def _figure_date(found: re.Match[str]) -> str:
    return _date(int(found["month"]), found["day"], found["year"], found[0])


def _named_date(found: re.Match[str]) -> str:
    return _date(MONTHS.index(_MONTH_OF[found["name"][:3].lower()]) + 1, found["day"], found["year"], found[0])


def _time(found: re.Match[str]) -> str:
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), f"{found['half']}m".lower()
    if hour > 24 or minute > 59:
        return found[0]
    half = "pm" if 12 < hour < 24 else half
    hour = hour % 12 or 12
    return f" {hour}:{minute:02} {half} " if minute else f" {hour} {half} "


def _bare_time(found: re.Match[str]) -> str:
    hour, minute = int(found["hour"]), int(found["minute"])
    if hour > 24 or minute > 59:
        return found[0]
    half = " pm" if 12 < hour < 24 else " am" if hour % 24 == 0 else ""
    clock = f"{hour % 12 or 12}:{minute:02}"
    return f" {clock.removesuffix(':00') if half else clock}{half} "


def _oclock(found: re.Match[str]) -> str:
    half = found["half"]
    return f" {int(found['hour'])} {half.lower()}m " if half else f" {int(found['hour'])}:00 "


def _money(found: re.Match[str]) -> str:
    dollars, cents = int(found["dollars"].replace(",", "")), int(found["cents"] or 0)
    return f" ${dollars}.{cents:02} " if cents else f" ${dollars} "


def _cents(found: re.Match[str]) -> str:
    return f" $0.{int(found[1]):02} "


def _email(found: re.Match[str]) -> str:
    text = re.sub(r" ?\b(?:dot|period)\b ?", ".", found[0].lower())
    text = re.sub(r" ?\bunderscore\b ?", "_", text)
    text = re.sub(r" ?\b(?:dash|hyphen)\b ?", "-", text)
    text = re.sub(r" ?\bplus\b ?", "+", text)
    return re.sub(r" at |[ ,]", lambda one: "@" if one[0] == " at " else "", text)


def _plain_number(found: re.Match[str]) -> str:
    return found[0].replace(",", "")


_NAMES = r"(?P<name>" + "|".join(f"{name}|{name[:3]}(?=[. ])" for name in MONTHS) + r"|sept)\.?"
_HALF = r"(?P<half>[ap])\.? ?m\b\.?"
_YEAR = r"(?:19|20) ?\d\d"
_CHUNK = r"[a-z]+(?: ?\d[\d ]*(?=[ @]))?"
_LINK = r" ?(?:\b(?:dot|period|underscore|dash|hyphen|plus)\b|[._+-]) ?"
_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"\b{_CHUNK}(?:{_LINK}(?:{_CHUNK}|\d+))* ?(?: at |@) ?[a-z0-9]+(?: ?\d+)*(?:(?: dot |\.)[a-z]+)+\b",
                re.IGNORECASE), _email),
    (re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b", re.ASCII), _figure_date),
    (re.compile(r"(?<![\d/$-])(?P<month>\d{1,2})(?P<sign>[/-])(?P<day>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2})(?![\d/-])",
                re.ASCII), _figure_date),
    (re.compile(r"(?<![\d/$])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?P<year>)(?![\d/])", re.ASCII), _figure_date),
    (re.compile(rf"\b{_NAMES} (?:the )?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?!:)"
                rf"(?:,? (?P<year>{_YEAR})\b(?! ?[ap]\.?m))?", re.ASCII | re.IGNORECASE), _named_date),
    (re.compile(rf"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th) (?:of )?{_NAMES}\b(?:,? (?P<year>{_YEAR})\b)?",
                re.ASCII | re.IGNORECASE), _named_date),
    (re.compile(rf"(?<![\d:.$,])(?P<hour>\d{{1,2}})(?: o'? ?clock)?(?:[:. ]?(?P<minute>\d\d))? ?{_HALF}",
                re.ASCII | re.IGNORECASE), _time),
    (re.compile(rf"(?<![\d:.$,])(?P<hour>\d{{1,2}}) o'? ?clock\b(?: {_HALF})?", re.ASCII | re.IGNORECASE), _oclock),
    (re.compile(r"(?<![\d:.$,])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?! ?[ap]m|[\d:])", re.ASCII), _bare_time),
    (re.compile(r"(?<!\d )(?<!\d, )(?<!\d-)(?<![\d:.$,])(?P<hour>[1-9]|1[0-2]) (?P<minute>[1-5]\d)(?![\w:.]|[ ,-]+\d)",
                re.ASCII), _bare_time),
    (re.compile(r"(?<![\d.$,])(?P<dollars>\d[\d,]*) dollars?\b(?:,? (?:and )?(?P<cents>\d\d?) cents?\b)?",
                re.ASCII | re.IGNORECASE), _money),
    (re.compile(r"\$ ?(?P<dollars>\d[\d,]*\b)(?:\.(?P<cents>\d\d)\b)?", re.ASCII), _money),
    (re.compile(r"(?<![\d.$,])(\d\d?) cents?\b", re.ASCII | re.IGNORECASE), _cents),
    (re.compile(r"(?<=\d) ?%"), " percent "),
    (re.compile(r"\b\d{1,3}(?:,\d{3})+\b", re.ASCII), _plain_number),
    (re.compile(r"(?<=\d) point (?=\d)"), "."),
)  # fmt: skip
