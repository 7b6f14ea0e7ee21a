"""docs/failure-modes.md names every line there is, and no test that isn't there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "failure-modes.md").read_text("utf-8")
ROWS = {int(number): rest for number, rest in re.findall(r"^\| (\d+) \|(.*)\|$", PAGE, re.MULTILINE)}
SPECIFICATION = Path("/work/shared/spec/failure-modes.md")
LAST = 62


def functions(path: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)}


def suite() -> set[str]:
    return set().union(*map(functions, (ROOT / "src" / "mivas" / "conformance").glob("*.py")))


def test_every_line_is_there_once() -> None:
    assert list(ROWS) == list(range(1, LAST + 1))
    assert len(re.findall(r"^\| \d+ \|", PAGE, re.MULTILINE)) == LAST


@pytest.mark.skipif(not SPECIFICATION.is_file(), reason="the list of failure modes isn't here")
def test_there_are_no_more_lines() -> None:
    numbers = re.findall(r"^(\d+)\. ", SPECIFICATION.read_text("utf-8"), re.MULTILINE)
    assert max(map(int, numbers)) == LAST


@pytest.mark.parametrize("number", ROWS)
def test_a_line_has_its_tests_or_says_why_not(number: int) -> None:
    where = ROWS[number].split("|")[-1].strip()
    named = re.findall(r"`([^`]+?)::(\w+)`", where)
    for place, name in named:
        found = suite() if place == "conformance" else functions(ROOT / "tests" / place)
        assert name in found, f"{place}::{name} is no test"
        assert name.startswith("test_")
    words = re.sub(r"`[^`]+`", "", where).strip(" ,;")
    assert named or len(words) > 10, "neither a test nor a reason"


def test_a_test_of_the_suite_that_has_a_number_stands_at_its_line() -> None:
    numbered = {(int(number), name) for name in suite() for number in re.findall(r"(?<=_)\d\d(?=_)", name)}
    assert (1, "test_01_the_agent_speaks_first_to_a_caller_who_says_nothing") in numbered
    assert [one for one in sorted(numbered) if f"conformance::{one[1]}`" not in ROWS[one[0]]] == []
