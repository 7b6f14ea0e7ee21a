"""What a lock leaves out, filled in by the pack's completion rules. Source: decision 0012, scoring.md 3.9."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mivas.pack import ExpectedCall, Pack, Task
from mivas.pack.completion import InsertFile, SourceFile
from mivas.probe._memory import ANSWER, is_blank


def literal_calls(task: Task) -> list[ExpectedCall]:
    """The lock's calls as they stand; of alternatives (`any_of`) the first."""
    return [ExpectedCall(name=call.name, arguments=first_options(call.arguments)) for call in task.expected_calls]


def completed_calls(pack: Pack, task: Task) -> list[ExpectedCall]:
    """The lock's calls with what the pack's rules insert and fill; arguments are templates of `CallMemory`."""
    calls = literal_calls(task)
    inserted: list[ExpectedCall] = []
    for rule in pack.completion.insert:
        place = _place(rule, calls, inserted, task)
        if place is not None:
            calls.insert(place, ExpectedCall(name=rule.call, arguments={}))
            inserted.append(calls[place])
    rules = {rule.call: rule for rule in pack.completion.insert}
    counts: Counter[str] = Counter()
    completed = []
    for call in calls:
        sources = rules[call.name].arguments if any(call is one for one in inserted) else {}
        arguments = _given(sources, task, counts[call.name]) | dict(call.arguments)
        completed.append(
            ExpectedCall(name=call.name, arguments=_filled(pack, task, call.name, arguments, counts[call.name]))
        )
        counts[call.name] += 1
    return completed


def first_options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments to send for those a lock constrains: of alternatives (`any_of`) the first."""
    return {key: first_option(value) for key, value in arguments.items()}


def first_option(value: Any) -> Any:
    """A value to send for one that a lock constrains, at any depth: of `{"any_of": [...]}` the first option."""
    if isinstance(value, dict):
        if set(value) == {"any_of"} and value["any_of"]:
            return first_option(value["any_of"][0])
        return {key: first_option(item) for key, item in value.items()}
    if isinstance(value, list):
        return [first_option(item) for item in value]
    return value


def _place(rule: InsertFile, calls: Sequence[ExpectedCall], inserted: Sequence[ExpectedCall], task: Task) -> int | None:
    """Index at which to insert, or None: not to be inserted."""
    listed = [call.name for call in calls]
    if any(name in listed for name in (rule.call, *rule.unless_listed)):
        return None
    if rule.if_rows is not None and not _rows(task, rule.if_rows):
        return None
    if rule.unless_row is not None:
        wanted = rule.unless_row
        if any(row.get(wanted.column) == wanted.value for row in _rows(task, wanted.table)):
            return None
    if rule.place.before is not None:
        return listed.index(rule.place.before) if rule.place.before in listed else None
    if rule.place.after in listed:
        return listed.index(rule.place.after) + 1
    start = 0
    while start < len(calls) and any(calls[start] is one for one in inserted):
        start += 1
    return start


def _filled(pack: Pack, task: Task, tool: str, arguments: Mapping[str, Any], nth: int) -> dict[str, Any]:
    declared = pack.tool_schemas[tool].get("properties", {}) if tool in pack.tool_schemas else {}
    filled = dict(arguments)
    for rule in pack.completion.fill:
        if rule.tool != tool or rule.argument not in declared or not is_blank(arguments.get(rule.argument)):
            continue
        if all(is_blank(arguments.get(key)) for key in rule.unless_any):
            filled |= _given({rule.argument: rule.sources}, task, nth)
    return filled


def _given(wanted: Mapping[str, Sequence[SourceFile]], task: Task, nth: int) -> dict[str, Any]:
    """A template for each argument that some source may give; the others are left out."""
    templates = {key: _template(sources, task, nth) for key, sources in wanted.items()}
    return {key: template for key, template in templates.items() if template is not None}


def _template(sources: Sequence[SourceFile], task: Task, nth: int) -> Any:
    paths: list[list[str | None]] = []
    otherwise: Any = None
    for source in sources:
        if source.answer is not None:
            paths.append([source.answer, source.of])
            continue
        value = _known(source, task, nth)
        if not is_blank(value):
            otherwise = value
            break
        otherwise = value if otherwise is None else otherwise
    return {ANSWER: {"paths": paths, "otherwise": otherwise}} if paths else otherwise


def _known(source: SourceFile, task: Task, nth: int) -> Any:
    """What a source gives before the call: of a trait, a row of the expected state, or itself."""
    if source.trait is not None:
        value = task.traits.get(source.trait)
        if value is None or (source.unless_trait is not None and source.unless_trait in task.traits):
            return None
        return re.sub(r"\D", "", value) if source.digits else value
    if source.row is not None:
        table, _, column = source.row.partition(".")
        rows = _rows(task, table)
        return rows[min(nth, len(rows) - 1)].get(column) if rows else None
    return source.value


def _rows(task: Task, table: str) -> list[Mapping[str, Any]]:
    rows = (task.file.exp_db_state or {}).get(table)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
