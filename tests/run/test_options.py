"""The plan of a run and the names that follow from it. Source: formats.md 6."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mivas.errors import InputError
from mivas.pack import Suite, Task
from mivas.pack._tasks import TaskFile
from mivas.run import RunOptions, _options, _runner, call_id_for, folder_name, plan
from mivas.run._options import LONGEST_CALL_ID


def suite(*tasks: str, pack_id: str = "toy") -> Suite:
    """Tasks by id; a `!` after the id makes it hard."""
    made = {}
    for text in tasks:
        task_id, hard = text.removesuffix("!"), text.endswith("!")
        raw = {
            "task_name": f"{task_id}: x", "customer_name": "Ann", "intent": "", "traits": [], "exp_handoff_path": [],
            "exp_tool_calls": [],
            "metadata": {
                "category": "T1", "category_slug": "t", "difficulty": "hard" if hard else "easy",
                "audio_condition": "perfect",
            },
        }  # fmt: skip
        made[task_id] = Task(task_id=task_id, file=TaskFile.model_validate(raw), raw=raw)
    return Suite(name="toy-1", pack_id=pack_id, tasks=made)


def options(**changes: Any) -> RunOptions:
    return RunOptions(**({"packs": ("toy",), "harness": "oracle"} | changes))


def test_the_examples_in_the_docstrings_hold() -> None:
    assert [doctest.testmod(module).failed for module in (_options, _runner)] == [0, 0]


def test_call_ids_are_the_same_in_every_process() -> None:
    code = "from mivas.run import call_id_for as c; print(c(7, 'healthcare', 'C1-E1', 2, 3))"
    said = {
        subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, check=True,
                       capture_output=True, text=True).stdout.strip()
        for seed in ("0", "4711")
    }  # fmt: skip
    assert said == {call_id_for(7, "healthcare", "C1-E1", 2, 3)}


@given(task_id=st.text(min_size=1, max_size=80), trial=st.integers(0, 10**6), attempt=st.integers(1, 9))
def test_a_call_id_is_one_that_every_service_accepts(task_id: str, trial: int, attempt: int) -> None:
    call_id = call_id_for(0, "toy", task_id, trial, attempt)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", call_id, re.ASCII)
    assert len(call_id) <= LONGEST_CALL_ID


@pytest.mark.parametrize("other", [(1, "p", "T", 0, 1), (0, "q", "T", 0, 1), (0, "p", "U", 0, 1), (0, "p", "T", 1, 1),
                                   (0, "p", "T", 0, 2), (0, "p", "../T", 0, 1)])  # fmt: skip
def test_everything_that_tells_trials_apart_tells_their_call_ids_apart(other: Any) -> None:
    assert call_id_for(*other) != call_id_for(0, "p", "T", 0, 1)


def test_task_ids_that_look_alike_as_folders_stay_apart() -> None:
    assert call_id_for(0, "p", "a/b", 0, 1) != call_id_for(0, "p", "a-b", 0, 1)


def test_the_plan_goes_pack_by_pack_task_by_task_trial_by_trial() -> None:
    suites = {"one": suite("B", "A", pack_id="p1"), "two": suite("C", pack_id="p2")}
    specs = plan(options(packs=("one", "two"), trials=2), suites)
    assert [spec.key for spec in specs] == ["p1/B/0", "p1/B/1", "p1/A/0", "p1/A/1", "p2/C/0", "p2/C/1"]
    assert {spec.attempt for spec in specs} == {1}


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        pytest.param({"only": ("C1-*",)}, ["C1-E1", "C1-H1"], id="a glob"),
        pytest.param({"only": ("R-E1", "C1-E?")}, ["C1-E1", "R-E1"], id="several globs, suite order"),
        pytest.param({"difficulty": ("hard",)}, ["C1-H1"], id="a difficulty"),
        pytest.param({"only": ("*E1",), "difficulty": ("hard", "easy")}, ["C1-E1", "R-E1"], id="both"),
        pytest.param({"only": ("[C]1-E1",)}, ["C1-E1"], id="brackets"),
    ],
)
def test_filters(choice: dict[str, Any], left: list[str]) -> None:
    specs = plan(options(**choice), {"toy": suite("C1-E1", "C1-H1!", "R-E1")})
    assert [spec.task_id for spec in specs] == left


@pytest.mark.parametrize("choice", [{"only": ("X*",)}, {"only": ("c1-e1",)}, {"difficulty": ("medium",)}])
def test_an_empty_plan_is_an_error(choice: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no task is left to run"):
        plan(options(**choice), {"toy": suite("C1-E1")})


def test_a_pack_without_tasks_is_an_error() -> None:
    with pytest.raises(InputError, match="holds no task of pack two"):
        plan(options(packs=("one", "two")), {"one": suite("A", pack_id="p1"), "two": suite(pack_id="p2")})


def test_one_pack_under_two_names_is_an_error() -> None:
    with pytest.raises(InputError, match="pack toy is given twice"):
        plan(options(packs=("toy", "./toy")), {"toy": suite("A"), "./toy": suite("A")})


@pytest.mark.parametrize(
    "wrong",
    [{"trials": 0}, {"concurrency": 0}, {"retries": -1}, {"packs": ()}, {"difficulty": ("tough",)}, {"discount": 1},
     {"scope": "maybe"}, {"no_such_option": 1}],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        options(**wrong)


def test_a_folder_name_has_no_surprises() -> None:
    from datetime import datetime

    name = folder_name(datetime(2026, 8, 19, 12, 0), "openai/realtime 2.1", ("/some/where/My Pack", "legal"))  # noqa: DTZ001
    assert name == "20260819T120000Z-openai-realtime-2-1-my-pack-legal"
