"""What a verdict tells beside the gates; nothing here moves a mark. Source: cli.md, scoring.md 3.5.3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mivas.pack import Scoring
from mivas.pack.equality import same_json
from mivas.verify._equal import equal, equal_without_parity
from mivas.verify._flatten import Call
from mivas.verify._tool_gate import Pair, met_by_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """Remarks on a call, ready for JSON."""

    scope_violations: tuple[dict[str, Any], ...] = ()
    """Calls of a tool that the active node doesn't own: tool, node, t_ms."""
    order_violations: tuple[dict[str, Any], ...] = ()
    """Calls made before the one that should precede them: tool, needs, t_ms."""
    parity_aliases: tuple[dict[str, Any], ...] = ()
    """Spellings that only the environment honours and a hit depended on: tool, key, expected, actual."""


def diagnose(calls: Sequence[Call], pairs: Sequence[Pair], scoring: Scoring) -> Diagnostics:
    """Collect the remarks on one call."""
    return Diagnostics(
        scope_violations=tuple(_scope_violations(calls)),
        order_violations=tuple(_order_violations(calls, scoring)) if scoring.needed_before else (),
        parity_aliases=tuple(_parity_aliases(pairs, scoring)) if scoring.has_parity else (),
    )


def _scope_violations(calls: Sequence[Call]) -> Iterator[dict[str, Any]]:
    for call in calls:
        if call.element is not None and call.element.get("in_scope") is False:
            yield {"tool": call.name, "node": call.element.get("node"), "t_ms": call.start_offset_ms}


def _order_violations(calls: Sequence[Call], scoring: Scoring) -> Iterator[dict[str, Any]]:
    made: set[str] = set()
    for call in calls:
        for earlier in scoring.needed_before.get(call.name, ()):
            if earlier not in made:
                yield {"tool": call.name, "needs": earlier, "t_ms": call.start_offset_ms}
        if call.name not in scoring.identity_tools or call.ok is not False:
            made.add(call.name)


def _parity_aliases(pairs: Sequence[Pair], scoring: Scoring) -> Iterator[dict[str, Any]]:
    for pair in pairs:
        if same_json(pair.expected.arguments, pair.actual.arguments):
            continue
        for key, expected in pair.expected.arguments.items():
            actual = pair.actual.arguments.get(key)
            if _needed(key, expected, actual, pair.actual, scoring):
                yield {"tool": pair.actual.name, "key": key, "expected": expected, "actual": actual}


def _needed(key: str, expected: object, actual: object, call: Call, scoring: Scoring) -> bool:
    if same_json(expected, actual) or not any(rule.parity for rule in scoring.rules_for(key, call.name)):
        return False
    if equal_without_parity(key, expected, actual, scoring, call.name):
        return False
    return equal(key, expected, actual, scoring, call.name) or met_by_answer(key, expected, call, scoring)
