"""The five steps, each read from the evidence of a call."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import InputError, JournalError
from mivas.line import CallEnded, Handoff, Speech
from mivas.pack import load_pack
from mivas.run import LocalBackend, RunOptions, Steps, qualify
from mivas.run._judging import CallEvidence
from mivas.run._qualification import steps_of

STARTED = datetime(2026, 8, 19, 12, 0, tzinfo=UTC)
SPOKE = Speech(t_ms=1, role="agent", text="Hello.", start_ms=1, end_ms=2, interrupted=False)
MOVED = Handoff(t_ms=3, node="receptionist", from_="receptionist", to="scheduler", call_ref="c")
ENDED = CallEnded(t_ms=9, by="caller", reason="caller hung up")
GOOD = {"database": {"passed": True}}


class _Logged:
    def __init__(self, success: bool) -> None:
        self.output = {"success": success}


def steps(events: list[Any], calls: list[Any], verdict: Any = GOOD) -> Steps:
    evidence = CallEvidence(call_id="c", events=events, logged=calls, state={})
    return steps_of(evidence, verdict, load_pack("control-industry"))


def test_a_good_call_shows_all_five() -> None:
    assert steps([SPOKE, MOVED, ENDED], [_Logged(True)]).all


@pytest.mark.parametrize(
    ("events", "calls", "verdict", "missing"),
    [
        ([MOVED, ENDED], [_Logged(True)], GOOD, {"receives_call", "builds_agents"}),
        (
            [replace(SPOKE, text=" "), MOVED, ENDED],
            [_Logged(True)],
            GOOD,
            {"receives_call", "builds_agents"},
        ),
        ([SPOKE, MOVED, replace(ENDED, by="provider")], [_Logged(True)], GOOD, {"receives_call"}),
        ([SPOKE, MOVED, replace(ENDED, by="harness")], [_Logged(True)], GOOD, {"receives_call"}),
        ([SPOKE, ENDED], [_Logged(True)], GOOD, {"builds_agents", "native_handoff"}),
        ([SPOKE, MOVED, ENDED], [], GOOD, {"invokes_tool"}),
        ([SPOKE, MOVED, ENDED], [_Logged(False)], GOOD, {"invokes_tool"}),
        ([SPOKE, MOVED, ENDED], [_Logged(True)], {"database": {"passed": False}}, {"persists_appointment"}),
        ([SPOKE, MOVED, ENDED], [_Logged(True)], {"database": {"passed": None}}, {"persists_appointment"}),
    ],
)
def test_each_step_needs_its_own_evidence(events: list[Any], calls: list[Any], verdict: Any, missing: set[str]) -> None:
    found = steps(events, calls, verdict)
    assert {name for name, shown in asdict(found).items() if not shown} == missing
    assert not found.all


def test_an_attempt_that_failed_takes_no_certificate_away(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"

    def attempt(name: str, harness: str) -> Any:
        options = RunOptions(packs=("control-industry",), harness=harness)
        return qualify(
            options, tmp_path / name, LocalBackend(), folder=folder, started_utc=STARTED, command="test",
            watch=lambda _: None,
        )  # fmt: skip

    good = attempt("good", "reflex")
    assert good.certificate is not None
    assert good.steps.all
    bad = attempt("bad", "nop")
    assert bad.certificate is None
    assert [path.name for path in folder.iterdir()] == [good.certificate.name]


def test_a_folder_for_certificates_that_cannot_be_used_is_found_before_the_call(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="MIVAS_CERTIFICATES"):
        qualify(
            RunOptions(packs=("control-industry",), harness="reflex"), tmp_path / "run", LocalBackend(),
            folder=tmp_path / "file", started_utc=STARTED, command="test", watch=lambda _: None,
        )  # fmt: skip
    assert not (tmp_path / "run").exists()


def test_a_pack_without_a_fixture_qualifies_nobody(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no qualification fixture"):
        qualify(
            RunOptions(packs=("legal",), harness="reflex"), tmp_path / "run", LocalBackend(), folder=tmp_path,
            started_utc=STARTED, command="test", watch=lambda _: None,
        )  # fmt: skip
    assert not (tmp_path / "run").exists()
