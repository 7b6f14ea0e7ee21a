"""`mivas compare`: exit codes, streams, document and table. Source: cli.md, docs/statistics.md."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., tuple[int, str, str]]


def folder(root: Path, marks: dict[str, str], harness: str = "oracle", pack: str = "healthcare", **more: Any) -> None:
    """A finished run with the marks of each task: p pass, f FAIL, v VOID."""
    trials = max(map(len, marks.values()))
    manifest = {
        "version": 1, "status": "finished", "trials": trials, "tier": "text",
        "packs": {pack: {"pack_version": "1.0.0", "suite": "s-1", "hashes": {"lockfile": "h"}}},
        "harness": {"name": harness}, "caller": {"name": "program", "approximate": False},
    } | more  # fmt: skip
    names = {"p": "pass", "f": "FAIL", "v": "VOID"}
    verdicts = [
        {"key": f"{pack}/{task}/{trial}", "pack": pack, "task_id": task, "trial": trial, "mark": names[mark],
         "suite": "s-1", "suite_hash": "h", "verifier_revision": "v"}
        for task, own in marks.items()
        for trial, mark in enumerate(own)
    ]  # fmt: skip
    records = [{"key": one["key"], "call_id": one["key"], "files": {}} for one in verdicts]
    root.mkdir()
    (root / "run.json").write_text(json.dumps(manifest))
    for name, lines in (("verdicts.jsonl", verdicts), ("trials.jsonl", records)):
        (root / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))


GOOD = {f"C1-E{number}": "ppp" for number in range(8)}
POOR = {f"C1-E{number}": "pff" for number in range(8)}


def test_a_better_run_is_told_in_a_sentence_and_80_columns(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", POOR, "nop", pack="customer-support")
    folder(tmp_path / "b", GOOD | {"C1-E7": "ppf"}, pack="customer-support")
    code, out, err = mivas("compare", "a", "b")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["A: nop, a", "B: oracle, b"]
    assert "customer-support, pass@1: B is better, by 62.5 points." in lines
    row = next(line for line in lines if " pass@1 " in line)
    assert row.split() == [
        "customer-support",
        "pass@1",
        "33.3%",
        "95.8%",
        "+62.5",
        "+54.2",
        "..",
        "+66.7",
        "0.008",
        "8",
    ]
    assert "differs: harness.name: nop in A, oracle in B" in lines
    assert all(len(line) <= 80 for line in lines)


def test_a_run_against_itself_is_indistinguishable(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", POOR)
    code, out, _ = mivas("compare", "a", "a")
    assert code == 0
    assert "pass@1: Indistinguishable at this k: a difference under" in out
    assert "+0.0 - 1.000 8" in " ".join(out.split())
    assert "differs" not in out


def test_one_trial_each_has_no_pass_hat_k_row(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", {"x": "p", "y": "f"})
    folder(tmp_path / "b", {"x": "pp", "y": "fp"})
    out = mivas("compare", "a", "b")[1]
    assert "pass^" not in out
    assert "differs: trials: 1 in A, 2 in B" in out


def test_tasks_that_miss_on_a_side_are_named(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", {"x": "pp", "y": "ff", "v": "vv"})
    folder(tmp_path / "b", {"x": "pp", "z": "ff", "v": "pp"})
    out = mivas("compare", "a", "b")[1]
    assert "1 task only in A, left out: healthcare/y" in out
    assert "1 task only in B, left out: healthcare/z" in out
    assert "1 task without a scored trial on one side, left out: healthcare/v" in out


def test_the_document(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", POOR)
    folder(tmp_path / "b", GOOD)
    code, out, err = mivas("compare", "a", "b", "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert list(document) == ["a", "b", "k", "differing", "overall", "packs", "only_in_a", "only_in_b", "unscored"]
    change = document["packs"]["healthcare"]["pass_at_1"]
    assert (change["a"], change["b"], change["tasks"]) == (pytest.approx(1 / 3), 1, 8)
    assert change["p"] == pytest.approx(2 / 2**8)
    assert document["overall"]["pass_at_1"]["difference"] == pytest.approx(2 / 3)
    assert json.loads(mivas("compare", "a", "b", "--json")[1]) == document, "the same figures every time"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            {"packs": {"healthcare": {"suite": "s-2"}}},
            "healthcare: suite s-1 here, s-2 in b; compare runs of one suite",
        ),
        ({"packs": {"legal": {"suite": "s-1"}}}, "share no pack with b"),
        ({"packs": None}, "b: names no packs in run.json"),
        ({"trials": None}, "b: run.json doesn't say how many trials"),
        ({"status": "interrupted"}, "b: the run is interrupted, not finished; end it with --resume b"),
    ],
)
def test_a_refusal_is_one_line_and_exit_2(mivas: Call, tmp_path: Path, more: dict[str, Any], told: str) -> None:
    folder(tmp_path / "a", GOOD)
    folder(tmp_path / "b", GOOD, **more)
    code, out, err = mivas("compare", "a", "b")
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


def test_an_unnamed_harness_is_no_reason_to_refuse(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", GOOD)
    (tmp_path / "a" / "run.json").write_text(
        json.dumps(json.loads((tmp_path / "a" / "run.json").read_text()) | {"harness": None})
    )
    code, out, _ = mivas("compare", "a", "a")
    assert (code, out.splitlines()[0]) == (0, "A: unknown harness, a")


def test_a_verdict_given_twice_counts_once(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", GOOD)
    verdicts = tmp_path / "a" / "verdicts.jsonl"
    verdicts.write_text(verdicts.read_text() * 2)
    assert mivas("compare", "a", "a")[0] == 0


def test_without_scipy_one_line_names_the_extra(mivas: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder(tmp_path / "a", GOOD)
    monkeypatch.setitem(sys.modules, "scipy", None)
    code, out, err = mivas("compare", "a", "a")
    assert (code, out) == (2, "")
    assert err == "mivas: extra stats: comparing runs needs scipy; pip install 'mivas[stats]'\n"


def test_runs_judged_by_different_verifiers_can_be_brought_together(mivas: Call) -> None:
    for name, harness in (("a", "oracle"), ("b", "nop")):
        assert mivas("run", "control-industry", "--harness", harness, "--trials", "2", "--out", name)[0] == 0
    verdicts = Path("a/verdicts.jsonl")
    lines = [json.loads(line) | {"verifier_revision": "0123456789ab"} for line in verdicts.read_text().splitlines()]
    verdicts.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    code, _, err = mivas("compare", "a", "b")
    assert code == 2
    assert "verifier revision 0123456789ab here" in err
    assert "`mivas rescore RUN`" in err
    assert mivas("rescore", "a")[0] == 0
    code, out, _ = mivas("compare", "a", "b")
    assert code == 0
    assert "2 trials of 1 task can't show any difference." in " ".join(out.split())


def test_folders_are_only_read(mivas: Call, tmp_path: Path) -> None:
    folder(tmp_path / "a", GOOD)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    mivas("compare", "a", "b")
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before
