"""The run folder: what is kept, what a crash may leave, and who may write. Source: formats.md 6."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import JournalError
from mivas.run import read_manifest
from mivas.run._journal import create_journal, reopen_journal

MANIFEST = {"version": 1}


def record(key: str, mark: str = "pass", **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"key": key, "attempt": 1, "mark": mark, "t_ms": 1, **more}, {"key": key, "mark": mark}


@pytest.fixture
def two_lines(tmp_path: Path) -> Path:
    """A run folder with two finished trials, closed."""
    journal = create_journal(tmp_path / "run", MANIFEST)
    journal.add(*record("p/A/0"))
    journal.add(*record("p/B/0", "FAIL"))
    journal.close()
    return tmp_path / "run"


def test_what_was_added_is_there_after_reopening(two_lines: Path) -> None:
    journal = reopen_journal(two_lines)
    assert journal.finished == {"p/A/0", "p/B/0"}
    assert journal.verdicts["p/B/0"]["mark"] == "FAIL"
    journal.close()


@pytest.mark.parametrize("name", ["trials.jsonl", "verdicts.jsonl"])
def test_a_half_written_last_line_is_cut_off_wherever_it_broke(two_lines: Path, name: str) -> None:
    path = two_lines / name
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole)):
        path.write_bytes(whole[:cut])
        journal = reopen_journal(two_lines)
        assert journal.finished == {"p/A/0"}
        journal.add(*record("p/B/0"))
        journal.close()
        assert [json.loads(line)["key"] for line in path.read_bytes().splitlines()] == ["p/A/0", "p/B/0"]


def test_a_trial_with_only_one_of_its_lines_runs_again(two_lines: Path) -> None:
    (two_lines / "trials.jsonl").unlink()
    journal = reopen_journal(two_lines)
    assert journal.finished == frozenset()
    journal.close()


def test_the_last_line_of_a_key_wins(two_lines: Path) -> None:
    journal = reopen_journal(two_lines)
    journal.add(*record("p/A/0", "VOID", attempt=2))
    journal.close()
    again = reopen_journal(two_lines)
    assert (again.records["p/A/0"]["mark"], again.records["p/A/0"]["attempt"]) == ("VOID", 2)
    again.close()


def test_finishing_writes_one_line_a_trial_in_plan_order(two_lines: Path, lines: Any) -> None:
    journal = reopen_journal(two_lines)
    journal.add(*record("p/A/0", "FAIL"))
    journal.finish(["p/B/0", "p/A/0"], status="finished")
    journal.close()
    for name in ("trials.jsonl", "verdicts.jsonl"):
        assert [(line["key"], line["mark"]) for line in lines(two_lines / name)] == [
            ("p/B/0", "FAIL"), ("p/A/0", "FAIL"),
        ]  # fmt: skip
    assert read_manifest(two_lines)["status"] == "finished"


@pytest.mark.parametrize("name", ["trials.jsonl", "verdicts.jsonl"])
@pytest.mark.parametrize(
    "damage",
    [b"{not json", b"[]", b"5", b"null", b'"key"', b"{}", b'{"key": "p/A/0"}', b"\xff\xfe", b""],
)
def test_a_damaged_line_in_the_middle_is_one_clear_error(two_lines: Path, name: str, damage: bytes) -> None:
    path = two_lines / name
    first, second = path.read_bytes().splitlines()
    path.write_bytes(first + b"\n" + damage + b"\n" + second + b"\n")
    with pytest.raises(JournalError, match=rf"{name}:2: line is damaged; delete the line"):
        reopen_journal(two_lines)
    path.write_bytes(first + b"\n" + second + b"\n")
    reopen_journal(two_lines).close()  # the refusal gave up the lock


def test_what_no_json_library_likes_is_journalled_and_read_back(tmp_path: Path) -> None:
    journal = create_journal(tmp_path / "run", MANIFEST)
    odd = {"huge": 2**80, "half": "\ud800"}
    journal.add(*record("p/A/0", odd=odd))
    journal.close()
    again = reopen_journal(tmp_path / "run")
    assert again.records["p/A/0"]["odd"] == odd
    again.finish(["p/A/0"])
    again.close()


def test_a_folder_that_holds_a_run_is_refused_with_the_way_to_continue(two_lines: Path) -> None:
    with pytest.raises(JournalError, match=rf"holds a run already; continue it with --resume {two_lines}"):
        create_journal(two_lines, MANIFEST)
    assert (two_lines / "trials.jsonl").read_bytes().count(b"\n") == 2


def test_a_second_writer_in_this_process_is_refused(tmp_path: Path) -> None:
    journal = create_journal(tmp_path / "run", MANIFEST)
    with pytest.raises(JournalError, match="another process is writing this run"):
        reopen_journal(tmp_path / "run")
    journal.close()
    journal.close()
    reopen_journal(tmp_path / "run").close()


def test_a_second_process_gets_one_line(tmp_path: Path) -> None:
    journal = create_journal(tmp_path / "run", MANIFEST)
    command = [sys.executable, "-c", "from mivas.cli import main; main()", "run", "--resume", str(tmp_path / "run")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    journal.close()
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (2, "", 1)
    assert said.stderr.startswith("mivas: ")
    assert "another process is writing this run" in said.stderr


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param(None, "no run there", id="missing"),
        pytest.param("{", "broken JSON", id="broken"),
        pytest.param("[]", "not a JSON object", id="no object"),
        pytest.param("", "broken JSON", id="empty"),
    ],
)
def test_a_bad_manifest_is_one_clear_error(tmp_path: Path, text: str | None, what: str) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    with pytest.raises(JournalError, match=what):
        reopen_journal(tmp_path)


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(JournalError, match="can't be used"):
            create_journal(root, MANIFEST)


def test_a_folder_below_nothing_is_made(tmp_path: Path) -> None:
    create_journal(tmp_path / "a" / "b" / "c", MANIFEST).close()
    assert read_manifest(tmp_path / "a" / "b" / "c") == MANIFEST
