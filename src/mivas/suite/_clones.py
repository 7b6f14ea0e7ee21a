"""Are audio clones their source case, heard over another line? Source: scoring.md 8.1, S16."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mivas.pack import Finding, Suite, Task

SUFFIXES = ("-BG", "-SIG")
_OWN = ("task_name", "metadata", "traits")
"""Keys of a task that are compared in another way or may differ."""


def source_id(task_id: str) -> str | None:
    """Id of the case that a clone repeats; None for a case of its own.

    >>> source_id("C1-E1-SIG"), source_id("C1-E1")
    ('C1-E1', None)
    """
    return next((task_id.removesuffix(suffix) for suffix in SUFFIXES if task_id.endswith(suffix)), None)


def clone_findings(suite: Suite) -> Iterator[Finding]:
    """Every way in which a clone differs from its source, the line it is heard over aside."""
    for task in suite.tasks.values():
        source = source_id(task.task_id)
        if source is None:
            continue
        if source not in suite.tasks:
            yield Finding(where=task.task_id, what=f"repeats {source}, which isn't there", mend="add it or rename")
            continue
        for key in _differing(suite.tasks[source], task):
            yield Finding(
                where=f"{task.task_id} {key}", what=f"differs from {source}", mend="copy it: only the line may differ"
            )


def _differing(source: Task, clone: Task) -> Iterator[str]:
    for key in dict.fromkeys([*source.raw, *clone.raw]):
        if key not in _OWN and source.raw.get(key) != clone.raw.get(key):
            yield key
    if dict(source.traits) != dict(clone.traits):  # in any order
        yield "traits"
    if _metadata(source) != _metadata(clone):
        yield "metadata"
    if source.solution != clone.solution:
        yield "solution.json"
    if source.caller != clone.caller:
        yield "caller.json"


def _metadata(task: Task) -> dict[str, Any]:
    kept: dict[str, Any] = task.file.metadata.model_dump(exclude={"audio_condition"})
    return kept
