"""Why a gate failed, one short sentence for each thing that is wrong. Written only for calls that failed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mivas.pack import Scoring
from mivas.pack.equality import output_value, same_json
from mivas.verify._database_gate import DatabaseGate, TableDiff
from mivas.verify._equal import options_of
from mivas.verify._flatten import Call
from mivas.verify._handoff_gate import HandoffGate, steps_reached
from mivas.verify._tool_gate import Difference, ToolGate, ToolSchemas, differences

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode  # building one costs more than using it
_LONGEST = 60
_MOST_HOPS = 12
_MOST_COMPARED = 200  # calls of one name looked at for the nearest
_UNSET: Any = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One thing that failed a gate."""

    gate: Literal["T", "H", "D"]
    code: str
    text: str
    where: Mapping[str, Any]
    """The same for programs.

    T: tool, and where a call of it came near, argument or outcome, and call (its arguments and t_ms).
    H: reached (steps of the path that were met), of (steps there are), next (the hop that never came).
    D: table, row (what its first column says, or its id), and column where one value differs.
    """
    expected: object = _UNSET
    actual: object = _UNSET

    def as_object(self) -> dict[str, Any]:
        """The reason as it stands in a verdict line; `expected` and `actual` only where there is one."""
        sides = {"expected": self.expected, "actual": self.actual}
        return {
            "gate": self.gate,
            "code": self.code,
            "text": self.text,
            "where": dict(self.where),
            **{name: value for name, value in sides.items() if value is not _UNSET},
        }


def tool_reasons(
    gate: ToolGate, expected: Sequence[Call], actual: Sequence[Call], scoring: Scoring, schemas: ToolSchemas
) -> Iterator[Reason]:
    """One reason for each expected call nobody made, one for each forbidden tool."""
    made: dict[str, list[Call]] = {}
    for call in actual:
        made.setdefault(call.name, []).append(call)
    asked = Counter(call.name for call in expected)
    for wanted in gate.unmet:
        yield _unmet_reason(wanted, made.get(wanted.name, ()), asked[wanted.name], scoring, schemas)
    for name in gate.extra:
        count = len(made[name])
        text = f"{name} was called {_times(count)}, and this task forbids it"
        yield Reason(gate="T", code="forbidden_call", text=text, where={"tool": name}, expected=0, actual=count)


def _unmet_reason(
    wanted: Call, same_name: Sequence[Call], asked: int, scoring: Scoring, schemas: ToolSchemas
) -> Reason:
    where = {"tool": wanted.name}
    if not same_name:
        text = f"{wanted.name} was never called"
        return Reason(gate="T", code="not_called", text=text, where=where, expected=dict(wanted.arguments))
    call, faults = min(
        ((call, list(differences(wanted, call, scoring, schemas))) for call in same_name[:_MOST_COMPARED]),
        key=lambda candidate: len(candidate[1]),
    )
    if not faults:  # the call that would do has met an earlier expectation
        text = f"{wanted.name} was called {_times(len(same_name))}, expected {_times(asked)}"
        return Reason(gate="T", code="too_few_calls", text=text, where=where, expected=asked, actual=len(same_name))
    return _fault_reason(wanted, call, faults[0], scoring)


def _fault_reason(wanted: Call, call: Call, fault: Difference, scoring: Scoring) -> Reason:
    expected, actual = short(fault.expected), short(fault.actual)
    texts = {
        "missing": ("argument_missing", f"{fault.key} was not given, expected {expected}"),
        "blank": ("argument_blank", f"{fault.key} was blank"),
        "differs": ("argument_differs", f"{fault.key} was {actual}, expected {expected}"),
        "outcome": ("outcome_differs", f"answered {fault.key} {actual}, expected {expected}"),
    }
    code, text = texts[fault.kind]
    if fault.kind in ("missing", "differs") and _answer_is_silent(fault.key, call, scoring):
        code = f"{fault.key.removesuffix('_number')}_not_named"
        text += "; the answer names none"
    where = {
        "tool": wanted.name,
        "outcome" if fault.kind == "outcome" else "argument": fault.key,
        "call": {"arguments": dict(call.arguments), "t_ms": call.start_offset_ms},
    }
    text = f"{wanted.name}: {text}"
    return Reason(gate="T", code=code, text=text, where=where, expected=fault.expected, actual=fault.actual)


def _answer_is_silent(key: str, call: Call, scoring: Scoring) -> bool:
    """Whether the call succeeded and its answer could have named the value, but names none."""
    if call.ok is not True or call.element is None or not scoring.named_by_output(key, call.name):
        return False
    return output_value(call.element.get("output"), key) is None


def handoff_reasons(gate: HandoffGate) -> Iterator[Reason]:
    """The hop that never came, and the route that was travelled instead."""
    if gate.passed:
        return
    reached = steps_reached(gate.expected, gate.actual)
    route = " > ".join(gate.actual[:_MOST_HOPS]) or "no transfer at all"
    if len(gate.actual) > _MOST_HOPS:
        route += f" > … ({len(gate.actual)} transfers)"
    after = f" after {gate.expected[reached - 1]}" if reached else ""
    yield Reason(
        gate="H",
        code="path_incomplete",
        text=f"{gate.expected[reached]} never came{after}; the route was {route}",
        where={"reached": reached, "of": len(gate.expected), "next": gate.expected[reached]},
        expected=list(gate.expected),
        actual=list(gate.actual),
    )


def database_reasons(gate: DatabaseGate) -> Iterator[Reason]:
    """One reason for each table that differs: the first column or row that does."""
    for table, diff in (gate.diff or {}).items():
        yield _table_reason(table, diff)


def _table_reason(table: str, diff: TableDiff) -> Reason:
    if diff.only_in_expected and diff.only_in_actual:
        expected = diff.only_in_expected[0]
        actual = max(diff.only_in_actual, key=lambda row: _likeness(expected, row))
        if _likeness(expected, actual) > 0:
            return _row_reason(table, expected, actual)
    if diff.only_in_expected:
        row = diff.only_in_expected[0]
        text = f"{table}: {_row_name(row)} is missing: {short(row)}"
        return Reason(gate="D", code="row_missing", text=text, where=_place(table, row), expected=row)
    row = diff.only_in_actual[0]
    text = f"{table}: {_row_name(row)} should not be there: {short(row)}"
    return Reason(gate="D", code="row_unexpected", text=text, where=_place(table, row), actual=row)


def _likeness(expected: Any, actual: Any) -> int:
    """Columns two rows share; the same identity counts for more than all others together."""
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return 0
    same = sum(1 for key in expected if key in actual and same_json(expected[key], actual[key]))
    named = _identity(expected) is not None and _identity(expected) == _identity(actual)
    return same + (len(expected) if named else 0)


def _row_reason(table: str, expected: Mapping[str, Any], actual: Mapping[str, Any]) -> Reason:
    for column in (*expected, *actual):
        present = column in expected, column in actual
        if present == (True, True) and same_json(expected[column], actual[column]):
            continue
        wanted, found = expected.get(column), actual.get(column)
        shown = short(found) if present[1] else "absent"
        wished = short(wanted) if present[0] else "no such column"
        text = f"{table}: {column} of {_row_name(expected)} was {shown}, expected {wished}"
        where = {**_place(table, expected), "column": column}
        return Reason(gate="D", code="value_differs", text=text, where=where, expected=wanted, actual=found)
    text = f"{table}: {_row_name(expected)} is missing"
    return Reason(gate="D", code="row_missing", text=text, where=_place(table, expected), expected=expected)


def _place(table: str, row: object) -> dict[str, Any]:
    return {"table": table, "row": _identity(row)}


def _identity(row: object) -> object:
    """What tells a row from its neighbours: its id, else its first column, which is the key in a dump."""
    if not isinstance(row, dict) or not row:
        return None
    identity = row["id"] if row.get("id") is not None else next(iter(row.values()))
    return identity if isinstance(identity, (str, int)) and identity != "" else None


def _row_name(row: object) -> str:
    identity = _identity(row)
    return "a row" if identity is None else f"row {short(identity)}"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def short(value: object) -> str:
    """A value in a few words, fit to print."""
    options = options_of(value)
    if options:
        return " or ".join(short(option) for option in options[:4])
    if isinstance(value, str):
        text = value or '""'
    else:
        try:
            text = _ENCODE(value)
        except (ValueError, TypeError, RecursionError):
            text = "something unreadable"
    text = text.encode("utf-8", "replace").decode()  # a lone surrogate is legal JSON, but nobody can print it
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
