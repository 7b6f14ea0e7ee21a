"""Has a suite the counts of a released one? Source: scoring.md 8.1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mivas.pack import Finding, Suite
from mivas.suite._clones import source_id

RELEASE_CASES = 72
CATEGORIES = 6
BASE_CASES = {"easy": 2, "medium": 4, "hard": 4}
"""Cases of a category by difficulty; its first easy one has two audio clones beside."""


def count_findings(suite: Suite) -> Iterator[Finding]:
    """Every category whose number of cases isn't a released suite's."""
    where = f"suite {suite.name}"
    tasks = list(suite.tasks.values())
    categories = sorted({task.file.metadata.category for task in tasks})
    if len(tasks) != RELEASE_CASES or len(categories) != CATEGORIES:
        yield Finding(
            where=where,
            what=f"has {len(tasks)} cases in {len(categories)} categories",
            mend=f"a released suite has {RELEASE_CASES} in {CATEGORIES}",
        )
    for category in categories:
        own = [task for task in tasks if task.file.metadata.category == category]
        found = Counter(str(task.file.metadata.difficulty) for task in own if source_id(task.task_id) is None)
        for difficulty, wanted in BASE_CASES.items():
            if found[difficulty] != wanted:
                yield Finding(
                    where=f"{where}, category {category}",
                    what=f"has {found[difficulty]} {difficulty} cases",
                    mend=f"a released suite has {wanted}",
                )
        clones = sorted(task.task_id for task in own if source_id(task.task_id) is not None)
        if clones != [f"{category}-E1-BG", f"{category}-E1-SIG"]:
            yield Finding(
                where=f"{where}, category {category}",
                what=f"has the audio clones {', '.join(clones) or 'none'}",
                mend=f"a released suite has {category}-E1-BG and {category}-E1-SIG",
            )
