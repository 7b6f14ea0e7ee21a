"""`mivas report`: what it writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def value_of(path: Path) -> Any:
    """The value a data file hands to its page."""
    text = path.read_text(encoding="utf-8")
    assert text.startswith("mivas.data(")
    return json.loads(text[text.index(",") + 1 : text.rindex(")")])


@pytest.fixture
def run_folder(mivas: Callable[..., Any], tmp_path: Path) -> Path:
    done = mivas("run", "control-industry", "--harness", "oracle", "--trials", "2", "--out", str(tmp_path / "run"))
    assert done.code == 0, done.err
    return tmp_path / "run"


def test_a_site_holds_every_call_of_the_run(mivas: Callable[..., Any], run_folder: Path, tmp_path: Path) -> None:
    said = mivas("report", str(run_folder), "--out", "site", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["calls"] == 2
    index = value_of(tmp_path / "site" / "data" / "index.js")
    lines = (run_folder / "trials.jsonl").read_text().splitlines()
    assert [call["call"] for call in index["calls"]] == [json.loads(line)["call_id"] for line in lines]
    for call in index["calls"]:
        value = value_of(tmp_path / "site" / "data" / "calls" / call["run"] / f"{call['call']}.js")
        assert value["mark"] == "pass"
        assert all(wanted["met"] for wanted in value["expected"])
        for file in value["evidence"].values():
            assert (tmp_path / "site" / file).stat().st_size


def test_an_old_site_is_replaced_and_other_folders_are_left_alone(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path
) -> None:
    assert mivas("report", str(run_folder), "--out", "site").code == 0
    (tmp_path / "site" / "left-over.html").write_text("old")
    assert mivas("report", str(run_folder), "--out", "site").code == 0
    assert not (tmp_path / "site" / "left-over.html").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear")
    said = mivas("report", str(run_folder), "--out", "mine")
    assert (said.code, said.err) == (2, "mivas: mine: holds other files; choose an empty or a new folder with --out\n")
    assert (tmp_path / "mine" / "diary.txt").read_text() == "dear"


def test_a_site_never_stands_in_a_run_folder(mivas: Callable[..., Any], run_folder: Path) -> None:
    said = mivas("report", str(run_folder), "--out", str(run_folder / "site"))
    assert said.code == 2
    assert "in or around a run folder" in said.err
    assert not (run_folder / "site").exists()


def test_a_folder_without_a_run_is_refused_in_one_line(mivas: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    said = mivas("report", "empty")
    assert said.code == 2
    assert said.err == "mivas: empty: no run there (no run.json); give a run folder\n"


def test_a_call_whose_evidence_is_gone_is_still_listed(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path
) -> None:
    for part in run_folder.glob("calls/*/*"):
        part.unlink()
    assert mivas("report", str(run_folder), "--out", "site").code == 0
    index = value_of(tmp_path / "site" / "data" / "index.js")
    value = value_of(next((tmp_path / "site" / "data" / "calls").glob("*/*.js")))
    assert [call["mark"] for call in index["calls"]] == ["pass", "pass"]
    assert value["items"] == []
    assert value["changed"] is None
    assert value["expected"][0]["met"] is None


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "broken JSON"), ("[]", "is no result of a probe"), ('{"saboteurs": 3}', "is no result of a probe")],
)
def test_what_is_no_probe_is_refused_before_anything_is_written(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "probe.json").write_text(text)
    said = mivas("report", str(run_folder), "--out", "site", "--probe", "probe.json")
    assert said.code == 2
    assert told in said.err
    assert not (tmp_path / "site").exists()


def test_two_runs_stand_side_by_side_under_names_of_their_own(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "again").mkdir()
    again = tmp_path / "again" / "run"
    assert mivas("run", "control-industry", "--harness", "nop", "--out", str(again)).code == 0
    assert mivas("report", str(run_folder), str(again), "--out", "site").code == 0
    index = value_of(tmp_path / "site" / "data" / "index.js")
    assert [run["name"] for run in index["runs"]] == ["run", "run-2"]
    assert {call["run"] for call in index["calls"]} == {"run", "run-2"}
