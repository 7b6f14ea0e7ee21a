"""Where does each argument that a lock asks for come from? A fact, an earlier output, or what the pack publishes.

The converse of information flow (formats.md 2): a value that the solution sends as a literal must stand where an
agent can read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

from mivas.pack import ExpectedCall, Finding, Pack, Task, memory_database
from mivas.pack import steps as step_kinds
from mivas.verify import is_prose


def provenance_findings(pack: Pack, task: Task, published: frozenset[str]) -> Iterator[Finding]:
    """Every argument that the lock constrains and the solution sends out of nowhere, or not at all.

    Args:
        published: the pack's `reference_values`.
    """
    if task.solution is None:
        return
    sent = list(_sent(task.solution.steps))
    for number, call in enumerate(task.expected_calls):
        where = f"{task.task_id}/task.json exp_tool_calls.{number} {call.name}"
        for key in _constrained(pack, call):
            values = [arguments[key] for tool, arguments in sent if tool == call.name and key in arguments]
            if not values:
                yield Finding(where=f"{where}.{key}", what="the solution never sends it", mend="send it or drop it")
            for literal in sorted({str(leaf) for value in values for leaf in _literals(value)}):
                if literal.casefold() not in published and not _is_readable(pack, call.name, key, literal):
                    yield Finding(
                        where=f"{where}.{key}",
                        what=f"{literal!r} comes from no fact, no output and nothing that the pack publishes",
                        mend="let the caller say it, take it from an answer, or write it into the prompt",
                    )


def _constrained(pack: Pack, call: ExpectedCall) -> Iterator[str]:
    """Arguments of the lock whose content counts (scoring.md 3.4)."""
    free = pack.scoring.skip_keys | pack.scoring.presence_keys | pack.scoring.drop_arguments
    properties = pack.tool_schemas.get(call.name, {}).get("properties", {})
    for key, value in call.arguments.items():
        empty = value in (None, "", [], {})
        if not empty and key not in free and not is_prose(key, properties.get(key), pack.scoring):
            yield key


def _sent(steps: tuple[step_kinds.Step, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for step in steps:
        if isinstance(step, step_kinds.CallStep):
            yield step.call, step.arguments
        elif isinstance(step, step_kinds.HandoffStep):
            yield step.handoff, step.arguments
        elif isinstance(step, step_kinds.EndStep):
            yield step.end, step.arguments


def _literals(value: Any) -> Iterator[str | int | float]:
    """Leaves that are neither fact nor output; a truth value is a judgement and needs no origin."""
    if isinstance(value, dict):
        if set(value) not in ({"$fact"}, {"$out"}):
            for item in value.values():
                yield from _literals(item)
    elif isinstance(value, list):
        for item in value:
            yield from _literals(item)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield value


def _is_readable(pack: Pack, tool: str, key: str, literal: str) -> bool:
    """Whether an agent can read it in the tool's schema or in the prompt of a node that owns the tool."""
    schema = pack.tool_schemas[tool].get("properties", {}).get(key, {}) if tool in pack.tools else {}
    if literal in set(_closed(schema)) or not literal.strip():
        return True
    word = re.compile(rf"(?<!\w){re.escape(literal)}(?!\w)", re.IGNORECASE)
    prompts = (node.instructions for node in pack.blueprint.nodes if node.tool(tool) is not None)
    return any(word.search(text) for text in prompts)


def _closed(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(value) for value in schema.get("enum") or [])
    if "const" in schema:
        yield str(schema["const"])
    for part in (schema.get("items"), *(schema.get("anyOf") or [])):
        if isinstance(part, Mapping):
            yield from _closed(part)


def reference_values(pack: Pack) -> frozenset[str]:
    """Values in the seeded rows of tables that scoring doesn't compare, lower case. Raises PackError on bad SQL."""
    values = set()
    with closing(memory_database(pack)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if table not in pack.scoring.tables and not table.startswith("sqlite_"):
                for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 (a name of the schema)
                    values |= {str(value).casefold() for value in row if value is not None}
    return frozenset(values)
