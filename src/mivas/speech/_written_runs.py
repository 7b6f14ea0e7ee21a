"""Digits and letters said one by one, put together again. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["digits", "letters", "word"]
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_PART = r"(?:[A-Za-z]*\d[A-Za-z\d]*|[A-Z]{1,4})"
_TOKEN = re.compile(
    rf"""(?P<whole>
      [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | \$\d+(?:\.\d\d)?\b
    | \d{{1,2}}(?::\d\d)?[ ](?:am|pm)\b
    | \d{{1,2}}:\d\d\b
    | \d+\.\d+\b
    | \d+(?:\.\d+)?[ ]percent\b
    | (?:{_MONTH})[ ]\d{{1,2}}\b(?:[ ](?:19|20)\d\d\b)?
    | \d+(?:st|nd|rd|th)\b )
    | (?P<digits>\d+(?![^\W_]))
    | (?P<code>(?=[A-Za-z-]*\d)(?=[\d-]*[A-Za-z]){_PART}(?:-{_PART})*\b)
    | (?P<spelled>[A-Z]{{1,8}}(?:-[A-Z]{{1,8}})+\b | [A-Za-z](?:-[A-Za-z])+\b | (?:[A-Z]\.){{2,}})
    | (?P<word>[^\W_]+(?:'[^\W_]+)*)
    | (?P<mark>[^\w\s]|_)
    """,
    re.VERBOSE,
)
_SOFT = frozenset(", -")
_WORDS_TOO = frozenset("AI")
_LEAST_DIGITS = 3
"""Digits that make an id of the letters beside them, or a pause between two groups no more than a pause."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_NO_PREFIX = frozenset(
    {"AM", "DOB", "ID", "NO", "OK", "PIN", "PM", "PO", "SSN", "TV", "US", "USA", "ZIP", "AL", "AK", "AZ", "AR", "CA",
     "CO", "CT", "DC", "DE", "FL", "GA", "HI", "IA", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MI", "MN", "MO",
     "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT",
     "VA", "VT", "WA", "WI", "WV", "WY"}
)  # fmt: skip
"""Capitals that stand before a number without being part of it."""


@dataclass(slots=True)
class Piece:
    """A token, and what stood before it: "" at the start, " ", "," (a pause), or "." (a stop)."""

    kind: Kind
    text: str
    before: str
    spelled: bool = False


def joined_runs(text: str) -> str:
    """Lower-case words without marks; runs of digits and spelled letters as one word each.

    Digits that stay apart keep the comma between them, so that a second look sees what the first saw.
    """
    pieces = _over_pauses(_side_by_side(list(_pieces(text))))
    said = ""
    for last, piece in zip([None, *pieces], pieces, strict=False):
        apart = last is not None and last.text[-1].isdigit() and piece.text[0].isdigit() and piece.before != " "
        said += f"{',' if apart else ''}{' ' if said else ''}{piece.text.lower()}"
    return said


def _pieces(text: str) -> Iterator[Piece]:
    before, end = "", 0
    for found in _TOKEN.finditer(text):
        before = before or (" " if found.start() > end else "")
        end = found.end()
        kind = found.lastgroup
        if kind == "mark":
            before = "." if found[0] in ".?!;:" or before == "." else "," if found[0] in ",-/" else before or " "
            continue
        if kind == "digits":
            yield Piece("digits", found[0], before)
        elif kind == "code":
            yield Piece("word", found[0].replace("-", ""), before)
        elif kind == "spelled":
            letters = re.sub(r"[-.]", "", found[0])
            yield Piece("letters", letters.upper(), before, spelled=True)
        elif kind == "word" and re.fullmatch(r"[A-Z]{1,3}", found[0]) and found[0] not in _NO_PREFIX:
            yield Piece("letters", found[0], before)
        else:
            yield Piece("word", found[0], before)
        before = ""


def _side_by_side(pieces: list[Piece]) -> list[Piece]:
    """Join digits with digits and single letters with single letters where only a space stands between."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last is not None and piece.before == " " and last.kind == piece.kind == "digits":
            last.text += piece.text
        elif last is not None and piece.before == " " and _both_spelled(last, piece):
            last.text, last.spelled = last.text + piece.text, True
        else:
            joined.append(piece)
    return joined


def _both_spelled(last: Piece, piece: Piece) -> bool:
    if not last.kind == piece.kind == "letters" or last.text == "I":
        return False
    return (last.spelled or len(last.text) == 1) and (piece.spelled or len(piece.text) == 1)


def _over_pauses(pieces: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last is not None and piece.before in ("", " ", ",") and _belongs(last, piece):
            last.text, last.spelled = last.text + piece.text, True
            last.kind = "digits" if last.kind == piece.kind == "digits" else "letters"
        else:
            joined.append(piece)
    return joined


def _belongs(last: Piece, piece: Piece) -> bool:
    """Whether a pause between two groups is one inside an id."""
    if last.kind == "word" or piece.kind == "word":
        return False
    if last.kind == piece.kind == "digits":
        least = 2 if _YEAR.fullmatch(last.text) else 0
        return max(len(last.text), len(piece.text)) >= _LEAST_DIGITS and len(piece.text) > least
    mixed = any(map(str.isdigit, last.text))
    if last.kind == piece.kind == "letters":
        alone = last.text in _WORDS_TOO or piece.text in _WORDS_TOO
        return mixed or (
            not alone and (last.spelled or len(last.text) == 1) and (piece.spelled or len(piece.text) == 1)
        )
    if piece.kind == "digits":
        alone = last.text in _WORDS_TOO and piece.before == " "
        return mixed or (len(piece.text) >= _LEAST_DIGITS and not alone)
    return len(last.text) >= _LEAST_DIGITS and len(piece.text) == 1 and piece.text not in _WORDS_TOO
