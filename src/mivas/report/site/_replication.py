"""Cases as one self-contained text that a person or a model can work from: who calls, what is locked, how to run it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mivas.pack import Pack, Task
from mivas.report.site._rows import Tables, changed_rows, seed_tables

GATES = """How it is judged, all by what happened and never by what was said:
- T (tools): each expected call was made, one call for each, with equal arguments where any are listed. Further calls
  are free, except tools that the pack forbids unless expected.
- H (route): the expected transfers happened in this order; further ones are allowed.
- D (database): at hang-up the compared tables hold what a correct call leaves behind.
A call passes when every gate that applies is cleared."""
NOTHING = "  none in particular"


def replication_prompt(pack: Pack, tasks: Sequence[Task]) -> str:
    """The cases as one text: heading, gates, then case by case."""
    seed = seed_tables(pack)
    cases = (replication_case(pack, task, seed) for task in tasks)
    return replication_head(pack, [task.task_id for task in tasks]) + "".join(cases)


def replication_head(pack: Pack, task_ids: Iterable[str] | None = None) -> str:
    """What stands before the cases. Without ids a page fills in those it shows, at `{cases}`."""
    cases = "{cases}" if task_ids is None else ",".join(task_ids)
    clock = f"\nThe clock there stands at {pack.clock:%A, %Y-%m-%d %H:%M}." if pack.clock is not None else ""
    greeting = pack.blueprint.greeting
    opening = f'\nThe agent opens every call with: "{greeting}"' if greeting else ""
    desks = ", ".join(node.id for node in pack.blueprint.nodes)
    return (
        f"# Replicate test calls: {pack.title} ({pack.id} {pack.version})\n\n"
        f"A simulated caller phones {pack.title}, where a graph of specialist agents answers: {desks}.\n"
        f"{pack.blueprint.entry.id} takes the call.{clock}{opening}\n\n"
        f"Run them with: mivas run {pack.id} --harness NAME --only {cases}\n\n{GATES}\n"
    )


def replication_case(pack: Pack, task: Task, seed: Tables) -> str:
    """One case, from its heading to its locked state."""
    return "\n".join(_case(pack, task, seed)) + "\n"


def _case(pack: Pack, task: Task, seed: Tables) -> Iterator[str]:
    file = task.file
    meta = file.metadata
    yield f"\n## {file.task_name}"
    yield f"Difficulty {meta.difficulty}, category {meta.category_slug}, line {meta.audio_condition}."
    yield f"\nCaller: {file.customer_name}"
    yield from (f"  {name}: {value}" for name, value in task.traits.items())
    yield f"\nWhat the caller is told to do:\n{_indented(file.intent)}"
    if file.scripted_responses:
        yield "\nReplies the caller gives word for word:"
        yield from (f'  when {pin.match_phrase}\n    "{pin.response_value}"' for pin in file.scripted_responses)
    yield "\nExpected route:"
    yield "  " + " > ".join(task.expected_path) if task.expected_path else NOTHING
    yield "\nExpected calls:"
    yield from (_call(one.name, one.arguments) for one in task.expected_calls)
    if not task.expected_calls:
        yield NOTHING
    if task.solution is not None:
        yield from _told("The agent must", task.solution.conduct.required)
        yield from _told("The agent must not", task.solution.conduct.prohibited)
    yield from _writes(pack, task, seed)


def _call(name: str, arguments: Mapping[str, Any]) -> str:
    told = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in arguments.items())
    return f"  {name}({told})"


def _told(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"\n{heading}:"
        yield from (f"  - {line}" for line in lines)


def _writes(pack: Pack, task: Task, seed: Tables) -> Iterator[str]:
    locked = task.file.exp_db_state
    if locked is None:
        return
    yield "\nRows that a correct call leaves behind and that weren't there before:"
    compared = pack.scoring.tables
    changed = {table: rows for table, rows in changed_rows(seed, locked, as_compared=True).items() if table in compared}
    for table, rows in changed.items():
        yield from (f"  {table}: {json.dumps(row, ensure_ascii=False)}" for row in rows["now"])
        yield from (f"  {table}, gone or changed: {json.dumps(row, ensure_ascii=False)}" for row in rows["before"])
    if not changed:
        yield "  none: the database stays as it is"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
