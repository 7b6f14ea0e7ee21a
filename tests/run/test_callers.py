"""Who phones in a run: chosen by entry point, seeded by the trial, told apart when it breaks. Source: cli.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mivas.errors import InputError, JournalError, UnknownName
from mivas.run import RunOptions
from mivas.run._options import caller_seed


def manifest(result: Any) -> dict[str, Any]:
    return json.loads((result.root / "run.json").read_text())  # type: ignore[no-any-return]


def events(result: Any, lines: Any) -> list[list[dict[str, Any]]]:
    return [lines(result.root / record["files"]["events"]) for record in result.records]


def test_the_program_phones_unless_told_otherwise(play: Any) -> None:
    assert manifest(play())["caller"] == {"name": "program", "revision": "3", "model": None, "approximate": False}


@pytest.mark.usefixtures("plug_in")
class TestPlugIns:
    def test_a_caller_of_another_kind_is_named_and_used(self, play: Any, lines: Any) -> None:
        result = play(caller="test", caller_model="m", trials=2)
        assert manifest(result)["caller"] == {"name": "test", "revision": "1", "model": "m", "approximate": False}
        for told in events(result, lines):
            assert [event["text"] for event in told if event["type"] == "speech" and event["role"] == "caller"] == [
                "My number is 99, bye."
            ]

    def test_every_trial_has_a_seed_of_its_own_that_repeats(self, play: Any, lines: Any) -> None:
        notes = [
            [event["text"] for told in events(play(name, caller="test", trials=3), lines) for event in told
             if event["type"] == "note" and event["code"] == "caller_wording"]
            for name in ("a", "b")
        ]  # fmt: skip
        assert notes[0] == notes[1]
        assert notes[0] == [f"seed {caller_seed(0, 'control-industry', 'F1-E1', trial)}" for trial in range(3)]
        assert len(set(notes[0])) == 3

    def test_faults_stand_beside_the_verdict(self, play: Any) -> None:
        result = play(caller="test")
        assert result.records[0]["caller_fault"] == "said_unknown_value"
        assert [fault["code"] for fault in result.verdicts[0]["diagnostics"]["caller_faults"]] == [
            "said_unknown_value", "hung_up_early",
        ]  # fmt: skip
        assert result.records[0]["mark"] == "FAIL"

    @pytest.mark.parametrize(
        ("way", "error"), [("lost", "CallerLost"), ("raises", "KeyError"), ("cannot-phone", "CallerLost")]
    )
    def test_a_caller_that_breaks_makes_the_trial_void(self, play: Any, lines: Any, way: str, error: str) -> None:
        result = play(caller="test", caller_model=way, trials=2)
        for record in result.records:
            assert (record["mark"], record["void_reason"]) == ("VOID", "caller_lost")
        for told in events(result, lines):
            assert (told[-2]["type"], told[-2]["where"], told[-2]["class"]) == ("error", "caller:test", error)
            assert (told[-1]["type"], told[-1]["by"]) == ("call.ended", "provider")

    def test_a_caller_that_breaks_gets_new_attempts(self, play: Any) -> None:
        (record,) = play(caller="test", caller_model="lost", retries=1).records
        assert (record["mark"], record["attempt"]) == ("VOID", 2)

    def test_a_caller_that_repeats_itself_for_ever_ends_at_the_cap(self, play: Any) -> None:
        (record,) = play(caller="test", caller_model="repeats").records
        assert (record["t_ms"], record["mark"]) == (480_000, "FAIL")

    def test_another_revision_can_not_continue_a_run(
        self, play: Any, carry_on: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play(caller="test")
        import breaking_plug_in  # type: ignore[import-not-found]

        monkeypatch.setattr(breaking_plug_in.CallerKind, "revision", "2")
        with pytest.raises(JournalError, match="changed since this run started: caller test"):
            carry_on()


@pytest.mark.usefixtures("plug_in")
@pytest.mark.parametrize(
    ("way", "by", "reason"),
    [
        ("repeats-itself", "caller", "caller gave up: got nowhere"),
        ("goes-in-circles", "caller", "caller gave up: got nowhere"),
        ("asks-for-time", "caller", "caller gave up: got nowhere"),
        ("says-nothing", "caller", "caller gave up: got nowhere"),
        ("stalls", "caller", "caller gave up: heard nothing"),
        ("says-goodbye", "agent", "agent said goodbye"),
    ],
)
def test_an_agent_that_leads_nowhere_loses_its_caller(play: Any, lines: Any, way: str, by: str, reason: str) -> None:
    result = play(harness=f"test:{way}", trials=2)
    for record, told in zip(result.records, events(result, lines), strict=True):
        assert (told[-1]["by"], told[-1]["reason"]) == (by, reason)
        assert record["t_ms"] < 120_000
        assert record["caller_fault"] is None
        assert record["mark"] == ("VOID" if way == "says-nothing" else "FAIL")


@pytest.mark.usefixtures("plug_in")
def test_an_agent_that_talks_nonsense_for_ever_meets_an_end(play: Any, lines: Any) -> None:
    result = play(harness="test:talks-nonsense")
    (told,) = events(result, lines)
    assert (told[-1]["type"], told[-1]["by"] in ("caller", "limit")) == ("call.ended", True)
    assert result.records[0]["t_ms"] <= 480_000
    assert result.records[0]["mark"] == "FAIL"


def test_an_unknown_caller_is_an_error(play: Any) -> None:
    with pytest.raises(UnknownName, match="no caller 'nobody'"):
        play(caller="nobody")


def test_a_program_takes_no_model(play: Any) -> None:
    with pytest.raises(InputError, match="takes no model"):
        play(caller_model="m")


@pytest.mark.parametrize("url", ["ftp://x", "https://user:secret@host/v1", "https://host/v1?key=secret"])
def test_an_address_that_may_not_be_written_down_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"address|password"):
        RunOptions(packs=("p",), harness="nop", caller_base_url=url)


@pytest.mark.parametrize("other", [(1, "p", "t", 0), (0, "q", "t", 0), (0, "p", "u", 0), (0, "p", "t", 1)])
def test_a_callers_seed_depends_on(other: tuple[int, str, str, int]) -> None:
    assert 0 <= caller_seed(0, "p", "t", 0) < 2**32
    assert caller_seed(*other) != caller_seed(0, "p", "t", 0) == caller_seed(0, "p", "t", 0)
