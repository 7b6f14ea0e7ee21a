"""A run result's tool calls as one sequence, and a task's expected calls in the same form. Source: scoring.md 3.1-3.2.

The one lenient edge of the project: malformed evidence degrades, it never raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_ARGUMENT_KEYS = ("parameters", "arguments", "args")
_HOLLOW: tuple[object, ...] = (None, "", [], {})
_NOTHING: Mapping[str, Any] = {}
UNRECORDED: Any = object()
"""Outcome field that nobody recorded; a recorded null is None."""


@dataclass(slots=True)
class Call:
    """One tool call, made or expected. Treated as a value: nobody writes to it once it is built.

    Not frozen, because building a frozen one costs four times as much and a verdict builds dozens.
    """

    name: str
    arguments: Mapping[str, Any]
    """As recorded; an expected call has its empty values removed."""
    ok: object = UNRECORDED
    error_code: object = UNRECORDED
    start_offset_ms: float | None = None
    """Call-clock time, or None when not recorded."""
    element: Mapping[str, Any] | None = None
    """The recorded element, for its output, node and scope."""


def is_empty(value: object) -> bool:
    """Null, blank text, empty list or empty object; false and 0 are values."""
    if isinstance(value, str):
        return not value or value.isspace()
    return value is None or (isinstance(value, (list, dict)) and not value)


def as_object(value: object) -> Mapping[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    # dict first: asking for the abstract type costs ten times as much
    return value if isinstance(value, dict) or isinstance(value, Mapping) else _NOTHING  # noqa: SIM101


def as_list(value: object) -> Sequence[Any]:
    """The value if it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else ()


def flatten(result: Mapping[str, Any]) -> list[Call]:
    """Every actual call, by start offset; those without one come last, ties keep the order of the walk."""
    calls = [call for group in as_list(result.get("tool_calls")) for call in _calls_of(group)]
    calls.sort(key=_when)
    return calls


def expected_calls(task: Mapping[str, Any]) -> list[Call]:
    """The calls a task asks for, without their empty arguments; entries that name no tool don't count."""
    calls = []
    for entry in as_list(task.get("exp_tool_calls")):
        if isinstance(entry, str) and entry:
            calls.append(Call(entry, _NOTHING))
        elif isinstance(entry, dict) and (name := _name_of(entry)):
            arguments = {key: value for key, value in _arguments_of(entry).items() if not is_empty(value)}
            calls.append(_with_outcome(name, arguments, entry))
    return calls


def _calls_of(group: object) -> Iterator[Call]:
    if not isinstance(group, dict):
        return
    name, actual = _name_of(group), group.get("actual")
    if not name or not actual:
        return
    for element in actual if isinstance(actual, list) else (actual,):
        if not isinstance(element, dict):
            yield Call(name, _NOTHING)
            continue
        arguments = _arguments_of(element)
        if all(value in _HOLLOW for value in arguments.values()):
            arguments = _arguments_of(group)
        yield _with_outcome(name, arguments, element)


def _with_outcome(name: str, arguments: Mapping[str, Any], element: Mapping[str, Any]) -> Call:
    output = element.get("output")
    inside = output if isinstance(output, dict) else _NOTHING
    offset = element.get("start_offset_ms")
    return Call(
        name,
        arguments,
        element["ok"] if "ok" in element else inside.get("ok", UNRECORDED),
        element["error_code"] if "error_code" in element else inside.get("error_code", UNRECORDED),
        offset if _is_time(offset) else None,
        element,
    )


def _name_of(entry: Mapping[str, Any]) -> str | None:
    name = entry.get("name")
    return name if isinstance(name, str) and name else None


def _arguments_of(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in _ARGUMENT_KEYS:
        value = entry.get(key)
        if isinstance(value, dict):
            return value
    return _NOTHING


def _is_time(value: object) -> bool:
    # NaN compares with nothing and would leave the order to chance
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


def _when(call: Call) -> tuple[bool, float]:
    return call.start_offset_ms is None, call.start_offset_ms or 0
