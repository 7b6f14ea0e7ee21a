"""Whole runs in this process: verdicts, repetition, void trials, retries, resumption. Source: cli.md, formats.md 6."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import InputError, JournalError, MivasError, PackError, UnknownName
from mivas.line import read_events
from mivas.run import Progress, call_id_for


def marks(result: Any) -> list[str]:
    return [verdict["mark"] for verdict in result.verdicts]


def evidence(root: Path) -> dict[str, bytes]:
    """Every file of a run that must repeat byte for byte; databases and the manifest name places and times."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in ("state.db", "run.json", ".lock")
    }


def test_the_oracle_passes_every_trial_and_the_floor_agent_none(play: Any) -> None:
    assert marks(play("a", trials=20)) == ["pass"] * 20
    assert marks(play("b", harness="nop", trials=20)) == ["FAIL"] * 20


def test_a_run_repeats_byte_for_byte(play: Any, tmp_path: Path) -> None:
    play("a", trials=3)
    play("b", trials=3)
    assert evidence(tmp_path / "a") == evidence(tmp_path / "b")
    assert len(evidence(tmp_path / "a")) == 2 + 3 * 2


def test_workers_do_what_one_process_does(play: Any, tmp_path: Path, pack_copy: Path) -> None:
    for name, concurrency in (("a", 1), ("b", 2)):
        play(name, packs=(str(pack_copy),), trials=4, concurrency=concurrency)
    assert evidence(tmp_path / "a") == evidence(tmp_path / "b")


def test_another_seed_makes_other_call_ids_and_the_same_verdicts(play: Any) -> None:
    one, other = play("a", seed=0), play("b", seed=1)
    assert one.records[0]["call_id"] != other.records[0]["call_id"]
    assert one.verdicts == other.verdicts


def test_the_run_folder_holds_what_the_format_says(play: Any, tmp_path: Path, lines: Any) -> None:
    result = play(trials=2)
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (manifest["version"], manifest["status"], manifest["clock"], manifest["tier"]) == (
        1, "finished", "virtual", "text",
    )  # fmt: skip
    entry = manifest["packs"]["control-industry"]
    assert entry["suite"] == "fixture"
    assert set(entry["hashes"]) == {"prompts", "tools", "lockfile", "scoring", "seed"}
    for record, line in zip(result.records, lines(tmp_path / "run" / "trials.jsonl"), strict=True):
        assert list(line) == [
            "key", "attempt", "call_id", "mark", "combined", "void_reason", "caller_fault", "t_ms", "files",
        ]  # fmt: skip
        assert line == record
        assert line["call_id"] == call_id_for(0, "control-industry", "F1-E1", int(line["key"][-1]), 1)
        assert all((tmp_path / "run" / file).is_file() for file in line["files"].values())
        assert (tmp_path / "run" / "calls" / line["call_id"] / "state.db").is_file()
        assert not list((tmp_path / "run").rglob("*-wal"))


def test_progress_counts_trials_and_passes(play: Any) -> None:
    seen: list[Progress] = []
    play(trials=3, watch=seen.append)
    assert [(at.done, at.total, at.passed) for at in seen] == [(1, 3, 1), (2, 3, 2), (3, 3, 3)]
    assert seen[-1].last == "control-industry/F1-E1/2"


@pytest.mark.usefixtures("plug_in")
class TestHarnessesThatBreak:
    @pytest.mark.parametrize("way", ["raises", "cannot-answer", "times-out", "is-cancelled", "quits"])
    def test_a_trial_that_breaks_is_void_and_its_siblings_go_on(self, play: Any, lines: Any, way: str) -> None:
        result = play(harness=f"test:{way}", trials=3)
        assert marks(result) == ["VOID"] * 3
        for record in result.records:
            events = lines(result.root / record["files"]["events"])
            assert [event["type"] for event in events].count("call.ended") == 1
            assert (events[-1]["type"], events[-1]["by"]) == ("call.ended", "harness")
            assert events[-2]["type"] == "error"

    def test_whoever_watches_is_told_what_broke(self, play: Any) -> None:
        seen: list[Progress] = []
        play(harness="test:raises", watch=seen.append)
        assert seen[-1].troubles == ("test:raises broke: ValueError: no mind",)

    def test_one_that_breaks_leaves_the_others_alone(self, play: Any) -> None:
        assert marks(play(harness="test:cannot-answer-once", trials=3)) == ["FAIL", "VOID", "FAIL"]

    def test_one_that_can_not_close_is_told_and_its_call_still_counts(self, play: Any, lines: Any) -> None:
        result = play(harness="test:cannot-close")
        assert marks(result) == ["FAIL"]
        types = [event["type"] for event in lines(result.root / result.records[0]["files"]["events"])]
        assert types[-2:] == ["call.ended", "error"]

    def test_one_that_stalls_loses_its_caller_and_fails(self, play: Any, lines: Any) -> None:
        result = play(harness="test:stalls")
        assert marks(result) == ["FAIL"]
        events = lines(result.root / result.records[0]["files"]["events"])
        assert (events[-1]["by"], events[-1]["reason"]) == ("caller", "caller gave up: heard nothing")
        assert 60_000 < result.records[0]["t_ms"] < 90_000

    def test_one_that_sends_odd_things_is_judged_and_resumed_like_any_other(
        self, play: Any, carry_on: Any, tmp_path: Path
    ) -> None:
        result = play(harness="test:sends-odd-things")
        assert marks(result) == ["FAIL"]
        assert list(read_events((result.root / result.records[0]["files"]["events"]).read_bytes()))
        before = evidence(tmp_path / "run")
        carry_on()
        assert evidence(tmp_path / "run") == before

    def test_a_disk_that_is_full_is_no_harness_that_broke(self, play: Any) -> None:
        resource = pytest.importorskip("resource", reason="no limits on file sizes on this system")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
        try:
            with pytest.raises(JournalError, match="can't be used"):
                play(harness="test:talks-much")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    def test_one_that_never_speaks_is_void(self, play: Any) -> None:
        (record,) = play(harness="test:never-speaks").records
        assert (record["mark"], record["void_reason"]) == ("VOID", "no_agent_turn")
        assert 60_000 < record["t_ms"] < 90_000

    def test_a_retry_is_a_second_attempt_under_a_call_id_of_its_own(self, play: Any) -> None:
        result = play(harness="test:raises-at-first", trials=2, retries=2)
        assert marks(result) == ["FAIL", "FAIL"]
        for trial, record in enumerate(result.records):
            assert record["attempt"] == 2
            assert record["call_id"] == call_id_for(0, "control-industry", "F1-E1", trial, 2)
        assert len(list((result.root / "calls").iterdir())) == 4

    def test_retries_end(self, play: Any) -> None:
        (record,) = play(harness="test:raises", retries=2).records
        assert (record["mark"], record["attempt"]) == ("VOID", 3)

    def test_a_resumed_run_makes_no_more_attempts_than_an_undisturbed_one(self, play: Any, carry_on: Any) -> None:
        play(harness="test:raises", retries=2)
        (record,) = carry_on().records
        assert (record["mark"], record["attempt"]) == ("VOID", 3)

    def test_an_attempt_cut_off_by_a_crash_is_made_again(self, play: Any, carry_on: Any, tmp_path: Path) -> None:
        whole = play(harness="test:raises", retries=1)
        path = tmp_path / "run" / "trials.jsonl"
        first = whole.records[0] | {"attempt": 1}
        path.write_text(json.dumps(first) + "\n")
        assert carry_on().records == whole.records

    def test_one_that_needs_more_than_text_is_refused(self, play: Any) -> None:
        with pytest.raises(InputError, match="needs voice"):
            play(harness="test:voice")

    def test_another_revision_can_not_continue_a_run(
        self, play: Any, carry_on: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play(harness="test:raises")
        import breaking_plug_in  # type: ignore[import-not-found]

        monkeypatch.setattr(breaking_plug_in.Harness, "revision", "2")
        with pytest.raises(JournalError, match="changed since this run started: harness test:raises"):
            carry_on()


def test_a_handler_that_breaks_is_told_and_noted(play: Any, pack_copy: Path, lines: Any) -> None:
    tools = pack_copy / "tools.py"
    tools.write_text(
        tools.read_text().replace(
            '    call.insert("appointments"', '    raise KeyError("x")\n    call.insert("appointments"'
        )
    )
    seen: list[Progress] = []
    result = play(packs=(str(pack_copy),), watch=seen.append)
    assert marks(result) == ["FAIL"]
    (trouble,) = seen[-1].troubles
    assert trouble.startswith("schedule_appointment broke: KeyError: 'x' at tools.py:")
    events = lines(result.root / result.records[0]["files"]["events"])
    assert [event["text"] for event in events if event["type"] == "note"] == [trouble]


def test_verdicts_of_another_verifier_are_not_mixed_in(play: Any, carry_on: Any, tmp_path: Path) -> None:
    play(trials=2)
    path = tmp_path / "run" / "verdicts.jsonl"
    lines = [json.loads(line) | {"verifier_revision": "000000000000"} for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(JournalError, match="changed since this run started: verifier"):
        carry_on()


def test_scope_violations_are_told_beside_the_gates(play: Any) -> None:
    result = play()
    assert result.verdicts[0]["diagnostics"]["scope_violations"] == []


@pytest.mark.parametrize("kept", range(4))
def test_a_run_cut_off_anywhere_ends_as_if_nothing_had_happened(
    play: Any, carry_on: Any, tmp_path: Path, kept: int
) -> None:
    whole = play("whole", trials=3)
    play(trials=3)
    for name, lines_kept in (("trials.jsonl", kept), ("verdicts.jsonl", min(kept + 1, 3))):
        path = tmp_path / "run" / name
        rows = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(rows[:lines_kept]) + b'{"key": "control-ind')
    done: list[Progress] = []
    result = carry_on(watch=done.append)
    assert len(done) == 3 - kept
    assert result.verdicts == whole.verdicts
    assert evidence(tmp_path / "run") == evidence(tmp_path / "whole")
    assert result.manifest["status"] == "finished"


def test_what_an_interrupted_call_left_is_thrown_away(play: Any, carry_on: Any, tmp_path: Path) -> None:
    whole = play("whole")
    result = play()
    folder = tmp_path / "run" / "calls" / result.records[0]["call_id"]
    (tmp_path / "run" / "trials.jsonl").unlink()
    (folder / "events.jsonl").write_bytes(b"half a li")
    (folder / "state.db").write_bytes(b"half a database")
    carry_on()
    assert (folder / "events.jsonl").read_bytes() == (
        tmp_path / "whole" / "calls" / whole.records[0]["call_id"] / "events.jsonl"
    ).read_bytes()


def test_a_finished_run_resumes_to_itself(play: Any, carry_on: Any, tmp_path: Path) -> None:
    play(trials=2)
    before = evidence(tmp_path / "run")
    carry_on()
    assert evidence(tmp_path / "run") == before


def test_an_interrupt_leaves_a_folder_that_says_so(play: Any, carry_on: Any, tmp_path: Path) -> None:
    def stop(at: Progress) -> None:
        if at.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(trials=5, watch=stop)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["status"] == "interrupted"
    assert marks(carry_on()) == ["pass"] * 5


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("system-prompts/scheduler.md", "prompts"), ("agent_blueprint.json", "prompts"), ("tools.json", "tools"),
        ("tools.py", "tools"), ("scoring.json", "scoring"), ("db/seed.sql", "seed"),
    ],
)  # fmt: skip
def test_a_changed_pack_can_not_continue_a_run(play: Any, carry_on: Any, pack_copy: Path, file: str, part: str) -> None:
    play(packs=(str(pack_copy),))
    with (pack_copy / file).open("a") as handle:
        handle.write("\n")
    with pytest.raises(JournalError, match=rf"changed since this run started: pack control-industry \({part}\)"):
        carry_on()


def test_a_changed_task_can_not_continue_a_run(play: Any, carry_on: Any, pack_copy: Path) -> None:
    play(packs=(str(pack_copy),))
    path = pack_copy / "fixture" / "F1-E1" / "task.json"
    path.write_text(path.read_text().replace("Moira", "Maura"))
    with pytest.raises(JournalError, match=r"pack control-industry \(lockfile\)"):
        carry_on()


@pytest.mark.parametrize(
    "damage",
    [
        lambda manifest: manifest.pop("options"),
        lambda manifest: manifest.update(options=[]),
        lambda manifest: manifest["options"].update(trials="many"),
        lambda manifest: manifest["options"].pop("packs"),
        lambda manifest: manifest["options"].update(packs=["no-such-pack"]),
        lambda manifest: manifest.update(packs=[]),
        lambda manifest: manifest.update(packs={"control-industry": None}),
        lambda manifest: manifest.pop("harness"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_one_clear_error(
    play: Any, carry_on: Any, tmp_path: Path, damage: Any
) -> None:
    play()
    path = tmp_path / "run" / "run.json"
    manifest = json.loads(path.read_text())
    damage(manifest)
    path.write_text(json.dumps(manifest))
    for _ in range(2):  # the refusal gives up the lock
        with pytest.raises(MivasError):
            carry_on()


def test_a_run_in_a_used_folder_is_refused(play: Any) -> None:
    play()
    with pytest.raises(JournalError, match="--resume"):
        play()


def test_an_unknown_pack_or_harness_leaves_no_folder(play: Any, tmp_path: Path) -> None:
    for wrong in ({"packs": ("no-such-pack",)}, {"harness": "no-such-harness"}):
        with pytest.raises(UnknownName):
            play(**wrong)
    assert not (tmp_path / "run").exists()


def test_a_caller_program_that_refers_to_nothing_is_refused(play: Any, pack_copy: Path) -> None:
    path = pack_copy / "fixture" / "F1-E1" / "caller.json"
    path.write_text(path.read_text().replace('"which_time"', '"shoe_size"'))
    with pytest.raises(PackError, match=r"F1-E1/caller.json: fact repair_date: unknown question 'shoe_size'"):
        play(packs=(str(pack_copy),))


def test_a_task_id_never_leads_out_of_the_run_folder(play: Any, pack_copy: Path, tmp_path: Path) -> None:
    task = json.loads((pack_copy / "fixture" / "F1-E1" / "task.json").read_text())
    (tmp_path / "tasks.jsonl").write_text(json.dumps(task | {"task_id": "../../../precious"}) + "\n")
    result = play("deep/run", tasks=str(tmp_path / "tasks.jsonl"), harness="nop")
    assert [path.parent for path in (result.root / "calls").iterdir()] == [result.root / "calls"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "kettles", "tasks.jsonl"]
