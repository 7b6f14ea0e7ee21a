"""How much of what was said was heard. Pure."""

from __future__ import annotations

from mivas.speech._written import written


def word_error(said: str, heard: str) -> float:
    """Word error rate over `written` of both; each digit or letter of a figure counts as a word.

    Returns: wrong, missing and added words by those said; can be above 1. 0.0 where nothing was said and nothing heard,
    1.0 where nothing was said and something heard.

    >>> word_error("Order KE-4492551, please.", "order K E four four nine two five five nine please")
    0.09090909090909091
    """
    reference, hypothesis = comparable(said), comparable(heard)
    if not reference:
        return float(bool(hypothesis))
    import jiwer

    return float(jiwer.wer(reference, hypothesis))


def comparable(text: str) -> str:
    """`written` with every figure in single digits and letters, so that one wrong digit is one wrong word."""
    return " ".join(" ".join(_items(word)) for word in written(text).split())


def _items(word: str) -> list[str]:
    if "@" in word or not any(map(str.isdigit, word)) or word[-2:] in ("st", "nd", "rd", "th"):
        return [word]
    return [one for one in word if one.isalnum() or one == "$"]
