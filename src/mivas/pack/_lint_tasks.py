"""Is a task sound: its id, its lock and its caller's program.

Source: formats.md 2 and 3, scoring.md 8.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mivas.pack._blueprint import Blueprint
from mivas.pack._files import CallerFile
from mivas.pack._finding import Finding
from mivas.pack._lint_solution import solution_findings
from mivas.pack._pack import Pack
from mivas.pack._schema_check import argument_faults
from mivas.pack._tasks import Suite, Task

_TASK_ID = re.compile(r"(?P<category>[A-Z][A-Z0-9]*)-(?P<difficulty>[EMH])[0-9]+(?:-(?P<audio>BG|SIG))?")
_DIFFICULTIES = {"E": "easy", "M": "medium", "H": "hard"}
_CONDITIONS = {None: "perfect", "BG": "background_noise", "SIG": "bad_signal"}


def task_findings(
    pack: Pack, suite: Suite, task: Task, columns: Mapping[str, frozenset[str]] | None
) -> Iterator[Finding]:
    """Every defect of one task. A task of the pack's own suite must bring its solution and its caller's program.

    What the ids in a caller's program mean is known to `mivas.caller`, so its `check_program` has the say on them.

    Args:
        columns: those of every table of the pack, or None when nobody knows them because its SQL is broken.
    """
    where = f"{task.task_id}/task.json"
    yield from _identity(task, where)
    yield from _pins(task, where)
    yield from _calls(pack, task, where)
    yield from _walk(pack.blueprint, task, where)
    if columns is not None:
        yield from _state(pack, task, columns, f"{where} exp_db_state")
    for name, program in (("solution.json", task.solution), ("caller.json", task.caller)):
        if program is None:
            if suite.name == pack.suite:
                yield Finding(where=f"{task.task_id}/{name}", what="is missing", mend="write it: the suite is proven")
        elif program.canary != pack.canary:
            yield Finding(
                where=f"{task.task_id}/{name} canary", what="isn't the pack's", mend="copy canary from pack.json"
            )
    if task.caller is not None:
        yield from _caller(task.caller, f"{task.task_id}/caller.json")
    if task.solution is not None:
        yield from solution_findings(pack, task.task_id, task.solution, task.caller)


def _identity(task: Task, where: str) -> Iterator[Finding]:
    metadata = task.file.metadata
    prefix = task.file.task_name.partition(":")[0]
    if prefix != task.task_id or ":" not in task.file.task_name:
        yield Finding(
            where=f"{where} task_name", what=f"starts with {prefix!r}, not {task.task_id}:", mend="make the two agree"
        )
    if (match := _TASK_ID.fullmatch(task.task_id)) is None:
        yield Finding(where=where, what=f"id {task.task_id!r} has no case key's form", mend="use a form like C1-E1-BG")
        return
    for key, told, meant in (
        ("category", metadata.category, match["category"]),
        ("difficulty", metadata.difficulty, _DIFFICULTIES[match["difficulty"]]),
        ("audio_condition", metadata.audio_condition, _CONDITIONS[match["audio"]]),
    ):
        if told != meant:
            yield Finding(
                where=f"{where} metadata.{key}",
                what=f"is {told}, but the id means {meant}",
                mend="correct the value or rename the task",
            )


def _pins(task: Task, where: str) -> Iterator[Finding]:
    for phrase, times in Counter(pin.match_phrase for pin in task.file.scripted_responses).items():
        if times > 1:
            yield Finding(
                where=f"{where} scripted_responses",
                what=f"{times} pins share the phrase {phrase[:60]!r}",
                mend="say when each of them fires",
            )


def _calls(pack: Pack, task: Task, where: str) -> Iterator[Finding]:
    for number, call in enumerate(task.expected_calls):
        spot = f"{where} exp_tool_calls.{number}"
        if call.name not in pack.tools:
            yield Finding(where=spot, what=f"unknown tool {call.name}", mend="name a tool of tools.json")
            continue
        arguments = {key: value for key, value in call.arguments.items() if key not in pack.scoring.drop_arguments}
        for fault in argument_faults(arguments, pack.tool_schemas[call.name]):
            yield Finding(where=f"{spot} {call.name}", what=fault, mend="send what tools.json allows")


def _walk(blueprint: Blueprint, task: Task, where: str) -> Iterator[Finding]:
    node = blueprint.entry
    for hop in task.expected_path:
        tool = node.tool(hop)
        if tool is None or tool.kind not in ("handoff", "human"):
            yield Finding(
                where=f"{where} exp_handoff_path", what=f"{node.id} can't make {hop}", mend="take a path of the graph"
            )
            return
        if tool.handoff_to is not None:
            node = blueprint.by_id[tool.handoff_to]
    on_the_way = _nodes_on_walks(blueprint, task.expected_path)
    owned = {tool.name for node_id in on_the_way for tool in blueprint.by_id[node_id].tools}
    every = {tool.name for node in blueprint.nodes for tool in node.tools}
    for name in sorted({call.name for call in task.expected_calls} & every - owned):
        yield Finding(
            where=f"{where} exp_tool_calls",
            what=f"no node on a walk with this path owns {name}",
            mend="add the hop that leads to its owner",
        )


def _nodes_on_walks(blueprint: Blueprint, path: Iterable[str]) -> set[str]:
    """Nodes that lie on a legal walk meeting the expected hops in order, extra hops allowed."""
    hops = tuple(path)
    start = (blueprint.entry.id, 0)
    before: dict[tuple[str, int], set[tuple[str, int]]] = {start: set()}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for after in _next_states(blueprint, here, hops):
            if after not in before:
                before[after] = set()
                queue.append(after)
            before[after].add(here)
    wanted = {state for state in before if state[1] == len(hops)}
    queue = deque(wanted)
    while queue:
        fresh = before[queue.popleft()] - wanted
        wanted |= fresh
        queue.extend(fresh)
    return {node for node, _ in wanted}


def _next_states(blueprint: Blueprint, state: tuple[str, int], hops: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    node, done = state
    for tool in blueprint.by_id[node].tools:
        if tool.kind in ("handoff", "human"):
            met = done < len(hops) and tool.name == hops[done]
            if tool.handoff_to is not None or met:
                yield tool.handoff_to or node, done + met


def _state(pack: Pack, task: Task, columns: Mapping[str, frozenset[str]], where: str) -> Iterator[Finding]:
    """Unknown names only: a foreign suite's rows may hold fewer columns, and those scoring drops may be any."""
    for table, rows in (task.file.exp_db_state or {}).items():
        spot = f"{where}.{table}"
        if table not in columns:
            yield Finding(where=spot, what="the pack has no such table", mend=f"choose from {_listed(columns)}")
            continue
        if not isinstance(rows, list):
            yield Finding(where=spot, what="isn't a list of rows", mend="write [{column: value, ...}, ...]")
            continue
        for number, row in enumerate(rows):
            if not isinstance(row, dict):
                yield Finding(where=f"{spot}.{number}", what="isn't an object", mend="write a row as {column: value}")
        rule = pack.scoring.tables.get(table)
        known = columns[table] | (rule.drop if rule is not None else frozenset())
        for column in sorted({key for row in rows if isinstance(row, dict) for key in row} - known):
            yield Finding(where=spot, what=f"unknown column {column}", mend=f"choose from {_listed(columns[table])}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _caller(caller: CallerFile, where: str) -> Iterator[Finding]:
    if caller.opening is not None and not caller.opening.strip():
        yield Finding(where=f"{where} opening", what="is empty", mend="write the first words, or null for the default")
    yield from _repeated("fact", (fact.id for fact in caller.facts), where)
    yield from _repeated("goal", (goal.id for goal in caller.goals), where)


def _repeated(kind: str, ids: Iterable[str], where: str) -> Iterator[Finding]:
    counts: Mapping[str, Any] = Counter(ids)
    for name, times in counts.items():
        if times > 1:
            yield Finding(where=f"{where} {kind}s", what=f"{kind} {name} stands {times} times", mend="rename or merge")
