"""What docs/doubles.md shows works, and names every fault."""

from __future__ import annotations

import re
from pathlib import Path

from mivas.fakes.realtime import FAULTS, read_realtime_script

PAGE = (Path(__file__).parents[2] / "docs" / "doubles.md").read_text()


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_for_tests_runs() -> None:
    exec(block("python"), {})


def test_the_example_script_is_one(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(block("json"))
    assert read_realtime_script(path)(0).faults == ()


def test_every_fault_is_explained() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row.split("|")[1])}
    assert named >= FAULTS.keys()
