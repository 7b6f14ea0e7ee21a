"""`mivas rescore`: exit codes, streams, document and table. Source: cli.md, decision 0008."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import pack_folder
from mivas.verify import verifier_revision

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    target = tmp_path / "kettles"
    shutil.copytree(pack_folder("control-industry"), target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


@pytest.fixture
def run(mivas: Call, pack: Path) -> Path:
    code, _, _ = mivas("run", str(pack), "--harness", "oracle", "--trials", "2", "--out", "run")
    assert code == 0
    return Path("run")


def forget_a_column(pack: Path) -> None:
    path = pack / "scoring.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"drop_columns": []}))


def test_nothing_changed_is_said_so(mivas: Call, run: Path) -> None:
    code, out, err = mivas("rescore", "run")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "2 trials: 0 flipped, 0 changed otherwise, 0 kept for want of evidence",
        f"verifier: {verifier_revision()} then, {verifier_revision()} now",
        "verdicts.jsonl is byte for byte what it was",
    ]


def test_the_table_tells_key_marks_and_rule_in_80_columns(mivas: Call, run: Path, pack: Path) -> None:
    forget_a_column(pack)
    code, out, _ = mivas("rescore", "run")
    assert code == 0
    row = next(line for line in out.splitlines() if line.strip().startswith("control-industry/F1-E1/0"))
    assert row.split()[1:4] == ["pass", "FAIL", "+D"]
    assert all(len(line) <= 80 for line in out.splitlines() if "verdicts.jsonl rewritten" not in line)
    assert f"the old one is run/verdicts.{verifier_revision()}.jsonl" in out


def test_the_document(mivas: Call, run: Path, pack: Path) -> None:
    forget_a_column(pack)
    shutil.rmtree(next((run / "calls").glob("F1-E1-1-*")))
    code, out, err = mivas("rescore", "run", "--json")
    document: dict[str, Any] = json.loads(out)
    assert (code, err) == (0, "")
    assert list(document) == [
        "run_dir", "dry_run", "trials", "identical", "verifier_revision", "flipped", "otherwise_changed", "kept",
        "old_verdicts", "marks", "pass_at_1",
    ]  # fmt: skip
    (flip,) = document["flipped"]
    assert (flip["key"], flip["old_mark"], flip["new_mark"]) == ("control-industry/F1-E1/0", "pass", "FAIL")
    assert document["kept"][0]["key"] == "control-industry/F1-E1/1"
    assert "events.jsonl" in document["kept"][0]["why"]
    assert document["verifier_revision"] == {"old": [verifier_revision()], "new": verifier_revision()}
    assert (document["trials"], document["pass_at_1"]) == (2, 0.5)


def test_a_dry_run_writes_nothing(mivas: Call, run: Path, pack: Path) -> None:
    forget_a_column(pack)
    before = (run / "verdicts.jsonl").read_bytes()
    code, out, _ = mivas("rescore", "run", "--dry-run")
    assert (code, (run / "verdicts.jsonl").read_bytes()) == (0, before)
    assert "nothing written (--dry-run)" in out
    assert "2 flipped" in out


def test_changed_tasks_are_refused_in_one_line(mivas: Call, run: Path, pack: Path) -> None:
    (task,) = pack.rglob("task.json")
    task.write_text(json.dumps(json.loads(task.read_text()) | {"intent": "Something else."}))
    code, out, err = mivas("rescore", "run")
    assert (code, out) == (2, "")
    assert err.startswith("mivas: run: tasks of control-industry changed since this run (suite hash was ")
    assert err.count("\n") == 1
    assert mivas("rescore", "run", "--tasks", str(pack / "fixture"))[0] == 0


def test_fail_under_is_a_check(mivas: Call, run: Path, pack: Path) -> None:
    assert mivas("rescore", "run", "--fail-under", "1")[0] == 0
    forget_a_column(pack)
    assert mivas("rescore", "run", "--fail-under", "0.5")[0] == 1


def test_no_run_is_one_line(mivas: Call) -> None:
    code, out, err = mivas("rescore", "nowhere")
    assert (code, out) == (2, "")
    assert err == "mivas: nowhere: no run there (no run.json); give a run folder\n"
