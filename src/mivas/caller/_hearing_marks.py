"""Full stops and question marks for words that came without any, as speech recognition may give them.

A linear model of the words on both sides of a gap says where a sentence ends, another of a sentence's first and last
words whether it asks; both are made by `tools/train_marks.py`. Text that has marks of its own is left as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise

_MARKED = re.compile(r"[.?!…](?:\s|$)|[.?!]$|[\"“”-]$|—$")
_WORD = re.compile(r"[a-z0-9']+")
ENDS_ABOVE = -60
"""Hundredths of log odds from which on a sentence ends: one cut too many harms less than two run together."""
LONGEST = 600
"""Words of a turn that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Weights in hundredths: of features of a gap (a sentence ends there), and of a sentence (it asks)."""

    ends: Mapping[str, int]
    asks: Mapping[str, int]


def with_marks(text: str, marks: Marks | None = None) -> str:
    """The text with its sentences marked, when it has no mark at all.

    >>> with_marks("thanks i have that what is your zip code")
    'thanks i have that. what is your zip code?'
    >>> with_marks("Thanks. And your zip")
    'Thanks. And your zip'
    """
    if _MARKED.search(text.strip()) or not text.strip():
        return text
    weights = marks or default_marks()
    words = text.split()[-LONGEST:]
    plain = ["".join(_WORD.findall(word.lower())) for word in words]
    found: list[str] = []
    start = 0
    for at in range(1, len(words) + 1):
        if at == len(words) or _total(end_features(plain, at), weights.ends) > ENDS_ABOVE:
            asks = _total(ask_features(plain[start:at]), weights.asks) > 0
            found.append(" ".join(words[start:at]).rstrip(",;:") + ("?" if asks else "."))
            start = at
    return " ".join(found)


def _total(features: Iterator[str], weights: Mapping[str, int]) -> int:
    return sum(weights.get(feature, 0) for feature in features)


def end_features(words: Sequence[str], at: int) -> Iterator[str]:
    """Of the gap before `words[at]`."""
    before, after = ["^", "^", *words[:at]], [*words[at:], "$", "$"]
    yield "bias"
    yield f"l {before[-1]}"
    yield f"ll {before[-2]} {before[-1]}"
    yield f"r {after[0]}"
    yield f"rr {after[0]} {after[1]}"
    yield f"rrr {after[0]} {after[1]} {after[2] if len(after) > 2 else '$'}"
    yield f"lr {before[-1]} {after[0]}"
    yield f"first {min(at, 3)}"


def ask_features(words: Sequence[str]) -> Iterator[str]:
    """Of a whole sentence."""
    padded = [*words, "$", "$"]
    yield "bias"
    yield f"1 {padded[0]}"
    yield f"2 {padded[0]} {padded[1]}"
    yield f"3 {padded[0]} {padded[1]} {padded[2]}"
    if len(words) > 1:
        yield f"-1 {words[-1]}"
        yield f"-2 {words[-2]} {words[-1]}"
    yield f"size {min(len(words), 12) // 3}"
    for first, second in pairwise(words):
        yield f"in {first} {second}"


@cache
def default_marks() -> Marks:
    """The weights that ship with the package."""
    found = json.loads(resources.files("mivas.caller").joinpath("data/marks.json").read_text("utf-8"))
    return Marks(ends=found["ends"], asks=found["asks"])
