"""`mivas export`: exit codes, streams, files, and that its rows can be judged again. Source: cli.md, scoring.md 5."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mivas.cli import main
from mivas.pack import load_pack
from mivas.run import LocalBackend, RunOptions, read_run, start_run
from mivas.score import summarise
from mivas.verify import verify

Call = Callable[..., tuple[int, str, str]]
SUITE = Path(__file__).parents[1] / "suites" / "healthcare"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of finished runs: `good` (two of the packs' own tasks, all passed), `poor` (other tasks, failed)."""
    root = tmp_path_factory.mktemp("played")
    for name, options in {
        "good": RunOptions(
            packs=("healthcare", "control-industry"), harness="oracle", trials=5, only=("C1-E1", "F1-E1")
        ),
        "poor": RunOptions(packs=("healthcare",), harness="nop", trials=2, tasks=str(SUITE), only=("C2-*", "R-*")),
    }.items():
        started = datetime(2026, 8, 19, 12, 0, tzinfo=UTC)
        start_run(options, root / name, LocalBackend(), started_utc=started, command="test", watch=lambda at: None)
    return root


@pytest.fixture
def runs(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of those runs to break, and the current folder."""
    for name in ("good", "poor"):
        shutil.copytree(played / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def mivas(runs: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Call the command; returns exit code, stdout and stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mivas", "export", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capfd.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return call


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        change(line)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_a_run_comes_out_as_one_row_a_conversation_in_run_order(mivas: Call, runs: Path) -> None:
    code, out, err = mivas("good")
    assert (code, err) == (0, "")
    verdicts = list(read_run(runs / "good").verdicts.values())
    assert [row["simulation_id"] for row in rows(out)] == [verdict["key"] for verdict in verdicts]
    assert [row["conversation_index"] for row in rows(out)] == list("1234512345")
    first = rows(out)[0]
    assert first["task_path"] == "src/mivas/industries/healthcare/tasks/C1-E1/task.json"
    assert (Path(__file__).parents[2] / first["task_path"]).is_file()
    assert (first["mark"], first["harness"], first["tier"], first["suite"]) == ("pass", "oracle", "text", "mivas-1")
    assert first["transcript"].startswith("AGENT: ")


def test_nothing_of_this_machine_is_in_an_export(mivas: Call, runs: Path) -> None:
    out = mivas("good", "--format", "jsonl")[1] + mivas("poor")[1]
    assert "r_train" not in out
    for place in (runs, Path.home(), SUITE, Path(sys.prefix)):
        assert str(place) not in out


@pytest.mark.parametrize(("run", "tasks"), [("good", None), ("poor", SUITE)])
def test_everything_a_verdict_says_can_be_found_again_from_the_public_copy(
    run: str, tasks: Path | None, mivas: Call, runs: Path
) -> None:
    code, out, err = mivas(run, "--public")
    assert (code, err) == (0, "")
    verdicts = list(read_run(runs / run).verdicts.values())
    found = [judged_again(row) for row in rows(out)]
    for again, verdict, row in zip(found, verdicts, rows(out), strict=True):
        assert (again["mark"], again["tools"]["passed"], again["handoff"]["passed"], again["database"]["passed"]) == (
            verdict["mark"], verdict["tools"]["passed"], verdict["handoff"]["passed"], verdict["database"]["passed"],
        )  # fmt: skip
        assert again["mark"] == row["mark"]
    assert summarise(found).overall.pass_hat_k == summarise(verdicts).overall.pass_hat_k
    assert summarise(found).overall.gates == summarise(verdicts).overall.gates


def judged_again(row: dict[str, str]) -> dict[str, Any]:
    """A verdict from the cells of a row alone, by the verifier itself."""
    pack = load_pack(row["industry"])
    actual = json.loads(row["actual_tool_calls_json"])
    task = {
        "exp_tool_calls": json.loads(row["expected_tool_calls_json"]),
        "exp_handoff_path": [hop for hop in row["expected_handoffs"].split(";") if hop],
        "exp_db_state": json.loads(row["hangup_expected_json"] or "null"),
    }
    result = {
        "status": row["status"],
        "tool_calls": [{"name": call["name"], "actual": [call]} for call in actual],
        "transcript": [
            {"role": line.split(": ")[0], "text": line.split(": ", 1)[1]} for line in row["transcript"].split("\n")
        ],
    }
    state = json.loads(row["hangup_actual_json"])
    verdict = verify(task=task, result=result, state=state, scoring=pack.scoring, tool_schemas=pack.tool_schemas)
    return {
        "pack": row["industry"],
        "suite": row["suite"],
        "task_id": row["case_key"],
        "mark": verdict.mark,
        "tools": {"passed": verdict.tools and verdict.tools.passed},
        "handoff": {"passed": verdict.handoff and verdict.handoff.passed},
        "database": {"passed": verdict.database.passed},
    }


def test_json_lines_hold_the_same_keys_with_typed_values(mivas: Call) -> None:
    header = mivas("good")[1].split("\n", 1)[0].replace('"', "").split(",")
    code, out, _ = mivas("good", "--format", "jsonl")
    objects = [json.loads(line) for line in out.split("\n") if line]
    assert (code, len(objects)) == (0, 10)
    assert all(list(one) == header for one in objects)
    assert objects[0]["combined_pass"] is True
    assert objects[0]["hit_tools"] == ["transfer_to_coverage", "check_plan_accepted"]
    assert objects[0]["cost_usd"] is None


def test_a_parquet_file_holds_the_same_rows(mivas: Call, runs: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert mivas("good", "--format", "parquet", "--output", "x.parquet", "--public") == (0, "", "")
    table = parquet.read_table(runs / "x.parquet")
    objects = [json.loads(line) for line in mivas("good", "--format", "jsonl", "--public")[1].split("\n") if line]
    assert table.column_names == list(objects[0])
    for name in ("result_id", "combined_pass", "duration_s", "actual_tools", "attempt", "cost_usd", "transcript"):
        assert table[name].to_pylist() == [one[name] for one in objects]
    assert [json.loads(cell) for cell in table["trace_json"].to_pylist()] == [one["trace_json"] for one in objects]


def test_parquet_without_its_extra_names_what_to_install(
    mivas: Call, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, out, err = mivas("good", "--format", "parquet", "--output", "x.parquet")
    assert (code, out) == (2, "")
    assert err == "mivas: --format: Parquet needs pyarrow; pip install 'mivas[export]', or take csv or jsonl\n"
    assert not list(runs.glob("x.parquet*"))


def test_a_file_appears_whole_or_not_at_all(mivas: Call, runs: Path) -> None:
    assert mivas("good", "--output", "rows.csv") == (0, "", "")
    assert (runs / "rows.csv").read_bytes().decode() == mivas("good")[1]
    code, _, err = mivas("good", "--output", "missing/rows.csv")
    assert (code, err.count("\n")) == (2, 1)
    assert "missing/rows.csv: can't be written" in err
    assert mivas("good", "--output", "rows.csv/inside")[0] == 2
    assert not list(runs.glob("**/*.part"))


def test_several_runs_of_one_suite_make_one_table(mivas: Call, runs: Path) -> None:
    shutil.copytree(runs / "good", runs / "again")
    manifest = json.loads((runs / "again" / "run.json").read_text())
    (runs / "again" / "run.json").write_text(json.dumps(manifest | {"run_id": "again"}))
    code, out, err = mivas("good", "again")
    assert (code, err) == (0, "")
    assert [row["run_id"] for row in rows(out)] == ["good"] * 10 + ["again"] * 10
    assert rows(out)[10]["conversation_index"] == "1"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        pytest.param(["good", "poor"], "poor: healthcare was judged by suite local-healthcare", id="mixed suites"),
        pytest.param(["good", "./good"], "good: given twice", id="the same run twice"),
        pytest.param(["good", "--format", "parquet"], "--format: parquet is no text", id="parquet to a terminal"),
        pytest.param(["nowhere"], "nowhere: no run there", id="no run"),
        pytest.param(["good", "--tasks", "nowhere"], "nowhere: no such file or folder", id="no tasks"),
        pytest.param([], "Missing argument 'RUN...'", id="nothing named"),
    ],
)
def test_what_cannot_be_exported_is_one_line(arguments: list[str], part: str, mivas: Call) -> None:
    code, out, err = mivas(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert part in err


def test_an_unfinished_run_is_refused(mivas: Call, runs: Path) -> None:
    manifest = json.loads((runs / "good" / "run.json").read_text())
    (runs / "good" / "run.json").write_text(json.dumps(manifest | {"status": "interrupted"}))
    code, out, err = mivas("good")
    assert (code, out) == (2, "")
    assert "--resume good" in err


def test_a_call_without_evidence_keeps_its_verdict_and_is_told(mivas: Call, runs: Path) -> None:
    first = next(iter(read_run(runs / "good").records.values()))
    shutil.rmtree(runs / "good" / "calls" / first["call_id"])
    code, out, err = mivas("good")
    assert code == 0
    assert err == "mivas: good: no evidence of 1 calls, such as healthcare/C1-E1/0; what it tells is blank\n"
    row = rows(out)[0]
    assert (row["mark"], row["tools_pass"], row["duration_s"]) == ("pass", "true", "22.4")
    assert (row["transcript"], row["actual_tools"], row["num_turns"], row["trace_json"]) == ("", "", "", "")
    assert rows(out)[1]["transcript"]


def test_tasks_that_changed_are_never_taken_for_those_of_the_run(mivas: Call, runs: Path) -> None:
    edit(runs / "good" / "verdicts.jsonl", lambda line: line.update(suite_hash=f"old-{line['pack']}"))
    code, out, err = mivas("good")
    assert code == 0
    assert [line.split(": ", 2)[2].split(" aren't")[0] for line in err.splitlines()] == [
        "tasks of healthcare",
        "tasks of control-industry",
    ]
    row = rows(out)[0]
    assert (row["difficulty"], row["expected_tools"], row["task_path"], row["extra_tools"]) == ("", "", "", "")
    assert (row["mark"], row["expected_handoffs"]) == ("pass", "transfer_to_coverage")


def test_tasks_that_moved_are_found_where_the_user_says(mivas: Call, runs: Path) -> None:
    manifest = json.loads((runs / "poor" / "run.json").read_text())
    manifest["options"]["tasks"] = str(runs / "gone")
    (runs / "poor" / "run.json").write_text(json.dumps(manifest))
    code, out, err = mivas("poor")
    assert (code, rows(out)[0]["difficulty"]) == (0, "")
    assert err.endswith("give them with --tasks PATH\n")
    code, out, err = mivas("poor", "--tasks", str(SUITE))
    assert (code, err) == (0, "")
    assert rows(out)[0]["difficulty"] in ("easy", "medium", "hard")
    assert rows(out)[0]["task_path"] == ""


def test_a_new_attempt_names_the_one_it_repeats(mivas: Call, runs: Path) -> None:
    edit(runs / "good" / "trials.jsonl", lambda line: line.update(attempt=2))
    row = rows(mivas("good")[1])[0]
    assert (row["attempt"], row["retry_of"]) == ("2", "C1-E1-0-c46631ce")
