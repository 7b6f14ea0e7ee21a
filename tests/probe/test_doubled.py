"""Each provider's adapter in whole spoken calls against its double, over the real wire, in virtual time.

Proven against doubles, never live.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mivas.errors import MivasError
from mivas.harness import load_harness
from mivas.line.spoken import FRAME_MS, Playout
from mivas.pack import load_pack, load_suite
from mivas.run import LocalBackend, RunOptions, start_run

pytest.importorskip("hibari")
pytest.importorskip("websockets")

NATIVE = ("openai/realtime-2.1", "openai/realtime-2.1-mini")
"""Through openai-agents."""
ADAPTERS = ("openai/realtime-2.1-swap", "openai/realtime-2.1-mini-swap", "grok/voice", "qwen/audio-realtime", *NATIVE)


def played(folder: Path, adapter: str, pack: str, only: str, tier: Any = "voiced-text") -> tuple[Any, list[Any]]:
    if adapter in NATIVE:
        pytest.importorskip("agents.realtime")
    options = RunOptions(
        packs=(pack,), harness=f"doubled:{adapter}", mode="voice", tier=tier, only=(only,),
        caller_ears="whisper:tiny.en",
    )  # fmt: skip
    result = start_run(
        options, folder, LocalBackend(), started_utc=datetime.now(UTC), command="test", watch=lambda _: None
    )
    [record] = result.records
    lines = (folder / record["files"]["events"]).read_text("utf-8").splitlines()
    return result.verdicts[0], [json.loads(line) for line in lines]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_carries_the_qualification_call(adapter: str, tmp_path: Path) -> None:
    verdict, events = played(tmp_path / "run", adapter, "control-industry", "*")
    assert verdict["mark"] == "pass", verdict["reasons"]
    assert [event["code"] for event in events if event["type"] == "note" and event["code"] != "caller_wording"] == []
    kinds = [event["type"] for event in events]
    assert kinds.count("handoff") == 1
    assert events[0]["clock"] == "virtual"
    assert all(event["latency_ms"] == 0 for event in events if event["type"] == "tool.finished")


@pytest.mark.slow
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(("pack", "task"), [("healthcare", "C1-E1"), ("legal", "C1-E1"), ("customer-support", "R-E1")])
def test_an_adapter_carries_a_case_of_every_pack(adapter: str, pack: str, task: str, tmp_path: Path) -> None:
    verdict, _ = played(tmp_path / "run", adapter, pack, task)
    assert verdict["mark"] == "pass", verdict["reasons"]


@pytest.mark.slow
def test_a_call_over_a_providers_wire_is_heard_by_real_ears(tmp_path: Path) -> None:
    pytest.importorskip("ctranslate2")
    verdict, events = played(tmp_path / "run", "openai/realtime-2.1-swap", "control-industry", "*", "acoustic")
    assert verdict["mark"] == "pass", verdict["reasons"]
    agent = [event for event in events if event["type"] == "speech" and event["role"] == "agent"]
    assert any(event["heard"] != event["text"] for event in agent)


def test_what_an_interruption_kept_from_the_wire_comes_with_the_next_answer() -> None:
    from mivas.fakes.realtime import Say, SessionView, ToolOutput
    from mivas.probe._doubled import WalkerBrain

    pack = load_pack("control-industry")
    [task] = load_suite(pack, pack.folder / "fixture", "fixture").tasks.values()
    callers = Playout()
    line: Any = type("Line", (), {"told": callers, "desk": type("Desk", (), {"greeting": None})})
    brain = WalkerBrain(pack, task, line)

    def answers(*outputs: ToolOutput, delivered: int | None = None) -> list[Any]:
        view = SessionView(
            session=0, instructions="", tools={}, voice="", heard=(), written=(), outputs=outputs, updates=1,
            delivered=delivered,
        )  # fmt: skip
        return [one.text if isinstance(one, Say) else one.tool for one in brain.respond(view)]

    def caller_says(text: str) -> None:
        callers.say(text, np.full(1600, 9, dtype=np.int16))
        for at in range(6):
            callers.next_frame(at * FRAME_MS)

    [welcome] = answers()
    assert answers(delivered=0) == [welcome]
    caller_says("My kettle needs a repair")
    assert answers() == ["handoff_to_scheduler"]
    assert answers(delivered=0) == ["handoff_to_scheduler"]
    assert answers() == []  # the result isn't there
    done = ToolOutput(call_id="call_1", tool="handoff_to_scheduler", output='{"success": true}')
    question = answers(done)
    assert answers(done, delivered=1) == []  # begun words aren't said again
    caller_says("Well,")
    assert answers(done) == question
    caller_says("I mean")
    assert answers(done, delivered=0) == question  # once, though it was lost
    caller_says("August fifteenth, twenty twenty-six.")
    # a question that was asked before needn't be asked again
    assert answers(done, delivered=0) == ["schedule_appointment"]


def test_what_has_no_double_is_said_in_one_line() -> None:
    for name in ("doubled", "doubled:oracle", "doubled:nobody"):
        with pytest.raises(MivasError):
            load_harness(name)
