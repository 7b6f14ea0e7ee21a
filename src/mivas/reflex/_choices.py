"""Names of a closed list in what was heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from mivas.reflex._table import Option
from mivas.reflex._words import Word, misheard, words_of

SURE = 88.0
"""Similarity (rapidfuzz ratio, 0 to 100) from which a name is taken as heard."""
MAYBE = 72.0
"""From here on it is asked back, where the name was just asked for."""
SHORTEST_FUZZY = 5
"""Shorter names have to be heard letter by letter."""
SHORTEST_SURE = 7
"""Of shorter ones a near miss is asked back: "sign a" is near Cigna too."""
_DENIED = frozenset({"not", "isn't", "isnt", "wasn't", "than", "except", "without", "from", "had", "leaving", "left"})
"""What stands before a name that isn't meant, or no longer."""
_BETWEEN = frozenset({"my", "the", "our", "your", "with"})
"""Words that may stand between such a word and the name."""


@dataclass(frozen=True, slots=True)
class Match:
    """An option that was named. `span` counts words, end excluded."""

    option: Option
    score: float
    span: tuple[int, int]


def named_options(
    words: Sequence[Word], options: Sequence[Option], *, asked: bool, by_sound: bool = True
) -> list[Match]:
    """Options named, in order of speech, each once; of readings that overlap the likeliest.

    Args:
        by_sound: they are names, which recognition writes as they sound; else everyday words, taken word by word.
        asked: the caller was just asked for one, so that doubtful readings are of use: they have a score below SURE.

    >>> medicare = Option(value="medicare", say="Medicare")
    >>> [match.option.value for match in named_options(words_of("i have medicar"), [medicare], asked=False)]
    ['medicare']
    """
    if by_sound:
        found = [match for option in options for match in _readings(words, option, asked=asked)]
    else:
        found = [match for option in options for match in _word_by_word(words, option)]
    found.sort(key=lambda match: (-match.score, match.span[0] - match.span[1], match.span))
    kept: list[Match] = []
    for match in found:
        if any(match.span[0] < other.span[1] and other.span[0] < match.span[1] for other in kept):
            continue
        if all(match.option != other.option for other in kept):
            kept.append(match)
    sure = [match for match in kept if match.score >= SURE]
    return sorted(sure or kept[:1], key=lambda match: match.span)


def _readings(words: Sequence[Word], option: Option, *, asked: bool) -> Iterator[Match]:
    floor = MAYBE if asked else SURE
    for form in (option.say, *option.forms):
        for match in _alike(words, option, form):
            if match.score >= floor:
                yield match
    for form in option.misheard if asked else ():
        for match in _alike(words, option, form):
            if match.score >= SURE:
                yield Match(option, MAYBE, match.span)


def _alike(words: Sequence[Word], option: Option, form: str) -> Iterator[Match]:
    size, compact = _compact(form)
    for start in range(len(words)):
        if _is_denied(words, start):
            continue
        for end in range(start + 1, min(start + size + 1, len(words)) + 1):
            heard = "".join(word.text for word in words[start:end]).replace("'", "")
            score = fuzz.ratio(heard, compact)
            near = min(len(heard), len(compact)) >= SHORTEST_FUZZY - 1 < len(compact) and score >= MAYBE
            if score < 100 and len(compact) < SHORTEST_SURE:
                score = min(score, SURE - 1)
            if score == 100 or near:
                yield Match(option, score, (start, end))
        yield from _spelled(words, option, compact, start)


def _is_denied(words: Sequence[Word], start: int) -> bool:
    at = start - 1
    while at >= 0 and words[at].text in _BETWEEN:
        at -= 1
    return at >= 0 and words[at].text in _DENIED


def _word_by_word(words: Sequence[Word], option: Option) -> Iterator[Match]:
    heard = [word.text for word in words]
    for form in (option.say, *option.forms):
        wanted = form.lower().split()
        for start in range(len(heard) - len(wanted) + 1):
            if all(misheard(one, other) for one, other in zip(heard[start:], wanted, strict=False)):
                yield Match(option, 100.0, (start, start + len(wanted)))


def _spelled(words: Sequence[Word], option: Option, compact: str, start: int) -> Iterator[Match]:
    """ "A E T N A" in letters, one of which may be wrong."""
    if words[start].kind != "letter" or (start and words[start - 1].kind == "letter"):
        return
    end = start
    while end < len(words) and words[end].kind == "letter":
        end += 1
    spelled = "".join(word.text for word in words[start:end])
    if len(spelled) >= SHORTEST_FUZZY - 1 and (score := fuzz.ratio(spelled, compact)) >= MAYBE:
        yield Match(option, max(score, SURE) if score >= 80 else score, (start, end))


@lru_cache(maxsize=4096)
def _compact(form: str) -> tuple[int, str]:
    words = words_of(form)
    return len(words), "".join(word.text for word in words).replace("'", "")
