"""`mivas verify`: streams, exit codes and how a line finds its task. Source: cli.md."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mivas.cli.verify import command
from mivas.errors import InputError

PACK: dict[str, Any] = {
    "pack.json": {
        "version": 1, "id": "toy", "title": "Toy", "pack_version": "1.0.0", "clock": None,
        "envelope": {"ok": "ok", "message": "message"}, "human_tools": [], "suite": "toy-1", "canary": "c",
    },
    "agent_blueprint.json": {
        "agents": [
            {"name": "a", "system_prompt": "system-prompts/a.md",
             "tools": [{"name": "go_b", "handoff": True, "handoff_to": "b"}]},
            {"name": "b", "system_prompt": "system-prompts/b.md", "tools": [{"name": "look"}]},
        ]
    },
    "tools.json": {
        "tools": [
            {"name": name, "description": "", "inputSchema": {"properties": {"x": {}}}, "outputSchema": {}}
            for name in ("go_b", "look")
        ]
    },
    "scoring.json": {"version": 1, "transfer_set": ["go_b"], "tables": {"rows": {"rule": "exact"}}},
}  # fmt: skip
TASK = {
    "task_name": "T1-E1: toy", "customer_name": "Ann", "intent": "", "traits": [], "exp_handoff_path": ["go_b"],
    "exp_tool_calls": ["go_b", {"name": "look", "parameters": {"x": 1}}], "scripted_responses": [], "behaviors": {},
    "customer_available_tools": {}, "exp_db_state": {"rows": []},
    "metadata": {"category": "T1", "category_slug": "t", "difficulty": "easy", "audio_condition": "perfect"},
}  # fmt: skip
GOOD = {"tool_calls": [{"name": "go_b", "actual": [{}]}, {"name": "look", "actual": [{"parameters": {"x": 1}}]}]}
BAD = {"tool_calls": [{"name": "go_b", "actual": [{}]}, {"name": "look", "actual": [{"parameters": {"x": 2}}]}]}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "toy"
    for name, content in PACK.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    for name, content in {
        "system-prompts/a.md": "A", "system-prompts/b.md": "B", "db/schema.sql": "", "db/seed.sql": "",
        "tasks/T1-E1/task.json": json.dumps(TASK),
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def run(pack: Path, *lines: Any, options: tuple[str, ...] = (), columns: int = 80) -> Result:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return run_bytes(pack, text.encode(), options=options, columns=columns)


def run_bytes(pack: Path, data: bytes, options: tuple[str, ...] = (), columns: int = 80) -> Result:
    source = pack / "results.jsonl"
    source.write_bytes(data)
    arguments = ["--pack", str(pack), "--input", str(source), *options]
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(command, arguments)


def verdicts(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_pass_is_exit_0_and_stdout_is_verdicts_only(pack: Path) -> None:
    result = run(pack, {"task_id": "T1-E1", "trial": 3, "result": GOOD, "state": {}})
    (verdict,) = verdicts(result)
    assert (result.exit_code, verdict["mark"], verdict["trial"]) == (0, "pass", 3)
    assert verdict["suite"] == "toy-1"
    assert "1 pass" in result.stderr


def test_a_fail_is_exit_1_and_says_why(pack: Path) -> None:
    result = run(pack, {"task_id": "T1-E1", "result": BAD}, options=("--explain",))
    (verdict,) = verdicts(result)
    assert (result.exit_code, verdict["mark"], verdict["trial"]) == (1, "FAIL", None)
    assert "look: x was 2, expected 1" in " ".join(result.stderr.split())


LONG = "a word and another word and " * 20


@pytest.mark.parametrize("columns", [80, 120])
def test_tables_fit_the_terminal_whatever_the_values(pack: Path, columns: int) -> None:
    calls = [{"name": "look", "actual": [{"parameters": {"x": LONG}}]}, *[{"name": "go_b", "actual": [{}]}] * 30]
    state = {"rows": [{"id": LONG, "note": LONG}]}
    line = {"task": {**TASK, "task_name": f"{LONG}: x"}, "task_id": LONG, "result": {"tool_calls": calls}}
    result = run(pack, {**line, "state": state}, {**line, "trial": LONG}, options=("--explain",), columns=columns)
    assert [len(one) for one in result.stderr.splitlines() if len(one) > columns] == []
    assert len(result.stderr.splitlines()) > 10


def test_explain_shows_the_whole_lock_beside_what_happened(pack: Path) -> None:
    state = {"rows": [{"id": 4, "status": "booked"}]}
    task = {**TASK, "exp_tool_calls": ["go_b", {"name": "look", "parameters": {"x": {"any_of": [1, 3]}}}, "look"],
            "exp_db_state": {"rows": [{"id": 4, "status": "free"}]}}  # fmt: skip
    bad = {"tool_calls": [{"name": "look", "actual": [{"parameters": {"x": 2}}]}]}
    result = run(pack, {"task": task, "result": bad, "state": state}, options=("--explain",), columns=120)
    told = [" ".join(one.split()) for one in result.stderr.splitlines()]
    assert told[told.index("T1-E1, trial -") :] == [
        "T1-E1, trial -",
        "the lock expects what happened",
        "T go_b go_b was never called",
        "T look: x=1 or 3 look: x was 2, expected 1 or 3",
        "T look met",
        "H go_b go_b never came; the route was no transfer at all",
        "D 1 row in rows rows: status of row 4 was booked, expected free",
        "1 scored lines: 1 FAIL",
    ]


def test_explain_is_silent_about_passes(pack: Path) -> None:
    result = run(pack, {"task_id": "T1-E1", "result": GOOD}, options=("--explain",))
    assert "the lock expects" not in result.stderr


def test_no_control_character_reaches_the_terminal(pack: Path) -> None:
    bad = {"tool_calls": [{"name": "look", "actual": [{"parameters": {"x": "\x1b[31mred\x07"}}]}]}
    result = run(pack, {"task_id": "T1-E1", "result": bad}, options=("--explain",))
    assert "red" in result.stderr
    assert not {"\x1b", "\x07"} & set(result.stderr)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        pytest.param("{", "broken JSON", id="broken"),
        pytest.param('{"result": {"x": NaN}}', "NaN", id="no JSON number"),
        pytest.param("[1]", "not a JSON object", id="a list"),
        pytest.param('{"task_id": "T1-E1"}', "no result", id="no result"),
        pytest.param('{"result": 3}', "no result", id="a result that is no object"),
        pytest.param('{"result": ' + "[" * 5000 + "]" * 5000 + "}", "nested too deeply", id="bottomless"),
        pytest.param('{"result": {"x": ' + "9" * 5000 + "}}", "a number can't be read", id="a huge integer"),
        pytest.param('{"result": {"x": 1}, "trial": 1e999}', "a number can't be read", id="an endless number"),
    ],
)
def test_a_bad_line_is_told_by_number_and_the_others_are_scored(pack: Path, line: str, part: str) -> None:
    result = run(pack, "", line, {"task_id": "T1-E1", "result": GOOD})
    assert result.exit_code == 1
    assert [verdict["mark"] for verdict in verdicts(result)] == ["pass"]
    assert ":2: " in result.stderr
    assert part in result.stderr


@pytest.mark.parametrize(
    ("line", "task_id", "mark"),
    [
        pytest.param({"task": TASK}, "T1-E1", "pass", id="inline"),
        pytest.param({"task": TASK, "task_id": "other"}, "other", "pass", id="inline outranks the id"),
        pytest.param({"task_id": "T1-E1"}, "T1-E1", "pass", id="by id"),
        pytest.param({"traits": [{"trait_name": "case_key", "value": "T1-E1"}]}, "T1-E1", "pass", id="by trait"),
        pytest.param({"test_name": "T1-E1: toy"}, "T1-E1", "pass", id="by test name"),
        pytest.param({"task_id": "T9-E9", "test_name": "T1-E1: toy"}, "T1-E1", "pass", id="the next that is known"),
        pytest.param({"task_id": "T9-E9"}, "T9-E9", "MISS", id="unknown"),
        pytest.param({"test_name": "hello: x"}, None, "MISS", id="no key in the name"),
    ],
)
def test_a_line_finds_its_task(pack: Path, line: dict[str, Any], task_id: str | None, mark: str) -> None:
    result = run(pack, {**line, "result": GOOD})
    (verdict,) = verdicts(result)
    assert (verdict["task_id"], verdict["mark"]) == (task_id, mark)
    assert result.exit_code == (0 if mark == "pass" else 1)


def test_output_goes_to_a_file_and_the_table_to_stdout(pack: Path) -> None:
    target = pack / "verdicts.jsonl"
    result = run(pack, {"task_id": "T1-E1", "result": GOOD}, options=("--output", str(target)))
    assert json.loads(target.read_text(encoding="utf-8"))["mark"] == "pass"
    assert "1 pass" in result.stdout


def test_json_is_one_document(pack: Path) -> None:
    result = run(pack, {"task_id": "T1-E1", "result": GOOD}, "{", options=("--json",))
    document = json.loads(result.stdout)
    assert (document["marks"]["pass"], document["unreadable_lines"]) == (1, 1)


def test_a_required_dump_that_is_missing_is_void(pack: Path) -> None:
    (verdict,) = verdicts(run(pack, {"task_id": "T1-E1", "result": GOOD}, options=("--require-state",)))
    assert (verdict["mark"], verdict["void_reason"]) == ("VOID", "no_state")


def test_the_discount_is_the_price_of_extra_transfers(pack: Path) -> None:
    extra = {"tool_calls": [*GOOD["tool_calls"], {"name": "go_b", "actual": [{}]}]}
    (verdict,) = verdicts(run(pack, {"task_id": "T1-E1", "result": extra}, options=("--discount", "0.25")))
    assert (verdict["r_eval"], verdict["r_train"]) == (1, 0.25)


def test_text_no_terminal_takes_is_still_reported(pack: Path) -> None:
    result = run(pack, '{"task_id": "\\ud800", "result": {}}')
    assert result.exit_code == 1
    assert verdicts(result)[0]["task_id"] == "\ud800"


def test_a_missing_input_is_one_line_and_exit_2(pack: Path) -> None:
    code = "from mivas.cli import main; main()"
    arguments = ["verify", "--pack", str(pack), "--input", str(pack / "none.jsonl")]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("mivas: ")
    assert done.stderr.count("\n") == 1


def good(**more: Any) -> bytes:
    return json.dumps({"task_id": "T1-E1", "result": GOOD, **more}).encode()


def test_a_line_that_is_not_utf_8_is_told_by_number_and_the_others_are_scored(pack: Path) -> None:
    result = run_bytes(pack, b"\n".join([good(), b'{"result": "\xff\xfe"}', good(trial=2)]))
    assert result.exit_code == 1
    assert [(verdict["mark"], verdict["trial"]) for verdict in verdicts(result)] == [("pass", None), ("pass", 2)]
    assert f"{pack / 'results.jsonl'}:2: not UTF-8 at byte 13 of the line" in result.stderr


@pytest.mark.parametrize(
    ("data", "marks"),
    [
        pytest.param(b"\xef\xbb\xbf" + good(), ["pass"], id="a byte order mark"),
        pytest.param(good() + b"\r\n" + good() + b"\r\n", ["pass"] * 2, id="the other line ends"),
        pytest.param(good(note="a\u2028b\u0085c") + b"\n" + good(), ["pass"] * 2, id="separators inside a text"),
        pytest.param(good()[:-1] + b', "result": {"tool_calls": []}}', ["FAIL"], id="a key twice: the last counts"),
        pytest.param(good(x=10**400), ["pass"], id="an integer no float holds"),
    ],
)
def test_what_a_file_may_look_like(pack: Path, data: bytes, marks: list[str]) -> None:
    result = run_bytes(pack, data)
    assert [verdict["mark"] for verdict in verdicts(result)] == marks
    assert result.exit_code == (1 if "FAIL" in marks else 0)
    assert "results.jsonl:" not in result.stderr


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("x" * 10_000_000, id="one text of 10 MB"),
        pytest.param("word " * 2_000_000, id="two million words"),
        pytest.param([{"a": at} for at in range(700_000)], id="a long list"),
    ],
)
def test_a_line_of_10_mb_is_answered(pack: Path, value: Any) -> None:
    line = {"task_id": "T1-E1", "result": {"tool_calls": [{"name": "look", "actual": [{"parameters": {"x": value}}]}]}}
    result = run(pack, line, {"task_id": "T1-E1", "result": GOOD}, options=("--explain",))
    assert [verdict["mark"] for verdict in verdicts(result)] == ["FAIL", "pass"]


@pytest.mark.parametrize("data", [b"", b"\n \r\n\t\n"], ids=["an empty file", "blank lines only"])
def test_a_file_without_a_result_is_bad_input(pack: Path, data: bytes) -> None:
    error = run_bytes(pack, data).exception
    assert isinstance(error, InputError)
    assert "holds no result" in str(error)


def test_verdicts_never_overwrite_the_recordings(pack: Path) -> None:
    source = pack / "results.jsonl"
    (pack / "same.jsonl").symlink_to(source)
    for output in (source, pack / "same.jsonl"):
        result = run_bytes(pack, good(), options=("--output", str(output)))
        assert isinstance(result.exception, InputError)
        assert source.read_bytes() == good()


@pytest.mark.parametrize(
    ("record", "what"),
    [
        pytest.param({"task_id": "T1-E1", "result": {}}, "tool_calls is no list", id="no calls"),
        pytest.param({"task_id": "T1-E1", "result": {"tool_calls": {}}}, "tool_calls is no list", id="calls no list"),
        pytest.param(
            {"task_id": "T1-E1", "result": {"tool_calls": [{"name": "look"}]}}, "tool_calls.0 has no name or no actual",
            id="a flat call",
        ),
        pytest.param(
            {"task_id": "T1-E1", "result": {"tool_calls": [{"name": "look", "actual": [{"parameters": "{}"}]}]}},
            "parameters is a text", id="arguments as text",
        ),
        pytest.param({"task_id": "T1-E1", "result": GOOD, "state": []}, "state is no object", id="a dump of rows"),
        pytest.param({"task_id": "T9-E1", "result": GOOD}, "no task 'T9-E1' in suite", id="unknown task"),
        pytest.param({"result": GOOD}, "names no task", id="no task"),
    ],
)  # fmt: skip
def test_what_was_read_as_nothing_is_told_beside_the_verdict(pack: Path, record: Any, what: str) -> None:
    result = run(pack, record)
    assert len(verdicts(result)) == 1
    assert "results.jsonl:1: " in result.stderr
    assert what in result.stderr
