"""A person's name in what was heard: said, spelled, or both."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from mivas.reflex._words import Word, word_set

_AROUND = word_set(
    "a again ahead all am an and as at be birth birthday born by call called calling can capital correct course date "
    "dash er exactly first for from full go going got hello here hi hyphen i i'd i'll i'm id ill im in is isn't isnt "
    "it it's its kay know last letter let like me middle mine more mr mrs ms my name name's no nope not now of oh okay "
    "ok on once one please quite read right said say so sorry space spell spelled spelling sure surname thank thanks "
    "that that's the there then this to two uh uhm um understood was well wrong yeah yep yes you your repeat "
    "speaking double"
)
_MOST_WORDS = 4
_LETTERS = 2
"""Fewer single letters in a row are an initial or a stray sound."""


def name_in(words: Sequence[Word], before: str | None = None) -> str | None:
    """First and last name, or None. Letters spelled outrank what was said.

    Args:
        words: what was heard, without the words of other values.
        before: the name as it was heard earlier, to which a spelled part may belong.
    """
    spelled = _spelled_runs(words)
    said = _said(words, "".join(spelled))
    if spelled:
        return _from_letters(spelled, said or before)
    return said


def _said(words: Sequence[Word], letters: str) -> str | None:
    """The words likeliest to be a name: those that the letters spell, then capitals, then the first."""
    runs: list[list[Word]] = [[]]
    for word in words:
        if word.kind == "word" and word.text not in _AROUND:
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
        if word.pause and runs[-1]:
            runs.append([])
    whole = [run for run in runs if 2 <= len(run) <= _MOST_WORDS]
    if letters:
        whole.sort(key=lambda run: -fuzz.ratio(letters, "".join(word.text for word in run)))
    else:
        whole.sort(key=lambda run: not all(word.raw[:1].isupper() for word in run))
    chosen = whole[0] if whole else []
    return " ".join(_capital(word.text) for word in chosen) or None


def _spelled_runs(words: Sequence[Word]) -> list[str]:
    runs: list[str] = []
    is_open = False
    for word in words:
        if word.kind == "letter":
            runs[-1:] = [runs[-1] + word.text] if is_open else [*runs[-1:], word.text]
        is_open = word.kind == "letter" and not word.pause
    if runs and all(len(run) == 1 for run in runs):
        return ["".join(runs)] if len(runs) > _LETTERS else []
    return [run for run in runs if len(run) >= _LETTERS]


def _from_letters(spelled: list[str], said: str | None) -> str | None:
    """The name that the letters make, together with what was said for the part that wasn't spelled."""
    known = said.lower().split() if said else []
    if len(spelled) >= 2:
        return " ".join(_capital(run) for run in spelled[:_MOST_WORDS])
    letters = spelled[0]
    if len(known) < 2:
        return None
    parts = [fuzz.ratio(letters, part) for part in known]
    cuts = range(2, len(letters) - 1)
    whole = min(cuts, key=lambda cut: _strangeness(letters[:cut], letters[cut:], known), default=0)
    both = fuzz.ratio(letters, "".join(known))
    if whole and both > max(parts):
        return f"{_capital(letters[:whole])} {_capital(letters[whole:])}"
    # Callers who spell one part spell the family name, unless it resembles the other more.
    at = 0 if parts[0] > max(parts[1:]) else len(known) - 1
    known[at] = letters
    return " ".join(_capital(part) for part in known)


def _strangeness(first: str, last: str, known: list[str]) -> tuple[int, int]:
    """How far a way to part letters is from the name that was heard: beginnings count before all else."""
    pairs = ((first, known[0]), (last, known[-1]))
    return sum(one[:1] != other[:1] for one, other in pairs), sum(Levenshtein.distance(*pair) for pair in pairs)


def _capital(word: str) -> str:
    return "'".join(part.capitalize() for part in word.split("'"))
