"""When two values mean the same: the closed set of equality kinds, and the normal forms behind them.

Pure functions on JSON values, used by tool handlers and verifier alike, so that a call the state service honoured is
never scored as missing. A kind answers True or False when it decides, None when it doesn't apply to these values.
Source: scoring.md 3.5; which key gets which kind is data (`scoring.json`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_NON_DIGIT = re.compile(r"[^0-9]+")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DATE_TIME = re.compile(
    _DATE.pattern
    + r"[T ]([0-9]{2}):([0-9]{2})(?::([0-5][0-9])(?:\.[0-9]+)?)?(?:Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])?"
)
_TOKEN = re.compile(r"[^\W_]+")
_NOT_LETTER = re.compile(r"[^a-z]+")
_APOSTROPHES_AND_STOPS = {ord(mark): None for mark in ".'’‘ʼ`"}
_SOUNDS = (("ck", "k"), ("qu", "kw"), ("ph", "f"), ("c", "k"), ("q", "k"), ("z", "s"))
_RUN = re.compile(r"(.)\1+", re.DOTALL)
_NATIONAL_DIGITS = 10
_TAIL_DIGITS, _MIN_DIGITS = 7, 4


def trim_lower(text: str) -> str:
    """Ends stripped, lower case.

    >>> trim_lower("  Park Avenue ")
    'park avenue'
    """
    return text.strip().lower()


def compact(text: str) -> str:
    """Lower case, letters and digits only.

    >>> compact("Blue-Cross Blue Shield")
    'bluecrossblueshield'
    """
    return "".join(filter(str.isalnum, text.lower()))


def letters(text: str) -> str:
    """Lower case, a to z only.

    >>> letters(" N.Y. ")
    'ny'
    """
    return _NOT_LETTER.sub("", text.lower())


def spaces(text: str) -> str:
    """Ends stripped, lower case, hyphens and underscores as spaces.

    >>> spaces("Car_Accident")
    'car accident'
    """
    return text.lower().replace("-", " ").replace("_", " ").strip()


def underscores(text: str) -> str:
    """Ends stripped, lower case, spaces as underscores.

    >>> underscores("In store")
    'in_store'
    """
    return text.strip().lower().replace(" ", "_")


NORMAL_FORMS: Mapping[str, Callable[[str], str]] = {
    "trim_lower": trim_lower,
    "compact": compact,
    "letters": letters,
    "spaces": spaces,
    "underscores": underscores,
}
"""Normal forms an alias table may name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasTable:
    """Spellings of a closed set of names."""

    normalise: Callable[[str], str]
    spellings: Mapping[str, str]
    """Normalised spelling to canonical name; a canonical name is a spelling of itself."""

    def canonical(self, value: object) -> str | None:
        """The name that `value` spells, or None when it spells none (or is no text)."""
        return self.spellings.get(self.normalise(value)) if isinstance(value, str) else None

    def spelt(self, value: str) -> str:
        """The canonical name, or the normalised text itself when unknown; "" for a blank."""
        normal = self.normalise(value)
        return self.spellings.get(normal, normal)


def same_alias(expected: object, actual: object, *, table: AliasTable) -> bool | None:
    """Both texts spell one name. A blank spells nothing. Kinds `alias` and `compact_alias`."""
    if not (isinstance(expected, str) and isinstance(actual, str)):
        return None
    name = table.spelt(expected)
    return bool(name) and name == table.spelt(actual)


def same_alias_set(expected: object, actual: object, *, table: AliasTable) -> bool | None:
    """Both lists spell the same set of names; order and repeats don't matter, an empty list never matches."""
    if not (isinstance(expected, list) and isinstance(actual, list)):
        return None
    if not all(isinstance(item, str) for item in (*expected, *actual)):
        return False
    wanted = {table.spelt(item) for item in expected}
    return bool(wanted) and "" not in wanted and wanted == {table.spelt(item) for item in actual}


def is_phone_key(key: str) -> bool:
    """Whether a key names a telephone number by its spelling alone.

    >>> is_phone_key("mobile_e164"), is_phone_key("Phone2"), is_phone_key("callback_number")
    (True, True, False)
    """
    lowered = key.lower()
    return "phone" in lowered or lowered.endswith("_e164")


def digits_of(value: object) -> str | None:
    """Decimal digits of a text or whole number, in order; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, (str, int)):
        return None
    try:
        return _NON_DIGIT.sub("", str(value))
    except ValueError:  # thousands of digits: more than Python writes out, and no number anyone dials
        return None


def national_digits(value: object) -> str | None:
    """Digits of a telephone number, a leading 1 of eleven dropped; None for anything but text and whole numbers.

    >>> national_digits("+1 (212) 555-0100")
    '2125550100'
    """
    digits = digits_of(value)
    if digits and len(digits) == _NATIONAL_DIGITS + 1 and digits[0] == "1":
        return digits[1:]
    return digits


def same_digits(expected: object, actual: object) -> bool | None:
    """Telephone numbers with the same national digits. Doesn't apply where the expected side holds no digit."""
    wanted = national_digits(expected)
    heard = national_digits(actual)
    return wanted == heard if wanted and heard is not None else None


def same_suffix_digits(expected: object, actual: object) -> bool | None:
    """Both hold four digits or more, and the expected ones end with the last seven of the actual ones; else None.

    >>> same_suffix_digits("AB-1234567", "1234567"), same_suffix_digits("AB-1234567", "7654321")
    (True, None)
    """
    wanted, heard = digits_of(expected), digits_of(actual)
    if wanted is None or heard is None or min(len(wanted), len(heard)) < _MIN_DIGITS:
        return None
    return True if wanted.endswith(heard[-_TAIL_DIGITS:]) else None


def date_time_to_minute(text: str) -> str | None:
    """`YYYY-MM-DDTHH:MM` of an ISO date-time, seconds and zone dropped, not converted; None when it is none.

    >>> date_time_to_minute("2026-08-24 09:00:30+02:00")
    '2026-08-24T09:00'
    """
    found = _DATE_TIME.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute = found.group(1, 2, 3, 4, 5)
    try:
        datetime(int(year), int(month), int(day), int(hour), int(minute))  # noqa: DTZ001 - only asks if it is real
    except ValueError:
        return None
    return f"{year}-{month}-{day}T{hour}:{minute}"


def _to_minute(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    text = value.strip().removesuffix("Z")  # handlers take a Z after a date or an offset too
    return date_time_to_minute(f"{text}T00:00" if _DATE.fullmatch(text) else text)


def same_minute(expected: object, actual: object) -> bool | None:
    """Date-times equal to the minute; a date alone means midnight. Applies when both sides parse."""
    wanted, heard = _to_minute(expected), _to_minute(actual)
    return None if wanted is None or heard is None else wanted == heard


def same_fuzzy_name(expected: object, actual: object) -> bool | None:
    """Every word of the expected name was heard, give or take a slip; extra words don't hurt. Not symmetric.

    Source: scoring.md 3.5.4.
    >>> same_fuzzy_name("Daniel Okonkwo", "Daniel Oconquo"), same_fuzzy_name("Vertex Logistics", "Vertex")
    (True, False)
    """
    if not (isinstance(expected, str) and isinstance(actual, str)):
        return None
    wanted, heard = _sounds(expected), _sounds(actual)
    if not wanted or not heard:
        return False
    if all(any(within_edits(word, other, tolerated_edits(len(word))) for other in heard) for word in wanted):
        return True
    return _run_matches("".join(wanted), len(wanted), heard)


def _sounds(name: str) -> list[str]:
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", name) if not unicodedata.combining(mark))
    return [_fold(word) for word in _TOKEN.findall(plain.casefold().translate(_APOSTROPHES_AND_STOPS))]


def _fold(word: str) -> str:
    for spelling, sound in _SOUNDS:
        word = word.replace(spelling, sound)
    return _RUN.sub(r"\1", word)


def tolerated_edits(length: int) -> int:
    """Edits tolerated in a word of that many letters (scoring.md 3.5.4).

    >>> [tolerated_edits(length) for length in (3, 4, 6, 7)]
    [0, 1, 1, 2]
    """
    if length <= 3:
        return 0
    return 1 if length <= 6 else 2


def _run_matches(wanted: str, words: int, heard: Sequence[str]) -> bool:
    """Whether neighbouring words, more or fewer than expected, join to the expected name: split and joined words."""
    limit = tolerated_edits(len(wanted))
    for start in range(len(heard)):
        joined = ""
        for at in range(start, len(heard)):
            joined += heard[at]
            if len(joined) > len(wanted) + limit:
                break
            if at - start + 1 != words and within_edits(wanted, joined, limit):
                return True
    return False


def within_edits(left: str, right: str, limit: int) -> bool:
    """Whether the Levenshtein distance is at most `limit`: tries the edits that are left where the texts part.

    >>> within_edits("vertex", "vortex", 1), within_edits("center", "centre", 1)
    (True, False)
    """
    shared = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        shared += 1
    left, right = left[shared:], right[shared:]
    if not left or not right or limit == 0:
        return max(len(left), len(right)) <= limit
    if abs(len(left) - len(right)) > limit:
        return False
    return (
        within_edits(left[1:], right[1:], limit - 1)
        or within_edits(left[1:], right, limit - 1)
        or within_edits(left, right[1:], limit - 1)
    )


def same_json(expected: object, actual: object) -> bool:
    """Structurally equal; numbers by value, and true equals 1 (kept on purpose, scoring.md 3.5 rule 1)."""
    try:
        return bool(expected == actual)
    except RecursionError:  # nested past the interpreter's limit: no honest record looks like that
        return False


def same_plain(expected: object, actual: object) -> bool:
    """Rules 9 to 11 of scoring.md 3.5: booleans never, numbers by value, texts trimmed and case-folded.

    >>> same_plain("399.99", 399.99), same_plain("$5", 5), same_plain(" Aetna", "AETNA"), same_plain("true", True)
    (True, False, True, False)
    """
    if isinstance(expected, bool) or isinstance(actual, bool):
        return False
    if isinstance(expected, str) and isinstance(actual, str):
        return expected.strip().casefold() == actual.strip().casefold()
    wanted, heard = _number(expected), _number(actual)
    return wanted is not None and wanted == heard


def _number(value: object) -> float | None:
    if not isinstance(value, (str, int, float)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def output_value(output: Any, key: str) -> object:
    """What a tool's answer says about `key` in its data, or None. Kind `output_names`."""
    data = output.get("data") if isinstance(output, Mapping) else None
    return data.get(key) if isinstance(data, Mapping) else None
