"""Values that differ only as a mishearing would: for words that come from speech recognition and not from a text.

Figures are never alike: who hears "one four" for "four one" hears it wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from mivas.caller._heard import KnownFact
from mivas.caller._hearing_words import word_set

ALIKE = 75.0
"""Likeness of two sounds, 0 to 100, from which on they may be the same word."""
_SHORTEST = 4
"""Letters of a word below which only the very word is the same."""
_SAME_SOUND = (
    (r"[^a-z]", ""), (r"ph", "f"), (r"gh(?=t|$)", ""), (r"c(?=[eiy])|z|x", "s"), (r"ck|[cq]", "k"), (r"sh|tch|ch", "j"),
    (r"(?<=[a-z])h", ""), (r"y", "i"), (r"w", "v"), (r"(?<=[a-z])[aeiou]+(?=[a-z])", "e"), (r"(.)\1+", r"\1"),
)  # fmt: skip
_LETTERS_ALIKE = word_set("bcdegptvz mn fsx ajhk iy quw")
"""Names of letters that rhyme or nearly do."""
_SPELLED = re.compile(r"[A-Za-z](?: [A-Za-z])+")
_FIGURES = re.compile(r"\d")


def sound_of(text: str) -> str:
    """A word's letters as they roughly sound, to be compared and never to be read.

    >>> sound_of("Delacroix") == sound_of("Della Croix"), sound_of("Kearney") == sound_of("Carney")
    (True, True)
    """
    sound = text.lower()
    for pattern, plain in _SAME_SOUND:
        sound = re.sub(pattern, plain, sound)
    return sound


def alike(said: str, known: str) -> bool:
    """Whether one may have been heard for the other. Figures must be the same ones.

    >>> alike("Della Croix", "Delacroix"), alike("Hudson", "Elm Street"), alike("W 441", "W 414")
    (True, False, False)
    """
    if _FIGURES.findall(said) != _FIGURES.findall(known):
        return False
    if _SPELLED.fullmatch(said):
        return _spelled_alike(said.lower().replace(" ", ""), "".join(re.findall(r"[a-z]", known.lower())))
    pair = [re.sub(r"[^a-z]", "", one.lower()) for one in (said, known)]
    if min(map(len, pair)) < _SHORTEST:
        return pair[0] == pair[1] or bool(_FIGURES.search(said))
    return max(fuzz.ratio(*pair), fuzz.ratio(*map(sound_of, (said, known)))) >= ALIKE


def _spelled_alike(said: str, known: str) -> bool:
    """One letter lost or gained, or any number of letters taken for some that sound like them."""
    if len(said) != len(known):
        return Levenshtein.distance(said, known) == 1
    return all(
        one == other or any(one in group and other in group for group in _LETTERS_ALIKE)
        for one, other in zip(said, known, strict=True)
    )


def alike_in_fact(said: str, fact: KnownFact) -> bool:
    """Whether a value may be the fact's as it was heard: as a whole, or one word of it for a word."""
    known = [fact.value, fact.say, *([fact.spell] if fact.spell else [])]
    return any(alike(said, one) for one in [*known, *fact.value.split()])


def heard_in(spoken: Sequence[str], known: str) -> str | None:
    """Words of a sentence, one after the other, that may be a known name as it was heard."""
    size = len(known.split())
    for length in range(1, size + 2):
        for start in range(len(spoken) - length + 1):
            words = " ".join(spoken[start : start + length])
            if len(words) >= _SHORTEST and alike(words, known):
                return words
    return None
