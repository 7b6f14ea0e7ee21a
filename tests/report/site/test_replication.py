"""The replication prompt: a case as one text that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import expected_writes, load_pack, load_suite
from mivas.report.site import replication_prompt


@pytest.mark.parametrize("name", ["healthcare", "legal", "customer-support"])
def test_a_prompt_holds_everything_its_cases_lock(name: str) -> None:
    pack = load_pack(name)
    tasks = list(load_suite(pack).tasks.values())
    text = replication_prompt(pack, tasks)
    assert text.startswith(f"# Replicate test calls: {pack.title}")
    for task in tasks:
        case = text.split(f"\n## {task.file.task_name}\n")[1].split("\n## ")[0]
        assert all(line.strip() in case for line in task.file.intent.splitlines())
        assert all(pin.response_value in case for pin in task.file.scripted_responses)
        assert all(f"{trait.trait_name}: {trait.value}" in case for trait in task.file.traits)
        for call in task.expected_calls:
            assert f"  {call.name}(" in case
            assert all(
                f"{key}={json.dumps(value, ensure_ascii=False)}" in case for key, value in call.arguments.items()
            )
        assert " > ".join(task.expected_path) in case


def test_the_site_and_the_command_line_give_the_same_text(site: Path, value_of: Callable[[Path], Any]) -> None:
    pack = load_pack("healthcare")
    tasks = load_suite(pack, Path(__file__).parents[2] / "suites" / "healthcare").tasks
    kept = value_of(site / "data" / "replication" / "healthcare.js")
    for task_id, task in tasks.items():
        assert kept["head"].replace("{cases}", task_id) + kept["cases"][task_id] == replication_prompt(pack, [task])


@pytest.mark.parametrize("name", ["healthcare", "legal", "customer-support"])
def test_it_tells_just_the_rows_that_a_correct_call_writes(name: str) -> None:
    pack = load_pack(name)
    for task in load_suite(pack).tasks.values():
        written = replication_prompt(pack, [task]).split("weren't there before:\n")[1]
        expected = expected_writes(pack, task)
        if not expected:
            assert written == "  none: the database stays as it is\n", task.task_id
        for table, count in (expected or {}).items():
            lines = [line for line in written.splitlines() if line.startswith((f"  {table}: ", f"  {table}, gone"))]
            assert count <= len(lines) <= 2 * count, task.task_id
