"""H: did the call travel the expected path? A pointer that never moves back. Source: scoring.md 3.6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

HandoffVerdict: TypeAlias = Literal["exact", "none_required", "in_order_with_extras", "incomplete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffGate:
    """What the handoff gate found."""

    passed: bool
    score: float
    """Share of the path reached; 1 for an empty path."""
    verdict: HandoffVerdict
    expected: tuple[str, ...]
    actual: tuple[str, ...]
    """Hops in the order they happened, repeats kept."""


def steps_reached(expected: Sequence[str], hops: Sequence[str]) -> int:
    """How many steps of the path were reached in order.

    >>> steps_reached(["identity", "billing"], ["billing", "identity"])
    1
    """
    reached = 0
    for hop in hops:
        if reached < len(expected) and hop == expected[reached]:
            reached += 1
    return reached


def handoff_gate(expected: Sequence[str], hops: Sequence[str]) -> HandoffGate:
    """Judge a call's hops against the expected path."""
    reached = steps_reached(expected, hops)
    verdict = _verdict(expected, hops, reached)
    return HandoffGate(
        passed=verdict != "incomplete",
        score=reached / len(expected) if expected else 1.0,
        verdict=verdict,
        expected=tuple(expected),
        actual=tuple(hops),
    )


def expected_path(value: Any) -> list[str]:
    """The path of a raw task; what isn't a list of names asks for nothing."""
    return [hop for hop in value if isinstance(hop, str)] if isinstance(value, list) else []


def _verdict(expected: Sequence[str], hops: Sequence[str], reached: int) -> HandoffVerdict:
    if list(hops) == list(expected):
        return "exact"
    if not expected:
        return "none_required"
    return "in_order_with_extras" if reached == len(expected) else "incomplete"
