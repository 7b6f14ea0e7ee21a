"""The Audio lines of failure-modes.md that concern the line and its ends; 13, 15 to 18 and 20 stand with the real-time
core (tests/harness/realtime). Each test is named after its number.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from mivas.caller import Manner, Reply
from mivas.harness import HangUp
from mivas.line import EventLog, RealTimeLoop, Speech, VirtualTimeLoop
from mivas.line.spoken import BUS_HZ, FRAME_MS, FRAME_SAMPLES, AcousticListening, Line, Pcm, Playout
from mivas.run._voice_call import Sound, VoiceCall, lent_a_voice

SILENT = np.zeros(FRAME_SAMPLES, dtype=np.int16)


def tone(ms: int, level: float = 0.05) -> Pcm:
    t = np.arange(BUS_HZ * ms // 1000) / BUS_HZ
    wave = sum(np.sin(2 * np.pi * 140 * k * t + k) / k for k in range(1, 15))
    return np.asarray(wave / wave.std() * level * 32767, dtype=np.int16)


def noise(ms: int, level: float, seed: int = 3) -> Pcm:
    return np.asarray(np.random.default_rng(seed).normal(0, level * 32767, BUS_HZ * ms // 1000), dtype=np.int16)


@dataclass
class End:
    playout: Playout = field(default_factory=Playout)
    heard: list[tuple[int, Pcm]] = field(default_factory=list)

    def hear(self, frame: Pcm, t_ms: int) -> None:
        self.heard.append((t_ms, frame))


class Clean:
    def process(self, frame: Pcm) -> Pcm:
        return frame

    def returning(self, frame: Pcm) -> None: ...


@dataclass
class NoisyRoom:
    """Adds a steady noise, as a fan or a bad line does."""

    level: float
    at: int = 0

    def process(self, frame: Pcm) -> Pcm:
        self.at += 1
        return frame + noise(FRAME_MS, self.level, self.at)

    def returning(self, frame: Pcm) -> None: ...


def test_13_14_a_line_that_fell_behind_catches_up_frame_by_frame_and_loses_none() -> None:
    """Real time: the loop is held up for 200 ms in the middle of a sentence."""
    caller, agent = End(), End()
    agent.playout.say("a sentence", np.arange(1, FRAME_SAMPLES * 30 + 1, dtype=np.int16))
    line = Line(caller=caller, agent=agent, to_agent=Clean(), to_caller=Clean())

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def hold_up() -> None:
            until_s = loop.time() + 0.2
            while loop.time() < until_s:
                pass

        loop.call_later(0.1, hold_up)
        loop.call_later(0.7, line.hang_up, "agent", "done")
        await line.carry()

    with asyncio.Runner(loop_factory=RealTimeLoop) as runner:
        runner.run(main())
    said = np.concatenate([frame for _, frame in caller.heard])
    assert (said[said != 0] == np.arange(1, FRAME_SAMPLES * 30 + 1)).all()
    times = [t_ms for t_ms, _ in caller.heard]
    assert {after - before for before, after in pairwise(times)} == {FRAME_MS}
    assert line.latest_ms >= 100


@pytest.mark.parametrize("level", [0.0005, 0.002, 0.006])
def test_19_21_a_turn_ends_although_the_line_is_never_silent(level: float) -> None:
    listening = AcousticListening(lambda _: "words")
    room = NoisyRoom(level)
    for _ in range(100):
        listening.frame(room.process(SILENT))
    listening.drop()
    for frame in tone(1500).reshape(-1, FRAME_SAMPLES):
        listening.frame(room.process(frame))
    assert listening.speech_ms > 1200
    for _ in range(60):
        listening.frame(room.process(SILENT))
    assert listening.silence_ms >= 1000


@pytest.mark.parametrize("level", [0.012, 0.02, 0.05])
def test_18_22_a_quiet_short_confirmation_is_a_turn_and_keeps_its_onset(level: float) -> None:
    handed: list[Pcm] = []

    def hear(pcm: Pcm) -> str:
        handed.append(pcm)
        return "yes"

    listening = AcousticListening(hear)
    room = NoisyRoom(0.0002)
    quiet = [room.process(SILENT) for _ in range(50)]
    word = tone(240, level)
    word[: BUS_HZ // 20] //= 3  # a soft onset of 50 ms
    for frame in (*quiet, *(room.process(one) for one in word.reshape(-1, FRAME_SAMPLES)), *quiet):
        listening.frame(frame)
    assert listening.speech_ms >= 140
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        assert runner.run(listening.take()) == "yes"
    [pcm] = handed
    onset = int(np.argmax(np.abs(pcm) > level * 32767 / 6))
    assert onset >= FRAME_SAMPLES * 5


@dataclass
class FakeDesk:
    greeting: str | None = "Good morning."
    hang_up: HangUp | None = None
    node: Any = field(default_factory=lambda: type("Node", (), {"id": "n"}))


@dataclass
class Agent:
    desk: FakeDesk
    lines: list[str]

    async def turn(self, heard: str | None) -> str:
        line = self.lines.pop(0)
        if not self.lines:
            self.desk.hang_up = HangUp(reason="end_call")
        return line

    async def aclose(self) -> None: ...


class Chatty:
    def reply(self, heard_text: str, now_ms: int) -> Reply:
        return Reply(text="Go on, please.")

    def patience_ms(self, now_ms: int) -> int:
        return 30_000


def a_call(lines: list[str], log: EventLog) -> VoiceCall:
    desk = FakeDesk()
    sound = Sound(
        caller_voice=lambda text: tone(60 * len(text)),
        agent_voice=lambda text: tone(60 * len(text)),
        caller_ears=lambda pcm: "words" if len(pcm) else "",
        agent_ears=lambda pcm: "words" if len(pcm) else "",
        to_agent=Clean(),
        to_caller=Clean(),
        record=lambda _caller, _agent: None,
        manner=Manner(),
        seed=1,
    )
    return VoiceCall(
        desk=desk,  # type: ignore[arg-type]
        answer=lent_a_voice(Agent(desk, lines), sound),
        caller=Chatty(),
        log=log,
        limit_ms=480_000,
        sound=sound,
    )


def test_23_24_a_call_that_ends_leaves_the_others_on_its_loop_as_they_were() -> None:
    short, long, alone = (EventLog(lambda _: None) for _ in range(3))

    async def both() -> None:
        calls = (a_call(["One."], short), a_call(["One.", "Two.", "Three.", "Four."], long))
        await asyncio.gather(*(call.converse() for call in calls))

    async def one() -> None:
        await a_call(["One.", "Two.", "Three.", "Four."], alone).converse()

    for work in (both, one):
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            runner.run(work())
    assert [event.text for event in long.events if isinstance(event, Speech) and event.role == "agent"] == [
        "Good morning.", "One.", "Two.", "Three.", "Four."
    ]  # fmt: skip
    assert long.events == alone.events
    assert short.events[-1].t_ms < long.events[-1].t_ms
