"""T: was every expected call made? Greedy, one to one, no back-tracking. Source: scoring.md 3.3-3.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mivas.pack import Scoring
from mivas.pack.equality import output_value, same_json
from mivas.verify._argument_class import is_prose
from mivas.verify._equal import equal, options_of
from mivas.verify._flatten import UNRECORDED, Call, as_object, is_empty

ToolSchemas: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Tool name to its inputSchema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One way in which an actual call fails an expected one."""

    key: str
    """Argument or outcome field."""
    kind: Literal["missing", "blank", "differs", "outcome"]
    expected: object
    actual: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """An expected call and the actual one that met it."""

    expected: Call
    actual: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolGate:
    """What the tool gate found."""

    passed: bool
    score: float
    """Share of expected calls met; 1 when none was expected, whatever else happened."""
    hit: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    """Forbidden extra tools only, each once."""
    expected: tuple[Call, ...]
    """In lock order."""
    pairs: tuple[Pair, ...]
    unmet: tuple[Call, ...]


def tool_gate(expected: Sequence[Call], actual: Sequence[Call], scoring: Scoring, schemas: ToolSchemas) -> ToolGate:
    """Match expected calls in lock order with actual calls in time order."""
    free: dict[str, list[Call]] = {}
    for call in actual:
        free.setdefault(call.name, []).append(call)
    pairs, unmet = [], []
    for wanted in expected:
        met = _take(wanted, free.get(wanted.name, []), scoring, schemas)
        if met is None:
            unmet.append(wanted)
        else:
            pairs.append(Pair(expected=wanted, actual=met))
    extra = _forbidden(expected, actual, scoring)
    return ToolGate(
        passed=not unmet and not extra,
        score=len(pairs) / len(expected) if expected else 1.0,
        hit=tuple(pair.expected.name for pair in pairs),
        missing=tuple(call.name for call in unmet),
        extra=extra,
        expected=tuple(expected),
        pairs=tuple(pairs),
        unmet=tuple(unmet),
    )


def _take(wanted: Call, free: list[Call], scoring: Scoring, schemas: ToolSchemas) -> Call | None:
    for index, call in enumerate(free):
        if next(differences(wanted, call, scoring, schemas), None) is None:
            return free.pop(index)
    return None


def _forbidden(expected: Sequence[Call], actual: Sequence[Call], scoring: Scoring) -> tuple[str, ...]:
    if not scoring.forbidden_unless_expected:
        return ()
    wanted, made = {call.name for call in expected}, {call.name for call in actual}
    return tuple(name for name in scoring.forbidden_unless_expected if name in made and name not in wanted)


def differences(wanted: Call, call: Call, scoring: Scoring, schemas: ToolSchemas) -> Iterator[Difference]:
    """Every way in which `call` fails `wanted`, names aside; none means a match."""
    if not wanted.arguments:
        return
    properties = as_object(as_object(schemas.get(call.name)).get("properties"))
    live = _projected(call.arguments, properties, scoring)
    if not live:  # a name-only hit: the outcome isn't compared either
        return
    for key, expected in wanted.arguments.items():
        found = _argument_difference(key, expected, live, call, properties, scoring)
        if found is not None:
            yield found
    yield from _outcome_differences(wanted, call)


def _projected(arguments: Mapping[str, Any], properties: Mapping[str, Any], scoring: Scoring) -> dict[str, Any]:
    """The live arguments that count: declared by the tool, not the harness's own routing, not empty."""
    return {
        key: value
        for key, value in arguments.items()
        if not is_empty(value) and key not in scoring.drop_arguments and (not properties or key in properties)
    }


def _argument_difference(
    key: str, expected: object, live: Mapping[str, Any], call: Call, properties: Mapping[str, Any], scoring: Scoring
) -> Difference | None:
    if key in scoring.skip_keys:
        return None
    actual = live.get(key)
    if key in scoring.presence_keys:
        return None if key in live else Difference(key=key, kind="missing", expected=expected, actual=None)
    if key in live and equal(key, expected, actual, scoring, call.name):
        return None
    if is_prose(key, properties.get(key), scoring):
        blank = key in call.arguments and is_empty(call.arguments[key])
        return Difference(key=key, kind="blank", expected=expected, actual=call.arguments[key]) if blank else None
    if met_by_answer(key, expected, call, scoring):
        return None
    return Difference(key=key, kind="differs" if key in live else "missing", expected=expected, actual=actual)


def met_by_answer(key: str, expected: object, call: Call, scoring: Scoring) -> bool:
    """Whether a successful answer names the expected value, whatever the argument said (kind `output_names`)."""
    if call.ok is not True or call.element is None or not scoring.named_by_output(key, call.name):
        return False
    named = output_value(call.element.get("output"), key)
    options = options_of(expected)
    return any(_same_text(option, named) for option in ([expected] if options is None else options))


def _same_text(expected: object, named: object) -> bool:
    return (
        isinstance(expected, str)
        and isinstance(named, str)
        and bool(named.strip())
        and expected.strip().casefold() == named.strip().casefold()
    )


def _outcome_differences(wanted: Call, call: Call) -> Iterator[Difference]:
    for field, expected, actual in (("ok", wanted.ok, call.ok), ("error_code", wanted.error_code, call.error_code)):
        if expected is not UNRECORDED and actual is not UNRECORDED and not same_json(expected, actual):
            yield Difference(key=field, kind="outcome", expected=expected, actual=actual)
