"""What a turn is about: declared phrases in it, yes and no, leave-taking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from mivas.reflex._table import Intent
from mivas.reflex._words import Word, alike, word_set

Polarity: TypeAlias = Literal["yes", "no"]

END = "."
"""Stands where a sentence ends, as far as recognition tells."""
PAUSE = ","
"""Stands where something shorter ends. A denial reaches over neither."""
_GAP = 3
"""So many words may stand between two words of a phrase."""
_DENIALS = word_set("not no never don't dont isn't isnt doesn't without won't wont needn't neither nor")
_DENIED_FOR = 4
"""A denial at most so many words before a phrase denies it."""
_DENIED_YES = 3
"""The same of a yes."""
_YES = (
    "yes", "yeah", "yep", "yup", "correct", "right", "exactly", "sure", "please do", "go ahead", "that's it",
    "that's me", "that's fine", "that's right", "all of it", "of course", "certainly", "absolutely", "do that", "fine",
    "agreed", "sounds good", "perfect", "uh huh", "mhm", "indeed", "all right so far", "you got it", "you have it",
    "okay", "ok", "i said", "i gave you", "i told you", "it is", "it does", "i have been",
)  # fmt: skip
_NO = (
    "no", "nope", "nah", "not quite", "wrong", "not right", "isn't right", "incorrect", "not correct", "never mind",
    "it isn't", "it is not", "i haven't", "never", "i'd rather not", "i would rather not", "don't want", "do not want",
    "nothing else", "neither", "none",
)  # fmt: skip
_GOODBYE = (
    "goodbye", "good bye", "bye", "that's all", "that's everything", "that is all", "that is everything",
    "have a good one", "have a nice day", "nothing else", "nothing more", "that will be all", "i'm done",
)  # fmt: skip
_AGAIN = ("say that again", "repeat that", "once more", "didn't catch", "pardon", "come again", "i didn't get that")
_UNKNOWN = (
    "don't know", "do not know", "couldn't tell", "can't tell you", "no idea", "don't have it", "not sure",
    "haven't got", "don't have that", "don't have one",
)  # fmt: skip


def intents_in(words: Sequence[str], intents: Mapping[str, Intent]) -> tuple[str, ...]:
    """Intents whose phrases were said and not denied, in the table's order.

    Args:
        words: lower case; a value heard has `<slot>` before it, marks are END and PAUSE.
    """
    meant = {name: one for name, one in intents.items() if not any(said(phrase, words) for phrase in one.unless)}
    plain = tuple(name for name, one in meant.items() if any(said(phrase, words) for phrase in one.phrases))
    hinted = (name for name, one in meant.items() if any(said(phrase, words) for phrase in one.hints))
    return plain or tuple(hinted)


def said(phrase: str, words: Sequence[str]) -> bool:
    """Whether the phrase's words stand in that order, near each other, and undenied.

    >>> said("take|accept <carrier>", "do you accept my <carrier> plan".split())
    True
    >>> said("book", "i don't want to book anything".split())
    False
    """
    alternatives = _parsed(phrase)
    denies = any(one in _DENIALS for options in alternatives for one in options)
    for start, word in enumerate(words):
        begins = _is_one_of(word, alternatives[0]) and _continues(words, start, alternatives[1:])
        if begins and (denies or not _is_denied(words, start)):
            return True
    return False


def _is_denied(words: Sequence[str], start: int) -> bool:
    before = words[max(0, start - _DENIED_FOR) : start]
    since = max((at for at, word in enumerate(before, start=1) if word in (END, PAUSE)), default=0)
    return bool(_DENIALS & set(before[since:]))


def _sentence_end(words: Sequence[str], at: int) -> int:
    return next((end for end in range(at, len(words)) if words[end] == END), len(words))


def _continues(words: Sequence[str], at: int, rest: Sequence[Sequence[str]]) -> bool:
    for options in rest:
        window = range(at + 1, min(at + 2 + _GAP, _sentence_end(words, at)))
        following = next((one for one in window if _is_one_of(words[one], options)), None)
        if following is None:
            return False
        at = following
    return True


@lru_cache(maxsize=4096)
def _parsed(phrase: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(part.split("|")) for part in phrase.lower().split())


def _is_one_of(word: str, options: Iterable[str]) -> bool:
    return any(word == one or (word[0] != "<" and one[0] != "<" and alike(word, one)) for one in options)


def polarity_of(words: Sequence[Word]) -> Polarity | None:
    """Yes or no, whichever comes first; None when neither was said.

    >>> from mivas.reflex._words import words_of
    >>> polarity_of(words_of("That isn't a yes, I notice."))
    'no'
    """
    text = _padded(words)
    yes, no = _first(text, _YES), _first(text, _NO)
    if yes is not None and (no is None or yes < no):
        return "no" if _DENIALS & set(text[:yes].split()[-_DENIED_YES:]) else "yes"
    return None if no is None else "no"


def takes_leave(words: Sequence[Word]) -> bool:
    return _first(_padded(words), _GOODBYE) is not None


def wants_repetition(words: Sequence[Word]) -> bool:
    return _first(_padded(words), _AGAIN) is not None


def cannot_say(words: Sequence[Word]) -> bool:
    """Whether the caller hasn't got what was asked for."""
    return _first(_padded(words), _UNKNOWN) is not None


def _padded(words: Sequence[Word]) -> str:
    return f" {' '.join(word.text for word in words)} "


def _first(text: str, phrases: Iterable[str]) -> int | None:
    found = [at for phrase in phrases if (at := text.find(f" {phrase} ")) >= 0]
    return min(found, default=None)
