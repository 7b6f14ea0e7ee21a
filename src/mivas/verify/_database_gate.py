"""D: is the database at hang-up the one a passing call leaves? Source: scoring.md 3.7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mivas.pack import Scoring
from mivas.pack.equality import TableRule, same_json
from mivas.verify._equal import equal
from mivas.verify._flatten import as_list, as_object
from mivas.verify._rows import (
    canonical_row,
    compared_columns,
    in_canonical_order,
    only_in_each,
    rows_missing,
    without_twins,
)

NO_DUMP = "no dump for this result"
NO_LOCK = "the task locks no state"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDiff:
    """Where one table differs; rows in canonical form and order."""

    expected_count: int
    actual_count: int
    only_in_expected: tuple[Any, ...]
    only_in_actual: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseGate:
    """What the database gate found."""

    passed: bool | None
    """None: not evaluated."""
    note: str | None = None
    """Why it wasn't evaluated."""
    diff: Mapping[str, TableDiff] | None = None
    """Tables that failed by their rule, or None."""


def database_gate(task: Mapping[str, Any], state: object, scoring: Scoring) -> DatabaseGate:
    """Compare the locked state with the dump, table by table. A dump of None is no dump; {} is one."""
    locked = task.get("exp_db_state")
    if locked is None:
        return DatabaseGate(passed=None, note=NO_LOCK)
    if state is None:
        return DatabaseGate(passed=None, note=NO_DUMP)
    expected, actual = as_object(locked), as_object(state)
    diff = {}
    for table, rule in scoring.tables.items():
        wanted, found = expected.get(table), actual.get(table)
        if not wanted and not found:
            continue
        # Equal as recorded is equal in canonical form; only the greedy count rule may still fail.
        if rule.rule != "constrained_count" and same_json(wanted, found):
            continue
        differs = _table_diff(as_list(wanted), as_list(found), rule, scoring)
        if differs is not None:
            diff[table] = differs
    return DatabaseGate(passed=not diff, diff=diff or None)


def _table_diff(expected: Sequence[Any], actual: Sequence[Any], rule: TableRule, scoring: Scoring) -> TableDiff | None:
    wanted, found = expected, actual
    if rule.rule == "exact":  # twins cancel out, and leaving them early spares most rows the rest
        wanted, found = without_twins(*_compared(*without_twins(wanted, found), rule))
        if not wanted and not found:
            return None
    else:
        wanted, found = _compared(wanted, found, rule)
    wanted = [canonical_row(row, rule) for row in wanted]
    found = [canonical_row(row, rule) for row in found]
    lacking, surplus = _compare(wanted, found, rule, scoring)
    if not lacking and not surplus:
        return None
    return TableDiff(
        expected_count=len(expected),
        actual_count=len(actual),
        only_in_expected=tuple(in_canonical_order(lacking)),
        only_in_actual=tuple(in_canonical_order(surplus)),
    )


def _compared(expected: Sequence[Any], actual: Sequence[Any], rule: TableRule) -> tuple[Sequence[Any], Sequence[Any]]:
    return compared_columns(expected, rule), compared_columns(actual, rule)


def _compare(expected: list[Any], actual: list[Any], rule: TableRule, scoring: Scoring) -> tuple[list[Any], list[Any]]:
    """Rows that break the rule: lacking in the dump, and surplus in it. Both empty: the table passes."""
    match rule.rule:
        case "exact":
            return only_in_each(expected, actual)
        case "subset_or_empty":
            return (rows_missing(expected, actual), []) if expected else ([], actual)
        case "constrained_cover":
            return [row for row in expected if not any(covers(live, row, scoring) for live in actual)], []
        case "constrained_count":
            return _paired_off(in_canonical_order(expected), in_canonical_order(actual), scoring)


def _paired_off(expected: list[Any], actual: list[Any], scoring: Scoring) -> tuple[list[Any], list[Any]]:
    """Each expected row consumes the first unused live row that covers it; what stays on either side."""
    unused, lacking = list(actual), []
    for row in expected:
        index = next((index for index, live in enumerate(unused) if covers(live, row, scoring)), None)
        if index is None:
            lacking.append(row)
        else:
            del unused[index]
    return lacking, unused


def covers(live: Any, expected: Any, scoring: Scoring) -> bool:
    """Whether a live row meets every field the expected row constrains; null and "" constrain nothing."""
    if not isinstance(expected, dict) or not isinstance(live, dict):
        return same_json(expected, live)
    return all(
        value is None or value == "" or equal(key, value, live.get(key), scoring) for key, value in expected.items()
    )
