"""What a caller is given of a task. Source: scoring.md 8.2."""

from __future__ import annotations

from collections.abc import Mapping

from mivas.caller._approximation import approximate_program
from mivas.caller._engine import CallerBrief, Occurrence
from mivas.pack import Task

_META_TRAITS = frozenset({"case_key", "call_area", "difficulty", "audio_condition", "expected_handoff_path"})
"""Traits that say something about the case and nothing about the person (scoring.md 8.2)."""


def brief_for(task: Task) -> CallerBrief:
    """The caller's share of a task: never a lock, a solution or a meta trait."""
    return CallerBrief(
        name=task.file.customer_name,
        intent=task.file.intent,
        traits={name: value for name, value in task.traits.items() if name not in _META_TRAITS},
        locked_replies=tuple(pin.response_value for pin in task.file.scripted_responses),
        occurrences=tuple(
            Occurrence(mode=pin.occurrence_mode, n=_nth(pin.model_extra)) for pin in task.file.scripted_responses
        ),
        situations=tuple(pin.match_phrase for pin in task.file.scripted_responses),
        program=task.caller or approximate_program(task),
        approximate=task.caller is None,
    )


def _nth(extra: Mapping[str, object] | None) -> int:
    """`occurrence_n` of a foreign pin, 1 where it is missing or no number."""
    found = (extra or {}).get("occurrence_n")
    return found if isinstance(found, int) and found > 0 else 1
