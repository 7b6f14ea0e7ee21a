"""What the files of a suite say about each other. Each file by itself is `mivas.pack.lint`'s. Source: scoring.md 8."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from mivas.pack import Finding, Pack, Suite, Task
from mivas.suite._clones import clone_findings
from mivas.suite._counts import RELEASE_CASES, count_findings
from mivas.suite._provenance import provenance_findings, reference_values

_DATE = re.compile(r"(?<![0-9])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])")
_PERSON = re.compile(r"[^\W\d_]+(?:[ '.’-]+[^\W\d_]+)+\.?")


def suite_findings(pack: Pack, suite: Suite, *, release: bool | None = None) -> list[Finding]:
    """Every defect of a suite beyond those of its single files. Empty when all is well.

    Args:
        release: whether the suite must have a released one's counts; None: when it is as large as one.
    """
    findings = [*_slugs(suite), *clone_findings(suite)]
    if release or (release is None and len(suite.tasks) >= RELEASE_CASES):
        findings += count_findings(suite)
    published = reference_values(pack)
    for task in suite.tasks.values():
        findings += [*_dates(task), *_person(task), *_pin_indexes(task)]
        findings += provenance_findings(pack, task, published)
    return findings


def _slugs(suite: Suite) -> Iterator[Finding]:
    """A category has one slug, and a slug one category."""
    pairs = {(task.file.metadata.category, task.file.metadata.category_slug) for task in suite.tasks.values()}
    for names, what in (
        ([category for category, _ in pairs], "category {} has several slugs"),
        ([slug for _, slug in pairs], "slug {} stands for several categories"),
    ):
        for name, times in sorted(Counter(names).items()):
            if times > 1:
                yield Finding(where="metadata.category_slug", what=what.format(name), mend="spell it one way")


def _dates(task: Task) -> Iterator[Finding]:
    """Every date that a file names in figures must be on the calendar."""
    files: Mapping[str, Any] = {
        "task.json": task.raw,
        "solution.json": task.solution.model_dump(mode="json") if task.solution else {},
        "caller.json": task.caller.model_dump(mode="json") if task.caller else {},
    }
    for name, content in files.items():
        for text in sorted(set(_texts(content))):
            for year, month, day in _DATE.findall(text):
                if not _exists(int(year), int(month), int(day)):
                    yield Finding(
                        where=f"{task.task_id}/{name}",
                        what=f"no calendar has {year}-{month}-{day}",
                        mend="name a day that exists",
                    )


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def _person(task: Task) -> Iterator[Finding]:
    if _PERSON.fullmatch(task.file.customer_name) is None:
        yield Finding(
            where=f"{task.task_id}/task.json customer_name",
            what=f"{task.file.customer_name!r} names no person",
            mend="give a first and a last name, nothing else",
        )


def _pin_indexes(task: Task) -> Iterator[Finding]:
    """Each locked reply has one condition in the caller's program."""
    if task.caller is None:
        return
    where = f"{task.task_id}/caller.json pins"
    times = Counter(pin.index for pin in task.caller.pins)
    for number in range(len(task.file.scripted_responses)):
        if number not in times:
            yield Finding(where=where, what=f"reply {number} has no condition", mend="say when it fires")
    for number, count in sorted(times.items()):
        if count > 1:
            yield Finding(where=where, what=f"reply {number} has {count} conditions", mend="join them with any")
