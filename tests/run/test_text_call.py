"""A call in text: who speaks, what it costs on the clock, and how it ends. Source: scoring.md 8.2, design.md 4."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from mivas.caller import Reply
from mivas.harness import HangUp
from mivas.line import CallEnded, EventLog, Note, Speech, VirtualTimeLoop
from mivas.run._text_call import HANG_UPS, MS_PER_WORD, SILENCE_MS, CallerBroke, LiveLoop, TextCall


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
    """Says its lines in order, or one for ever; `<done>` and the like hang up."""

    lines: list[Any]
    patience: int = 480_000
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

    @property
    def spoken(self) -> list[tuple[str, str, int, int]]:
        return [(e.role, e.text, e.start_ms, e.end_ms) for e in self.log.events if isinstance(e, Speech)]

    @property
    def end(self) -> tuple[str, str, int]:
        last = self.log.events[-1]
        assert isinstance(last, CallEnded)
        return last.by, last.reason, last.t_ms


def call(
    agent: list[Any],
    caller: list[Any],
    greeting: str | None = None,
    limit_ms: int = 480_000,
    patience_ms: int = 480_000,
) -> Told:
    desk = FakeDesk(greeting)
    told = Told(ScriptedAgent(desk, agent), ScriptedCaller(caller, patience_ms), EventLog(lambda line: None))
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
    told = call(["Hello."], ["Bye.<done>"])
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


@pytest.mark.parametrize("error", [SystemExit(3), asyncio.CancelledError()])
def test_what_would_end_the_program_is_passed_on_too(error: BaseException) -> None:
    with pytest.raises(type(error)):
        call([error], [])


@pytest.mark.parametrize("ending", sorted(HANG_UPS))
def test_every_way_to_hang_up_is_told_after_the_last_words(ending: str) -> None:
    told = call(["Hello."], [f"Bye.<{ending}>"])
    assert told.end[:2] == HANG_UPS[ending]  # type: ignore[index]
    assert told.spoken[-1][:2] == ("caller", "Bye.")


class TestStalls:
    def test_a_caller_speaks_up_on_a_silent_line_and_the_call_goes_on(self) -> None:
        told = call([70.0, "<hangs up>"], ["Hello?", "Are you there?", "Fine."], patience_ms=30_000)
        assert told.caller.heard == ["", "", "Sorry for the wait."]
        assert [(who, text, start) for who, text, start, _ in told.spoken] == [
            ("caller", "Hello?", 30_000),
            ("caller", "Are you there?", 30_000 + 400 + 30_000),
            ("agent", "Sorry for the wait.", 70_000),
            ("caller", "Fine.", 70_000 + 4 * MS_PER_WORD),
        ]

    def test_the_agent_hears_a_prompt_with_the_next_words(self) -> None:
        told = call(["Hm?", 40.0, "<hangs up>"], ["Hi.", "Hello?", "Fine."], patience_ms=30_000)
        assert told.agent.heard == [None, "Hi.", "Hello? Fine."]

    def test_a_caller_that_has_waited_enough_hangs_up(self) -> None:
        told = call(["Hello.", 1e9], ["Hi.", "Hello?", "Bye.<silence>"], patience_ms=30_000)
        assert told.end == ("caller", "caller gave up: heard nothing", 400 + 400 + 30_400 + 30_400)

    def test_an_agent_that_answers_in_time_is_not_prompted(self) -> None:
        assert call([29.0, "<hangs up>"], ["Fine."], patience_ms=30_000).caller.heard == ["Sorry for the wait."]

    def test_a_turn_that_is_given_up_is_cancelled(self) -> None:
        cancelled = []

        class Stalled(ScriptedAgent):
            async def turn(self, heard: str | None) -> str:
                try:
                    return await super().turn(heard)
                except asyncio.CancelledError:
                    cancelled.append(heard)
                    raise

        for caller, limit_ms in ((["Bye.<silence>"], 480_000), ([], 20_000)):
            desk = FakeDesk()
            text_call = TextCall(
                desk=desk,  # type: ignore[arg-type]
                agent=Stalled(desk, [1e9]),
                caller=ScriptedCaller(caller, 30_000),
                log=EventLog(lambda line: None),
                limit_ms=limit_ms,
            )
            with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
                runner.run(text_call.converse())
        assert cancelled == [None, None]

    def test_an_agent_that_breaks_after_a_prompt_is_no_silent_one(self) -> None:
        class Late(ScriptedAgent):
            async def turn(self, heard: str | None) -> str:
                await asyncio.sleep(40)
                raise ValueError("late")

        desk = FakeDesk()
        text_call = TextCall(
            desk=desk,  # type: ignore[arg-type]
            agent=Late(desk, []),
            caller=ScriptedCaller(["Hello?"], 30_000),
            log=EventLog(lambda line: None),
            limit_ms=480_000,
        )
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner, pytest.raises(ValueError, match="late"):
            runner.run(text_call.converse())

    def test_a_stalled_endpoint_loses_its_caller_in_real_time_too(self) -> None:
        desk = FakeDesk("Hello.")
        loop = LiveLoop()
        log = EventLog(lambda line: None)
        text_call = TextCall(
            desk=desk,  # type: ignore[arg-type]
            agent=ScriptedAgent(desk, [1e9]),
            caller=ScriptedCaller(["Hi.", "Hello?", "Bye.<silence>"], 20),
            log=log,
            limit_ms=480_000,
            pace=loop,
        )
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(text_call.converse())
        last = log.events[-1]
        assert isinstance(last, CallEnded)
        assert (last.by, last.reason) == ("caller", "caller gave up: heard nothing")


class TestCallers:
    def test_a_caller_that_repeats_itself_for_ever_meets_the_cap(self) -> None:
        told = call(["Yes?"] * 2_000, ["What?"] * 2_000, limit_ms=60_000)
        assert told.end[0] == "limit"

    def test_a_caller_that_talks_nonsense_for_ever_meets_the_cap(self) -> None:
        told = call(["Yes?"] * 2_000, ["\ud800 \x00 blah " * 50] * 2_000, limit_ms=60_000)
        assert told.end == ("limit", "the call reached its cap of 60000 ms", 60_000)

    def test_a_caller_is_told_the_time_its_turn_begins(self) -> None:
        assert call(["One two.", "<hangs up>"], ["Hi."]).caller.asked_at_ms == [2 * MS_PER_WORD]

    def test_what_breaks_in_the_caller_is_told_apart_from_what_breaks_in_the_agent(self) -> None:
        with pytest.raises(CallerBroke, match="no endpoint") as told:
            call(["Hello."], [ConnectionError("no endpoint")])
        assert isinstance(told.value.__cause__, ConnectionError)

    def test_how_it_came_to_its_words_is_noted(self) -> None:
        class Noting(ScriptedCaller):
            def reply(self, heard_text: str, now_ms: int) -> Reply:
                return Reply(text="Bye.", ending="done", notes=("fell back to the template",))

        log = EventLog(lambda line: None)
        desk = FakeDesk("Hello.")
        text_call = TextCall(
            desk=desk,  # type: ignore[arg-type]
            agent=ScriptedAgent(desk, []),
            caller=Noting([]),
            log=log,
            limit_ms=480_000,
        )
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            runner.run(text_call.converse())
        assert [(event.code, event.text) for event in log.events if isinstance(event, Note)] == [
            ("caller_wording", "fell back to the template")
        ]
