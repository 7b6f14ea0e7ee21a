"""A call in text: who speaks, what it costs on the clock, and how it ends. Source: scoring.md 8.2, design.md 4."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from mivas.caller import Reply
from mivas.harness import HangUp
from mivas.line import CallEnded, EventLog, Speech, VirtualTimeLoop
from mivas.run._text_call import MS_PER_WORD, SILENCE_MS, TextCall


@dataclass
class FakeDesk:
    greeting: str | None = None
    hang_up: HangUp | None = None
    node: Any = field(default_factory=lambda: type("Node", (), {"id": "n"}))


@dataclass
class ScriptedAgent:
    """Says its lines in order; `hang` says at which turn it hangs up, a number of seconds makes it think."""

    desk: FakeDesk
    lines: list[Any]
    heard: list[str | None] = field(default_factory=list)

    async def turn(self, heard: str | None) -> str:
        self.heard.append(heard)
        line = self.lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, float):
            await asyncio.sleep(line)
            return "Sorry for the wait."
        if line.endswith("<hangs up>"):
            self.desk.hang_up = HangUp(reason="end_call")
        return str(line.removesuffix("<hangs up>"))


@dataclass
class ScriptedCaller:
    lines: list[str]
    heard: list[str] = field(default_factory=list)

    def reply(self, heard_text: str) -> Reply:
        self.heard.append(heard_text)
        line = self.lines.pop(0)
        return Reply(text=line.removesuffix("<hangs up>"), hangs_up=line.endswith("<hangs up>"))


@dataclass
class Told:
    agent: ScriptedAgent
    caller: ScriptedCaller
    log: EventLog

    @property
    def spoken(self) -> list[tuple[str, str, int, int]]:
        return [(e.role, e.text, e.start_ms, e.end_ms) for e in self.log.events if isinstance(e, Speech)]

    @property
    def end(self) -> tuple[str, str, int]:
        last = self.log.events[-1]
        assert isinstance(last, CallEnded)
        return last.by, last.reason, last.t_ms


def call(agent: list[Any], caller: list[str], greeting: str | None = None, limit_ms: int = 480_000) -> Told:
    desk = FakeDesk(greeting)
    told = Told(ScriptedAgent(desk, agent), ScriptedCaller(caller), EventLog(lambda line: None))
    text_call = TextCall(desk=desk, agent=told.agent, caller=told.caller, log=told.log, limit_ms=limit_ms)  # type: ignore[arg-type]
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(text_call.converse())
    return told


def test_the_agent_opens_when_the_blueprint_has_no_greeting() -> None:
    told = call(["Hello.", "Bye.<hangs up>"], ["Hi."])
    assert (told.agent.heard, told.caller.heard) == ([None, "Hi."], ["Hello."])


def test_a_greeting_is_spoken_as_it_stands_before_the_agent_is_asked() -> None:
    told = call(["Bye.<hangs up>"], ["Hi."], greeting="Welcome to Toy.")
    assert (told.agent.heard, told.caller.heard) == (["Hi."], ["Welcome to Toy."])
    assert told.spoken[0][:2] == ("agent", "Welcome to Toy.")


def test_words_cost_time_on_the_calls_clock() -> None:
    told = call(["One two three.", "<hangs up>"], ["Four."])
    assert told.spoken == [
        ("agent", "One two three.", 0, 3 * MS_PER_WORD), ("caller", "Four.", 3 * MS_PER_WORD, 4 * MS_PER_WORD),
    ]  # fmt: skip


def test_silence_costs_time_and_is_not_speech() -> None:
    told = call(["", "<hangs up>"], ["Hello?"])
    assert told.spoken[0][2] == SILENCE_MS


def test_thinking_is_charged_to_the_clock() -> None:
    told = call([2.5, "<hangs up>"], ["Ok."])
    assert told.spoken[0][2] == 2500


def test_last_words_are_spoken_before_the_agent_hangs_up() -> None:
    told = call(["Goodbye then.<hangs up>"], [])
    assert told.spoken[-1][1] == "Goodbye then."
    assert told.end == ("agent", "end_call", 2 * MS_PER_WORD)


def test_a_caller_that_hangs_up_ends_the_call() -> None:
    told = call(["Hello."], ["Bye.<hangs up>"])
    assert told.end[:2] == ("caller", "caller hung up")
    assert told.spoken[-1][:2] == ("caller", "Bye.")


def test_a_call_ends_at_its_cap() -> None:
    told = call(["word " * 30] * 99, ["word"] * 99, limit_ms=60_000)
    assert told.end == ("limit", "the call reached its cap of 60000 ms", 60_000)


def test_an_agent_that_never_answers_ends_at_the_cap() -> None:
    assert call([1e9], []).end[0] == "limit"


@pytest.mark.parametrize("error", [ValueError("x"), TimeoutError("the provider's, not the call's")])
def test_what_the_agent_raises_is_passed_on(error: Exception) -> None:
    with pytest.raises(type(error)):
        call([error], [])
