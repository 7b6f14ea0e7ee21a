"""Abbreviations that are said in full, for text on its way to a voice and for text that was heard. Pure."""

from __future__ import annotations

import re

_FULL = {
    "Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miz", "Ave.": "Avenue", "Rd.": "Road",
    "Blvd.": "Boulevard", "Apt.": "Apartment", "Ste.": "Suite", "No.": "Number", "vs.": "versus", "approx.": "about",
    "e.g.": "for example", "i.e.": "that is", "etc.": "and so on",
}  # fmt: skip
_BEFORE_A_NUMBER = frozenset({"No.", "Apt.", "Ste."})
"""Words or names as well; abbreviations only where a number follows."""
_ENDS = r"(?=\s|$|[,;:?!)])"
_PATTERNS = tuple(
    (re.compile(rf"(?<![\w.]){re.escape(short)}" + (r"(?=\s*#?\d)" if short in _BEFORE_A_NUMBER else _ENDS)), full)
    for short, full in _FULL.items()
)
_SAINT = re.compile(r"(?<![\w.])St\.\s+(?=[A-Z][a-z])")
_STREET = re.compile(r"(?<![\w.])St\." + _ENDS)
_AFTER_A_NAME = re.compile(r"(?:[A-Z]\w*|\d(?:st|nd|rd|th))\s$")


def in_full(text: str) -> str:
    """The text with its abbreviations written out. "St." is a saint before a name, unless it ends one itself.

    >>> in_full("Dr. Chen, 12 Oak St. near St. Mary's")
    "Doctor Chen, 12 Oak Street near Saint Mary's"
    """
    for pattern, full in _PATTERNS:
        text = pattern.sub(full, text)
    text = _SAINT.sub(lambda found: "Street " if _AFTER_A_NAME.search(text[: found.start()]) else "Saint ", text)
    return _STREET.sub("Street", text)
