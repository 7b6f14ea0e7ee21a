"""What a caller is given of a task, and the program guessed for public tasks that bring none."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mivas.caller._engine import CallerBrief, Occurrence
from mivas.pack import CallerFile, Task

_TRAIT_QUESTIONS = {
    "full_name": "name",
    "caller_name": "name",
    "date_of_birth": "date_of_birth",
    "mobile": "phone",
    "phone": "phone",
    "zip": "zip",
    "postal_code": "zip",
    "carrier": "carrier",
    "plan_name": "carrier",
    "member_id": "member_id",
    "email": "email",
    "preferred_office": "office",
    "patient_status": "new_or_existing",
    "medication": "medication",
    "order_number": "order_number",
    "rma_number": "order_number",
    "card_last4": "card_last4",
    "opposing_party": "opposing_party",
    "practice_area": "practice_area",
    "state": "state",
    "incident_date": "incident_date",
    "matter_id": "matter",
}
"""Trait of the public format -> the question it answers."""

_META_TRAITS = frozenset({"case_key", "call_area", "difficulty", "audio_condition", "expected_handoff_path"})
"""Traits that say something about the case and nothing about the person (scoring.md 8.2)."""

_QUOTED = re.compile(r"[\"“]([^\"”]{4,})[\"”]")


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


def approximate_program(task: Task) -> CallerFile:
    """A caller's program guessed from a public task's traits and the lines its intent quotes.

    Facts answer the question their trait stands for; the first quoted line opens; the caller leaves when asked
    whether there is anything else. Marked `approximate`: results with it aren't comparable.
    """
    quoted = _QUOTED.findall(task.file.intent)
    facts = [
        {"id": name, "value": value, "say": f"It's {value}.", "answers": [_TRAIT_QUESTIONS[name]]}
        for name, value in task.traits.items()
        if name in _TRAIT_QUESTIONS
    ]
    return CallerFile.model_validate(
        {
            "version": 1,
            "opening": quoted[0] if quoted else "Hello, I hope you can help me with something.",
            "facts": facts,
            "exit": {"when": [], "say": quoted[-1] if len(quoted) > 1 else "No, that was all. Thank you, goodbye."},
            "canary": "",
        }
    )
