"""Scoring a finished run again. Source: cli.md, decision 0008."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import InputError, JournalError, StateError
from mivas.run import Rescored, SuiteSource, read_run, rescore, try_rescore
from mivas.state import read_log
from mivas.verify import verifier_revision

NOW = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)


def again(root: Path, tasks: SuiteSource | None = None) -> Rescored:
    return rescore(root, tasks, NOW)


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def edit(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def edit_lines(path: Path, **changes: Any) -> None:
    lines = [json.dumps(json.loads(line) | changes, separators=(",", ":")) for line in path.read_text().splitlines()]
    path.write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("harness", ["oracle", "nop", "test:raises", "test:cannot-close", "test:never-speaks"])
@pytest.mark.usefixtures("plug_in")
def test_an_unchanged_run_stays_byte_for_byte(play: Any, harness: str) -> None:
    run = play(harness=harness, trials=2)
    before = files(run.root)
    result = again(run.root)
    assert result.identical
    assert (result.flipped, result.otherwise_changed, result.kept, result.old_file) == ((), (), {}, None)
    assert list(result.verdicts) == list(run.verdicts)
    assert files(run.root) == before


def test_a_run_of_a_whole_pack_stays_byte_for_byte(play: Any) -> None:
    run = play(packs=("healthcare", "control-industry"))
    before = files(run.root)
    assert again(run.root).identical
    assert files(run.root) == before


def test_a_changed_rule_flips_marks_and_says_which_reason_moved(play: Any, pack_copy: Path, lines: Any) -> None:
    run = play(packs=(str(pack_copy),), trials=2)
    before = files(run.root)
    edit(pack_copy / "scoring.json", drop_columns=[])
    result = again(run.root)
    first = result.flipped[0]
    assert [(flip.old_mark, flip.new_mark) for flip in result.flipped] == [("pass", "FAIL")] * 2
    assert first.key == run.records[0]["key"]
    assert first.appeared
    assert all(code.startswith("D ") for code in first.appeared)
    assert first.disappeared == ()
    assert result.old_file == f"verdicts.{verifier_revision()}.jsonl"
    assert (run.root / result.old_file).read_bytes() == before["verdicts.jsonl"]
    assert [line["mark"] for line in lines(run.root / "verdicts.jsonl")] == ["FAIL", "FAIL"]
    assert [(line["mark"], line["combined"]) for line in lines(run.root / "trials.jsonl")] == [("FAIL", False)] * 2
    assert again(run.root).identical


def test_rules_changed_back_flip_back(play: Any, pack_copy: Path) -> None:
    run = play(packs=(str(pack_copy),))
    before, scoring = files(run.root), (pack_copy / "scoring.json").read_bytes()
    edit(pack_copy / "scoring.json", drop_columns=[])
    flip = again(run.root).flipped[0]
    (pack_copy / "scoring.json").write_bytes(scoring)
    result = again(run.root)
    back = result.flipped[0]
    assert (back.old_mark, back.new_mark, back.disappeared) == ("FAIL", "pass", flip.appeared)
    after = files(run.root)
    assert after["verdicts.jsonl"] == before["verdicts.jsonl"]
    assert after["trials.jsonl"] == before["trials.jsonl"]
    assert result.old_file == f"verdicts.{verifier_revision()}.2.jsonl", "an older file is never overwritten"


def test_run_json_names_the_rules_it_is_judged_by(play: Any, pack_copy: Path) -> None:
    run = play(packs=(str(pack_copy),))
    then = run.manifest["packs"]["control-industry"]
    edit(pack_copy / "scoring.json", drop_columns=[])
    again(run.root)
    manifest = json.loads((run.root / "run.json").read_text())
    entry, (note,) = manifest["packs"]["control-industry"], manifest["rescored"]
    assert entry["hashes"]["scoring"] != then["hashes"]["scoring"]
    assert {**entry["hashes"], "scoring": ""} == {**then["hashes"], "scoring": ""}
    assert note["old_packs"] == {"control-industry": then}
    assert (note["utc"], note["kept"]) == ("2026-09-01T08:00:00+00:00", 0)
    assert {name: value for name, value in manifest.items() if name not in ("packs", "rescored")} == {
        name: value for name, value in run.manifest.items() if name != "packs"
    }


def test_another_verifier_leaves_its_revision_and_flips_nothing(play: Any) -> None:
    run = play()
    edit_lines(run.root / "verdicts.jsonl", verifier_revision="0123456789ab")
    result = again(run.root)
    assert not result.identical
    assert (result.flipped, result.otherwise_changed) == ((), ())
    assert (result.old_revisions, result.new_revision) == (("0123456789ab",), verifier_revision())
    assert result.old_file == "verdicts.0123456789ab.jsonl"
    assert again(run.root).identical


def test_a_mark_somebody_wrote_by_hand_is_told_with_its_reasons(play: Any) -> None:
    run = play(harness="nop")
    edit_lines(run.root / "verdicts.jsonl", mark="pass", combined=True, reasons=[])
    (flip,) = again(run.root).flipped
    assert (flip.old_mark, flip.new_mark) == ("pass", "FAIL")
    assert flip.appeared
    assert set(flip.fields) == {"mark", "combined", "reasons"}


def test_other_reasons_for_the_same_mark_are_told_apart_from_flips(play: Any) -> None:
    run = play(harness="nop")
    edit_lines(run.root / "verdicts.jsonl", reasons=[{"gate": "T", "code": "retired", "text": ""}])
    result = again(run.root)
    assert result.flipped == ()
    (change,) = result.otherwise_changed
    assert change.disappeared == ("T retired",)


def test_a_dry_run_says_the_same_and_writes_nothing(play: Any, pack_copy: Path) -> None:
    run = play(packs=(str(pack_copy),))
    edit(pack_copy / "scoring.json", drop_columns=[])
    before = files(run.root)
    dry = try_rescore(run.root, None)
    assert files(run.root) == before
    assert dry.old_file is None
    assert dry.flipped == again(run.root).flipped


@pytest.mark.parametrize(
    ("name", "damage", "why"),
    [
        pytest.param("events.jsonl", None, "events.jsonl: can't be used", id="no events"),
        pytest.param("events.jsonl", b"", "events.jsonl: has no call.ended", id="events cut off"),
        pytest.param("events.jsonl", b"{}\n", "events.jsonl: line 1 is no event", id="no event"),
        pytest.param("events.jsonl", b"\xff\n", "events.jsonl: line 1 is no JSON", id="no UTF-8"),
        pytest.param("final.json", None, "final.json: can't be used", id="no dump"),
        pytest.param("final.json", b"{", "final.json: broken JSON", id="dump cut off"),
        pytest.param("final.json", b"[]", "final.json: not a JSON object", id="no object"),
        pytest.param("final.json", b'{"appointments":5}', "final.json: table appointments is no list", id="no rows"),
        pytest.param("state.db", None, "state.db: not a call's database", id="no log"),
        pytest.param("state.db", b"text", "state.db: not a call's database", id="no database"),
    ],
)
def test_a_call_without_its_evidence_keeps_its_verdict(play: Any, name: str, damage: bytes | None, why: str) -> None:
    run = play(trials=2)
    edit_lines(run.root / "verdicts.jsonl", verifier_revision="0123456789ab")
    path = run.root / "calls" / run.records[1]["call_id"] / name
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
    result = again(run.root)
    assert list(result.kept) == [run.records[1]["key"]]
    assert f"calls/{run.records[1]['call_id']}/{why}" in result.kept[run.records[1]["key"]]
    assert [verdict["verifier_revision"] for verdict in result.verdicts] == [verifier_revision(), "0123456789ab"]


def test_changed_tasks_are_refused_unless_given(play: Any, pack_copy: Path) -> None:
    run = play(packs=(str(pack_copy),))
    before = files(run.root)
    (task,) = (pack_copy / "fixture").rglob("task.json")
    edit(task, exp_handoff_path=[])
    with pytest.raises(InputError, match=r"tasks of control-industry changed since this run .*; give .* --tasks PATH"):
        again(run.root)
    assert files(run.root) == before
    result = again(run.root, SuiteSource(pack_copy / "fixture", None))
    assert result.otherwise_changed[0].fields[0] == "handoff"
    manifest = json.loads((run.root / "run.json").read_text())
    entry = manifest["packs"]["control-industry"]
    assert (entry["suite"], entry["hashes"]["lockfile"]) == ("local-fixture", result.verdicts[0]["suite_hash"])


def test_the_runs_own_tasks_given_by_path_keep_their_name(play: Any, pack_copy: Path) -> None:
    run = play(packs=(str(pack_copy),))
    elsewhere = pack_copy.parent / "elsewhere"
    shutil.copytree(pack_copy / "fixture", elsewhere)
    assert again(run.root, SuiteSource(elsewhere, None)).identical


def test_a_task_that_is_gone_keeps_its_verdict(play: Any, pack_copy: Path) -> None:
    run = play(packs=(str(pack_copy),))
    (case,) = (pack_copy / "fixture").iterdir()
    other = pack_copy.parent / "other"
    shutil.copytree(case, other / "F1-E9")
    edit(other / "F1-E9" / "task.json", task_name="F1-E9: other")
    result = again(run.root, SuiteSource(other, None))
    assert set(result.kept.values()) == {"its task isn't in the suite"}


def test_a_trial_line_left_behind_by_a_crash_is_mended(play: Any, lines: Any) -> None:
    run = play()
    edit_lines(run.root / "trials.jsonl", mark="FAIL", combined=False)
    assert again(run.root).identical
    assert lines(run.root / "trials.jsonl")[0]["mark"] == "pass"


@pytest.mark.parametrize("status", ["running", "interrupted"])
def test_an_unfinished_run_is_refused(play: Any, status: str) -> None:
    run = play()
    edit(run.root / "run.json", status=status)
    with pytest.raises(JournalError, match=f"the run is {status}, not finished; end it with --resume"):
        again(run.root)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"options": None}, "run.json: options: Input should be"),
        (
            {"options": {"packs": ["control-industry"], "harness": 3}},
            r"run.json: options.harness: .*; restore the file",
        ),
        ({"packs": {}}, "doesn't say which suite of control-industry ran"),
        ({"packs": None}, "doesn't say which suite of control-industry ran"),
    ],
)
def test_a_damaged_manifest_is_one_line(play: Any, changes: dict[str, Any], told: str) -> None:
    run = play()
    edit(run.root / "run.json", **changes)
    with pytest.raises(JournalError, match=told):
        again(run.root)


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"key": "a"}', b"\xff"])
def test_a_damaged_line_is_named(play: Any, line: bytes) -> None:
    run = play()
    with (run.root / "verdicts.jsonl").open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(JournalError, match=r"verdicts.jsonl:2: line is damaged"):
        again(run.root)


def test_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"no run there \(no run.json\)"):
        read_run(tmp_path)


def test_reading_the_log_of_a_call_leaves_its_folder_alone(play: Any) -> None:
    run = play()
    folder = run.root / "calls" / run.records[0]["call_id"]
    before = files(folder)
    assert [call.tool for call in read_log(folder / "state.db")] == ["schedule_appointment"]
    assert files(folder) == before


def test_a_database_nobody_closed_shows_its_newest_rows(play: Any, tmp_path: Path) -> None:
    run = play()
    path = run.root / "calls" / run.records[0]["call_id"] / "state.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("INSERT INTO _mivas_calls (at_utc, tool, arguments, output) VALUES ('', 'late', '{}', '{}')")
        connection.commit()
        for name in ("state.db", "state.db-wal"):
            shutil.copy(path.with_name(name), tmp_path / name)
    assert read_log(tmp_path / "state.db")[-1].tool == "late"


def test_no_log_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="not a call's database"):
        read_log(tmp_path / "state.db")
    assert list(tmp_path.iterdir()) == []
