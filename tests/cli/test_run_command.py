"""`mivas run`: exit codes, streams, documents and tables. Source: cli.md."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import pack_folder

CONTROL = ("run", "control-industry", "--harness", "oracle")


Mivas = Callable[..., Any]


def task(**changes: Any) -> dict[str, Any]:
    folder = pack_folder("control-industry") / "fixture" / "F1-E1"
    data: dict[str, Any] = json.loads((folder / "task.json").read_text()) | changes
    return data


def write_task(root: Path, name: str, text: str) -> Path:
    (root / name).mkdir(parents=True)
    (root / name / "task.json").write_text(text)
    return root


def test_the_document_has_the_shape_of_the_contract(mivas: Mivas, tmp_path: Path) -> None:
    said = mivas(*CONTROL, "--trials", "3", "--json")
    assert (said.code, said.err) == (0, "")
    document = json.loads(said.out)
    assert list(document) == [
        "run_dir", "trials", "marks", "caller_faults", "pass_at_1", "pass_hat_k", "packs", "wall_s", "call_s",
    ]  # fmt: skip
    assert document["marks"] == {"pass": 3, "FAIL": 0, "VOID": 0, "MISS": 0, "wait": 0}
    assert (document["trials"], document["pass_at_1"], document["caller_faults"]) == (3, 1.0, 0)
    assert document["pass_hat_k"] == {"1": 1.0, "2": 1.0, "3": 1.0}
    pack = document["packs"]["control-industry"]
    assert pack["gates"] == {"T": 1.0, "H": 1.0, "D": 1.0}
    assert pack["verdicts"] == {"exact": 3, "none_required": 0, "in_order_with_extras": 0, "incomplete": 0}
    assert (pack["trials"], pack["marks"], pack["pass_at_1"]) == (3, document["marks"], 1.0)
    assert document["call_s"] > 0
    assert (tmp_path / document["run_dir"] / "run.json").is_file()


def test_a_run_exits_0_whatever_the_score(mivas: Mivas) -> None:
    assert mivas("run", "control-industry", "--harness", "nop").code == 0


@pytest.mark.parametrize(
    ("harness", "threshold", "code"),
    [("oracle", "1", 0), ("oracle", "0.5", 0), ("nop", "0.01", 1), ("nop", "0", 0)],
)
def test_fail_under_exits_1_below_the_threshold(mivas: Mivas, harness: str, threshold: str, code: int) -> None:
    said = mivas("run", "control-industry", "--harness", harness, "--fail-under", threshold, "--json")
    assert said.code == code
    json.loads(said.out)


def test_tables_fit_80_columns(mivas: Mivas) -> None:
    for arguments in (("--trials", "20"), ("--harness", "nop", "--trials", "2")):
        said = mivas(*CONTROL, *arguments)
        lines = [line for line in said.out.splitlines() if not line.startswith("run folder")]
        assert max(map(len, lines)) <= 80
        assert "…" not in said.out


def test_a_failed_task_names_its_gates_and_why(mivas: Mivas) -> None:
    out = mivas("run", "control-industry", "--harness", "nop").out
    assert "T- H- D-" in out
    assert "handoff_to_scheduler was never called" in out


def test_what_looks_like_markup_is_printed_as_it_is(mivas: Mivas, tmp_path: Path) -> None:
    hat = task(exp_tool_calls=[{"name": "schedule_appointment", "parameters": {"date": "[/red] :smile: [bold]"}}])
    write_task(tmp_path / "suite", "[red]-E1", json.dumps(hat))
    said = mivas("run", "control-industry", "--harness", "nop", "--tasks", "suite")
    assert (said.code, said.err) == (0, "")
    assert "[red]-E1" in said.out


def test_only_and_difficulty_choose(mivas: Mivas) -> None:
    assert json.loads(mivas(*CONTROL, "--only", " F1-*, X", "--difficulty", "easy", "--json").out)["trials"] == 1


def test_environment_variables_are_defaults(mivas: Mivas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS", "nop")
    monkeypatch.setenv("INDUSTRY", "control-industry")
    assert json.loads(mivas("run", "--json").out)["marks"]["FAIL"] == 1
    assert json.loads(mivas("run", "--harness", "oracle", "--json").out)["marks"]["pass"] == 1


def test_two_runs_in_one_second_get_two_folders(mivas: Mivas, tmp_path: Path) -> None:
    folders = {json.loads(mivas(*CONTROL, "--json").out)["run_dir"] for _ in range(3)}
    assert len(folders) == len(list((tmp_path / "runs").iterdir())) == 3


def test_a_pack_by_its_path_runs_and_resumes_from_anywhere(
    mivas: Mivas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(pack_folder("control-industry"), tmp_path / "kettles")
    shutil.copytree(tmp_path / "kettles" / "fixture", tmp_path / "suite")
    said = mivas("run", "kettles/", "--tasks", "suite", "--harness", "oracle", "--out", "out", "--json")
    assert json.loads(said.out)["marks"]["pass"] == 1
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "trials.jsonl").unlink()
    monkeypatch.chdir(tmp_path / "elsewhere")
    again = mivas("run", "--resume", "../out", "--json")
    assert json.loads(again.out)["marks"]["pass"] == 1


def test_resume_prints_the_same_figures(mivas: Mivas) -> None:
    first = json.loads(mivas(*CONTROL, "--trials", "2", "--out", "out", "--json").out)
    again = json.loads(mivas("run", "--resume", "out", "--json", "--fail-under", "1").out)
    assert {**again, "wall_s": 0} == {**first, "wall_s": 0}


def test_resume_takes_a_harness_from_the_environment_as_no_contradiction(
    mivas: Mivas, monkeypatch: pytest.MonkeyPatch
) -> None:
    mivas(*CONTROL, "--out", "out")
    monkeypatch.setenv("HARNESS", "nop")
    assert mivas("run", "--resume", "out", "--json").code == 0


BAD = [
    pytest.param(("run",), "no pack given", id="nothing at all"),
    pytest.param(("run", "control-industry"), "no harness given", id="no harness"),
    pytest.param(("run", "control-industry", "--harness", ""), "no harness given", id="empty harness"),
    pytest.param(("run", "no-such-pack", "--harness", "nop"), "no pack 'no-such-pack'", id="unknown pack"),
    pytest.param(("run", "control-industry", "--harness", "x"), "no harness 'x'", id="unknown harness"),
    pytest.param(("run", "control-industry", "--harness", "nop:x"), "takes no argument", id="harness argument"),
    pytest.param((*CONTROL, "--only", "X-*"), "no task is left to run", id="nothing matches"),
    pytest.param((*CONTROL, "--only", ","), "--only: names nothing", id="empty globs"),
    pytest.param((*CONTROL, "--only", ""), "--only: names nothing", id="empty glob"),
    pytest.param((*CONTROL, "--difficulty", "hard"), "no task is left to run", id="no task so hard"),
    pytest.param((*CONTROL, "--difficulty", "nonsense"), "--difficulty: Input should be", id="unknown difficulty"),
    pytest.param((*CONTROL, "--trials", "0"), "--trials", id="no trials"),
    pytest.param((*CONTROL, "--trials", "many"), "--trials", id="trials no number"),
    pytest.param((*CONTROL, "--concurrency", "0"), "--concurrency", id="no workers"),
    pytest.param((*CONTROL, "--fail-under", "7"), "--fail-under", id="threshold"),
    pytest.param((*CONTROL, "--fail-under", "nan"), "not a number between 0 and 1", id="threshold no number"),
    pytest.param((*CONTROL, "--no-such-option"), "No such option", id="unknown option"),
    pytest.param((*CONTROL, "--tasks", "nowhere"), "no such file or folder", id="tasks missing"),
    pytest.param((*CONTROL, "--tasks", "broken"), "broken JSON", id="broken task"),
    pytest.param((*CONTROL, "--tasks", "list"), "not a JSON object", id="task no object"),
    pytest.param((*CONTROL, "--tasks", "bare"), "Field required", id="task without its keys"),
    pytest.param((*CONTROL, "--tasks", "rows.jsonl"), "broken JSON", id="broken row"),
    pytest.param((*CONTROL, "--tasks", "empty.jsonl"), "holds no task of pack", id="no rows"),
    pytest.param((*CONTROL, "--out", "file"), "can't be used", id="out is a file"),
    pytest.param((*CONTROL, "--out", "file/run"), "can't be used", id="out below a file"),
    pytest.param((*CONTROL, "--out", "used"), "holds a run already; continue it with --resume", id="out is used"),
    pytest.param((*CONTROL, "--out", "list"), "holds other files", id="out holds other files"),
    pytest.param(("run", "control-industry", "./kettles", "--harness", "nop"), "is given twice", id="pack twice"),
    pytest.param(("run", "--resume", "nowhere"), "no run there", id="resume nothing"),
    pytest.param(("run", "--resume", "file"), "", id="resume a file"),
    pytest.param(("run", "--resume", "damaged"), "broken JSON", id="resume a damaged run"),
    pytest.param(("run", "control-industry", "--resume", "used"), "got PACK", id="resume with a pack"),
    pytest.param(("run", "--resume", "used", "--harness", "nop"), "got --harness", id="resume with a harness"),
    pytest.param(("run", "--resume", "used", "--seed", "0"), "got --seed", id="resume with a seed"),
    pytest.param(("run", "--resume", "used", "--retries", "0"), "got --retries", id="resume with retries"),
    pytest.param(
        ("run", "--resume", "used", "--trials", "2", "--out", "x"), "got --trials, --out", id="resume with two"
    ),
    pytest.param(("run", "--resume", "used", "--scope", "observe"), "got --scope", id="resume with a scope"),
    pytest.param(("fly",), "No such command 'fly'", id="unknown command"),
]


@pytest.mark.parametrize(("arguments", "what"), BAD)
def test_bad_input_is_one_line_and_exit_2(mivas: Mivas, tmp_path: Path, arguments: tuple[str, ...], what: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "rows.jsonl").write_text("{\n")
    (tmp_path / "empty.jsonl").write_text("\n")
    write_task(tmp_path / "broken", "T1-E1", "{")
    write_task(tmp_path / "list", "T1-E1", "[]")
    write_task(tmp_path / "bare", "T1-E1", "{}")
    if "damaged" in arguments:
        (tmp_path / "damaged").mkdir()
        (tmp_path / "damaged" / "run.json").write_text("{")
    if "./kettles" in arguments:
        shutil.copytree(pack_folder("control-industry"), tmp_path / "kettles")
    if "used" in arguments:
        assert mivas(*CONTROL, "--out", "used").code == 0
    said = mivas(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("mivas: ")
    assert said.err.count("\n") == 1
    assert what in said.err


def test_bad_input_prints_no_document_either(mivas: Mivas) -> None:
    said = mivas("run", "no-such-pack", "--harness", "nop", "--json")
    assert (said.code, said.out) == (2, "")
