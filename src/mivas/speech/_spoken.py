"""Text made sayable: figures, ids, dates, times, money and letters in the words a person would use. Pure.

A synthesiser reads "0198" as "one ninety eight" and "A" as "uh"; a person says "oh one nine eight" and "ay".
The result is plain words for any voice: letters alone in capitals, commas where a speaker pauses, no marks but those.
"""

from __future__ import annotations

import re

from mivas.speech._abbreviations import in_full
from mivas.speech._spoken_figures import FIGURES

SIGNS = {"&": " and ", "%": " percent", "+": " plus ", "@": " at ", "#": " number ", "=": " equals ", "~": " about ",
         "/": " ", "*": " ", "_": " ", "€": " euros", "£": " pounds", "°": " degrees",
         "½": " half", "¼": " a quarter", "¾": " three quarters"}  # fmt: skip
_MARKUP = (
    (re.compile(r"<[/!]?[A-Za-z][^<>]{0,200}>"), " "),
    (re.compile(r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,500}\)"), r"\1"),
    (re.compile(r"^[ \t]*(?:#{1,6}|[-*•]|\d{1,2}[.)])[ \t]+", re.MULTILINE), ""),
    (re.compile(r"(?<=[^\s.,;:!?])[ \t]*\n\s*"), ", "),
)
"""Tags, links, headings and list marks; a line's end is a pause."""
_NOT_SAID = re.compile(r"[^\w\s.,;:!?'’()\"-]|(?<!\w)-|-(?!\w)")
_SPACES = re.compile(r"\s+")


def spoken(text: str) -> str:
    """The text as it is said aloud. Any text will do; what can't be said is left out.

    >>> spoken("Order KE-4492551 comes 08/14/2026 at 10:30 a.m. and costs $45.50.")
    'Order K E, four four nine, two five five one comes August fourteenth, twenty twenty six at ten thirty A M \
and costs forty five dollars and fifty cents.'
    """
    text = text.encode(errors="ignore").decode().replace("–", "-").replace("—", " - ")
    for pattern, kept in _MARKUP:
        text = pattern.sub(kept, text)
    text = in_full(_SPACES.sub(" ", text))
    for pattern, say in FIGURES:
        text = pattern.sub(say, text)
    for sign, said in SIGNS.items():
        text = text.replace(sign, said)
    text = _SPACES.sub(" ", _NOT_SAID.sub(" ", text))
    text = re.sub(r" (?=[.,;:!?])", "", text)
    text = re.sub(r"([,;:])(?: ?[,;:])+", r"\1", text)
    text = re.sub(r"[,;:] ?(?=[.!?])|(?<=[.!?]) ?,", "", text)
    return text.strip(" ,;:")
