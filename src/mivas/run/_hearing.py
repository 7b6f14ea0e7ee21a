"""How well each side heard the other in spoken calls: word error, facts that came through, turns that were cut short.

Pure, from events and tasks. Needs ears that heard: speech whose words were passed beside the sound isn't measured.
Definitions: docs/sweep.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mivas.line import Event, Role, Speech
from mivas.pack import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One direction of one call."""

    words: int
    """Said, as the word error counts them."""
    wrong_words: float
    facts: int
    """Of the caller's facts, those that were said."""
    facts_heard: int
    """Those that came through whole."""
    turns: int
    cut_turns: int
    """Turns into which the listener began to speak: it took a pause for the end."""


def heard_of(events: Sequence[Event], task: Task, speaker: Role) -> Heard:
    """What the other side heard of `speaker` in one call."""
    from mivas.speech import word_error
    from mivas.speech import written as written_form

    speech = [one for one in events if isinstance(one, Speech)]
    said = [one for one in speech if one.role == speaker and one.heard is not None]
    answers = [one for one in speech if one.role != speaker]
    sizes = [len(written_form(one.text).split()) for one in said]
    errors = [word_error(one.text, one.heard or "") for one in said]
    facts = _facts_said(said, _wordings(task))
    return Heard(
        words=sum(sizes),
        wrong_words=sum(size * error for size, error in zip(sizes, errors, strict=True)),
        facts=len(facts),
        facts_heard=sum(facts),
        turns=len(said),
        cut_turns=sum(
            any(one.start_ms < other.start_ms < one.end_ms for other in answers) and not one.interrupted for one in said
        ),
    )


def pooled_hearing(calls: Iterable[Heard]) -> Mapping[str, float | None]:
    """Word error, share of facts heard, share of turns cut short over several calls; None: not measured."""
    calls = list(calls)
    words, facts, turns = (sum(getattr(one, name) for one in calls) for name in ("words", "facts", "turns"))
    return {
        "word_error": sum(one.wrong_words for one in calls) / words if words else None,
        "slot_accuracy": sum(one.facts_heard for one in calls) / facts if facts else None,
        "cut_turns": sum(one.cut_turns for one in calls) / turns if turns else None,
    }


def _wordings(task: Task) -> tuple[str, ...]:
    """What a caller may say that must come through exactly: its facts of figures and names."""
    if task.caller is None:
        return ()
    sayings = (fact.say for fact in task.caller.facts)
    return tuple(say for say in sayings if say[:1].isupper() or any(map(str.isdigit, _plain(say))))


def _facts_said(said: Sequence[Speech], wordings: Sequence[str]) -> list[bool]:
    """For every wording in every turn, whether it was heard in it."""
    return [
        f" {_plain(wording)} " in f" {_plain(one.heard or '')} "
        for one in said
        for wording in wordings
        if f" {_plain(wording)} " in f" {_plain(one.text)} "
    ]


def _plain(text: str) -> str:
    """Figures in one form, words without case and punctuation."""
    from mivas.speech import written as written_form

    kept = "".join(letter if letter.isalnum() or letter in "$@." else " " for letter in written_form(text).lower())
    return " ".join(word.strip(".") for word in kept.split())
