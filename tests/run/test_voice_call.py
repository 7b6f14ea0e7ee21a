"""A spoken call: turns by ear, barge-in both ways, silence, ends, and what is written down and recorded."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from mivas.caller import CallerBroke, Manner, Reply
from mivas.harness import HangUp
from mivas.line import CallEnded, EventLog, Interruption, Speech, VirtualTimeLoop
from mivas.line.spoken import BUS_HZ, FRAME_MS, Pcm
from mivas.run._voice_call import Sound, VoiceCall, lent_a_voice

MS_PER_LETTER = 60


def buzz(text: str) -> Pcm:
    """A voice-like sound, 60 ms a letter, whose pitch is the number of letters: enough for `unbuzz` to know it."""
    t = np.arange(BUS_HZ * MS_PER_LETTER * len(text) // 1000) / BUS_HZ
    wave = sum(np.sin(2 * np.pi * 120 * k * t + k) / k for k in range(1, 12))
    return np.asarray(wave / 3 * 6000, dtype=np.int16)


def unbuzz(pcm: Pcm) -> str:
    """What a recogniser would make of it: how long it sounded."""
    loud = np.abs(pcm.astype(int)).reshape(-1, 320).max(axis=1) > 1000
    return f"about {round(float(loud.sum()) * FRAME_MS / MS_PER_LETTER)} letters"


class Clean:
    def process(self, frame: Pcm) -> Pcm:
        return frame

    def returning(self, frame: Pcm) -> None: ...


@dataclass
class FakeDesk:
    greeting: str | None = None
    hang_up: HangUp | None = None
    node: Any = field(default_factory=lambda: type("Node", (), {"id": "n"}))


@dataclass
class ScriptedAgent:
    """Says its lines in order; a number makes it think so many seconds first, an exception is raised."""

    desk: FakeDesk
    lines: list[Any]
    heard: list[str | None] = field(default_factory=list)

    async def aclose(self) -> None: ...

    async def turn(self, heard: str | None) -> str:
        self.heard.append(heard)
        line = self.lines.pop(0) if self.lines else ""
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, tuple):
            await asyncio.sleep(line[0])
            line = line[1]
        if line.endswith("<hangs up>"):
            self.desk.hang_up = HangUp(reason="end_call")
        return str(line.removesuffix("<hangs up>"))


@dataclass
class ScriptedCaller:
    lines: list[Any]
    patience: int = 8_000
    heard: list[str] = field(default_factory=list)
    asked_at_ms: list[int] = field(default_factory=list)

    def reply(self, heard_text: str, now_ms: int) -> Reply:
        self.heard.append(heard_text)
        self.asked_at_ms.append(now_ms)
        line = self.lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        text, _, ending = line.partition("<")
        return Reply(text=text, ending=ending.removesuffix(">") or None)  # type: ignore[arg-type]

    def patience_ms(self, now_ms: int) -> int:
        return self.patience


@dataclass
class Told:
    agent: ScriptedAgent
    caller: ScriptedCaller
    log: EventLog
    channels: tuple[Pcm, Pcm]

    @property
    def speech(self) -> list[Speech]:
        return [event for event in self.log.events if isinstance(event, Speech)]

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(event.role, event.text) for event in self.speech]

    @property
    def interruptions(self) -> list[Interruption]:
        return [event for event in self.log.events if isinstance(event, Interruption)]

    @property
    def end(self) -> CallEnded:
        last = self.log.events[-1]
        assert isinstance(last, CallEnded)
        return last


def call(
    agent: list[Any],
    caller: list[Any],
    *,
    greeting: str | None = "Good morning.",
    words: bool = False,
    manner: Manner | None = None,
    patience: int = 8_000,
    limit_ms: int = 480_000,
    loop: Any = VirtualTimeLoop,
) -> Told:
    desk = FakeDesk(greeting=greeting)
    answering, phoning = ScriptedAgent(desk, agent), ScriptedCaller(caller, patience)
    log = EventLog(lambda _: None)
    frames: tuple[list[Pcm], list[Pcm]] = ([], [])

    def record(caller: Pcm, agent: Pcm) -> None:
        frames[0].append(caller)
        frames[1].append(agent)

    sound = Sound(
        caller_voice=buzz,
        agent_voice=buzz,
        caller_ears=None if words else unbuzz,
        agent_ears=None if words else unbuzz,
        to_agent=Clean(),
        to_caller=Clean(),
        record=record,
        manner=manner or Manner(end_of_turn_ms=(800, 800)),
        seed=1,
    )

    async def main() -> None:
        voice_call = VoiceCall(
            desk=desk,
            answer=lent_a_voice(answering, sound),
            caller=phoning,
            log=log,
            limit_ms=limit_ms,
            sound=sound,  # type: ignore[arg-type]
        )
        await voice_call.converse()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(main())
    return Told(answering, phoning, log, (np.concatenate(frames[0]), np.concatenate(frames[1])))


def test_turns_are_taken_by_ear() -> None:
    told = call(["Which day would you like?", "Done. Goodbye.<hangs up>"], ["I need a visit.", "On Tuesday."])
    assert told.said == [
        ("agent", "Good morning."),
        ("caller", "I need a visit."),
        ("agent", "Which day would you like?"),
        ("caller", "On Tuesday."),
        ("agent", "Done. Goodbye."),
    ]
    assert (told.end.by, told.end.reason) == ("agent", "end_call")
    # Each side answered what its ears made of the other's sound, not the words behind it.
    assert told.caller.heard == ["about 13 letters", "about 25 letters"]
    assert told.agent.heard == ["about 15 letters", "about 11 letters"]
    assert [event.heard for event in told.speech][:4] == [
        "about 13 letters", "about 15 letters", "about 25 letters", "about 11 letters"
    ]  # fmt: skip


def test_a_turn_is_answered_after_the_silence_that_ends_it() -> None:
    told = call(["Which day?<hangs up>"], ["I need a visit."])
    greeting, opening, question = told.speech
    assert greeting.start_ms <= FRAME_MS
    assert greeting.end_ms - greeting.start_ms == MS_PER_LETTER * len("Good morning.")
    assert 800 <= opening.start_ms - greeting.end_ms <= 800 + 2 * FRAME_MS
    assert 800 <= question.start_ms - opening.end_ms <= 800 + 2 * FRAME_MS


def test_what_is_written_down_is_what_sounds_at_that_time() -> None:
    told = call(["Which day?<hangs up>"], ["I need a visit."])
    for event in told.speech:
        channel = told.channels[0 if event.role == "caller" else 1]
        loud = np.flatnonzero(channel) * 1000 / BUS_HZ
        inside = loud[(loud >= event.start_ms - 1) & (loud <= event.end_ms + 1)]
        assert abs(inside.min() - event.start_ms) <= FRAME_MS
        assert abs(inside.max() - event.end_ms) <= FRAME_MS


def test_the_goodbye_is_heard_before_the_line_is_dead() -> None:
    told = call(["A rather long goodbye to you.<hangs up>"], ["I need a visit."])
    assert told.speech[-1].text == "A rather long goodbye to you."
    assert not told.speech[-1].interrupted
    assert told.end.t_ms >= told.speech[-1].end_ms + 400


def test_the_caller_hangs_up_after_its_last_words() -> None:
    told = call(["Anything else?"], ["I need a visit.", "No, bye.<done>"])
    assert (told.end.by, told.end.reason) == ("caller", "caller hung up")
    assert told.speech[-1].text == "No, bye."
    assert told.end.t_ms >= told.speech[-1].end_ms


def test_words_passed_beside_the_sound_are_heard_as_they_are_and_say_so() -> None:
    told = call(["Which day?<hangs up>"], ["I need a visit."], words=True)
    assert told.caller.heard == ["Good morning."]
    assert told.agent.heard == ["I need a visit."]
    assert {event.heard for event in told.speech} == {None}


def test_without_a_greeting_the_agent_opens() -> None:
    told = call(["Hello, this is the desk.", "Bye.<hangs up>"], ["I need a visit."], greeting=None)
    assert told.agent.heard[0] is None
    assert told.said[0] == ("agent", "Hello, this is the desk.")


def test_a_silent_agent_is_prompted_and_then_given_up() -> None:
    told = call([""], ["I need a visit.", "Hello?", "Bye then.<silence>"], patience=5_000)
    assert told.caller.heard == ["about 13 letters", "", ""]
    assert (told.end.by, told.end.reason) == ("caller", "caller gave up: heard nothing")
    waited = told.speech[2].start_ms - told.speech[1].end_ms
    assert 5_000 <= waited <= 5_000 + 2 * FRAME_MS


def test_thinking_of_the_agent_is_on_the_clock() -> None:
    told = call([(3.0, "Here it is.<hangs up>")], ["I need a visit."], patience=60_000)
    gap = told.speech[2].start_ms - told.speech[1].end_ms
    assert 3_800 <= gap <= 3_800 + 2 * FRAME_MS


def test_a_caller_that_cuts_in_stops_the_agent() -> None:
    long = "This is a very long explanation of everything that we do here on every day."
    told = call(
        [long, "Bye.<hangs up>"],
        ["I need a visit.", "Stop it please."],
        manner=Manner(end_of_turn_ms=(800, 800), cuts_in_ms=(2000, 2000), gives_way_ms=None),
    )
    cut = next(event for event in told.speech if event.interrupted)
    assert long.startswith(cut.text)
    assert len(cut.text) < len(long)
    assert [event.by for event in told.interruptions] == ["caller", "caller"]
    stopped = told.interruptions[-1]
    assert cut.end_ms == stopped.at_ms
    # Yields within its 400 ms of overlap, one frame to notice either way.
    cutting_in = next(event for event in told.speech if event.text == "Stop it please.")
    assert abs(stopped.at_ms - cutting_in.start_ms - 400) <= 2 * FRAME_MS
    assert not told.channels[1][BUS_HZ * cut.end_ms // 1000 :][: BUS_HZ // 2].any()


def test_a_backchannel_does_not_stop_the_agent() -> None:
    long = "This is a very long explanation of everything that we do here on every day."
    told = call(
        [long, "Bye.<hangs up>"],
        ["I need a visit.", "I see."],
        manner=Manner(end_of_turn_ms=(800, 800), backchannel_ms=(2000, 2000)),
    )
    assert not told.interruptions
    assert any(event.role == "agent" and event.text == long for event in told.speech)
    assert any(event.text in ("mm-hm", "okay", "uh-huh") for event in told.speech)


def test_a_harness_that_breaks_breaks_the_call_and_what_was_said_is_kept() -> None:
    with pytest.raises(ZeroDivisionError):
        call([ZeroDivisionError("oops")], ["I need a visit."])


def test_a_harness_that_wants_to_exit_ends_its_call_only() -> None:
    with pytest.raises(SystemExit):
        call([SystemExit(3)], ["I need a visit."])


def test_a_caller_that_breaks_is_told_from_an_agent_that_does() -> None:
    with pytest.raises(CallerBroke):
        call(["never said"], [RuntimeError("lost")])


def test_a_call_that_does_not_end_ends_at_its_cap() -> None:
    told = call(["Go on."] * 100, ["I need a visit."] * 100, limit_ms=20_000)
    assert told.end.by == "limit"
    assert told.end.t_ms == 20_000


def test_the_same_call_twice_is_the_same() -> None:
    first, second = (call(["Which day?", "Bye.<hangs up>"], ["A visit.", "Tuesday."]) for _ in range(2))
    assert first.log.events == second.log.events
    assert (first.channels[0] == second.channels[0]).all()


@pytest.mark.slow
def test_real_time_tells_the_same_story_as_virtual_time() -> None:
    from mivas.line import RealTimeLoop

    story = (["Which day?", "Bye.<hangs up>"], ["A visit.", "Tuesday."])
    virtual, real = call(*map(list, story)), call(*map(list, story), loop=RealTimeLoop)
    assert virtual.said == real.said
    assert [type(event) for event in virtual.log.events] == [type(event) for event in real.log.events]
    for one, other in zip(virtual.speech, real.speech, strict=True):
        assert abs(one.start_ms - other.start_ms) <= 250
