"""Every example of README, docs and docstrings runs."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mivas
from mivas.pack import load_pack, pack_folder

REPOSITORY = Path(__file__).parents[2]
COMMAND = ".venv/bin/mivas "
MODULES = sorted(found.name for found in pkgutil.walk_packages(mivas.__path__, "mivas."))


def blocks(file: str, language: str) -> list[str]:
    """Fenced code blocks of a page, indentation removed."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```", (REPOSITORY / file).read_text(), re.MULTILINE | re.DOTALL)
    return ["".join(line.removeprefix(indent) for line in text.splitlines(keepends=True)) for indent, text in found]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def commands(file: str) -> list[tuple[str, ...]]:
    """The commands of each block: one may need what those before it left behind."""
    found = [
        tuple(line for line in (one.split("  #")[0].strip() for one in block.splitlines()) if line.startswith(COMMAND))
        for block in blocks(file, "sh")
    ]
    return [lines for lines in found if lines]


@pytest.mark.parametrize("lines", commands("README.md"), ids=lambda lines: lines[0].removeprefix(COMMAND))
def test_the_readmes_commands_run(lines: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(REPOSITORY / "tests")
    for line in lines:
        program = [sys.executable, "-c", "from mivas.cli import main; main()", *shlex.split(line)[1:]]
        done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert done.stdout, line


def test_the_pack_recipe_gives_tools_that_work(tmp_path: Path) -> None:
    recipe = next(block for block in blocks("docs/architecture.md", "python") if "TOOLS = Toolset" in block)
    folder = tmp_path / "bookings"
    shutil.copytree(pack_folder("control-industry"), folder, ignore=shutil.ignore_patterns("fixture", "__pycache__"))
    (folder / "tools.py").write_text(recipe)
    tables = "CREATE TABLE bookings (id INTEGER PRIMARY KEY, date TEXT NOT NULL, created_at TEXT NOT NULL);\n"
    (folder / "db" / "schema.sql").write_text(tables)
    (folder / "scoring.json").write_text(
        '{"version": 1, "transfer_set": [], "tables": {"bookings": {"rule": "exact"}}}'
    )
    (folder / "prompts" / "scheduler.md").unlink()
    agent = {"name": "receptionist", "system_prompt": "system-prompts/receptionist.md"}
    tools = [{"name": "book"}, {"name": "end_call", "session": True}]
    (folder / "agent_blueprint.json").write_text(json.dumps({"agents": [{**agent, "tools": tools}]}))
    for words in (["packs", "graph", str(folder), "--write"], ["check", str(folder)]):
        program = [sys.executable, "-c", "from mivas.cli import main; main()", *words]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert load_pack(str(folder)).posted_tools == {"book"}


def test_the_harness_recipe_answers_a_call(tmp_path: Path) -> None:
    recipe = next(block for block in blocks("docs/architecture.md", "python") if "class MyHarness" in block)
    names: dict[str, Any] = {}
    exec(recipe, names)
    harness = names["factory"](None)
    assert harness.capabilities.clock == "virtual"
    assert callable(harness.answer(desk=None).turn)
