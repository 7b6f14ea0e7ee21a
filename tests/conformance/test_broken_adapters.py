"""Tests of the tests: an adapter with one planted fault fails just where it should."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("websockets")
pytest.importorskip("soxr")

from mivas.conformance import Conformance, Provider, Served, provider_of
from mivas.fakes.realtime import Plan
from mivas.harness import AgentLine, ToolResult, VoiceAgent

SOUND = provider_of("openai/realtime-2.1-swap")


class Around:
    """Something with one or two of its parts replaced."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@dataclass(frozen=True)
class Broken:
    """A harness whose calls go wrong in one way."""

    harness: Any
    breaks: Callable[[Any, AgentLine], VoiceAgent]

    def pick_up(self, line: AgentLine) -> VoiceAgent:
        return self.breaks(self.harness, line)


def broken(breaks: Callable[[Any, AgentLine], VoiceAgent]) -> Provider:
    @asynccontextmanager
    async def serve(plan: Plan) -> AsyncIterator[Served]:
        async with SOUND.serve(plan) as served:
            yield replace(served, harness=Broken(served.harness, breaks))

    return replace(SOUND, serve=serve)


def at_another_desk(desk: type[Around]) -> Callable[[Any, AgentLine], VoiceAgent]:
    def pick_up(harness: Any, line: AgentLine) -> VoiceAgent:
        another: Any = desk(line.desk)
        another.line = line
        agent: VoiceAgent = harness.pick_up(replace(line, desk=another))
        return agent

    return pick_up


class SwallowsResults(Around):
    async def call(self, name: str, arguments: Mapping[str, Any], **options: Any) -> ToolResult:
        await self._inner.call(name, arguments, **options)
        await asyncio.Event().wait()
        raise AssertionError


class EndsTwice(Around):
    async def call(self, name: str, arguments: Mapping[str, Any], **options: Any) -> ToolResult:
        if name != "end_call":
            result: ToolResult = await self._inner.call(name, arguments, **options)
            return result
        self.line.sink.agent_hangs_up("end_call")
        return ToolResult(output={"success": True}, carried_out=True)


class WrapsEnvelopes(Around):
    async def call(self, name: str, arguments: Mapping[str, Any], **options: Any) -> ToolResult:
        result = await self._inner.call(name, arguments, **options)
        return replace(result, output={"success": True, **result.output})


class ForgetsIds(Around):
    async def call(self, name: str, arguments: Mapping[str, Any], *, call_ref: str | None = None) -> ToolResult:
        result: ToolResult = await self._inner.call(name, {**arguments, "id": call_ref})
        return result


class OffersEverything(Around):
    @property
    def tools(self) -> Any:
        return tuple(self._inner._pack.tools.values())


class StaysAtTheFirstNode(Around):
    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.node = inner.node
        self.tools = inner.tools


class GreetsTwice(Around):
    @property
    def node(self) -> Any:
        node = self._inner.node
        return replace(node, instructions=f"{node.instructions} {self._inner.greeting}")


class TellsItsKey(Around):
    async def call(self, name: str, arguments: Mapping[str, Any], **options: Any) -> ToolResult:
        self._inner.note("debug", f"Authorization: Bearer {SOUND.secret}")
        result: ToolResult = await self._inner.call(name, arguments, **options)
        return result


def talks_on(harness: Any, line: AgentLine) -> VoiceAgent:
    line.playout.cut = lambda t_ms: None  # type: ignore[method-assign]
    agent: VoiceAgent = harness.pick_up(line)
    return agent


class OpensLate(Around):
    def answer(self) -> None:
        self.line.spawn(self._late())

    async def _late(self) -> None:
        await asyncio.sleep(8)
        self._inner.answer()


class HearsOnlyLoudSound(Around):
    def hear(self, frame: Any, t_ms: int) -> None:
        self._inner.hear(frame if np.abs(frame).max() > 2_000 else np.zeros_like(frame), t_ms)


class SendsNoSilence(Around):
    def hear(self, frame: Any, t_ms: int) -> None:
        if np.abs(frame).max() > 100:
            self._inner.hear(frame, t_ms)


class NeverCloses(Around):
    async def aclose(self) -> None:
        return None


class TellsNothing(Around):
    def agent_heard(self, text: str) -> None: ...

    def interrupted(self, by: Any, at_ms: int) -> None: ...

    def report_usage(self, **tokens: Any) -> None: ...


class InventsTurns(Around):
    def answer(self) -> None:
        self._inner.answer()
        self.line.sink.agent_heard("(The call is connected.)")


class TellsOfNoLoss(Around):
    def agent_lost(self, reason: str) -> None:
        self._inner.agent_hangs_up(reason)


def another_agent(agent: type[Around]) -> Callable[[Any, AgentLine], VoiceAgent]:
    def pick_up(harness: Any, line: AgentLine) -> VoiceAgent:
        another: Any = agent(harness.pick_up(line))
        another.line = line
        return another  # type: ignore[no-any-return]

    return pick_up


def another_sink(sink: type[Around]) -> Callable[[Any, AgentLine], VoiceAgent]:
    return lambda harness, line: harness.pick_up(replace(line, sink=sink(line.sink)))  # type: ignore[arg-type, no-any-return]


Breaks = Callable[[Any, AgentLine], VoiceAgent]
PLANTED: Mapping[str, tuple[Breaks, str, dict[str, Any]]] = {
    "swallows results": (at_another_desk(SwallowsResults), "25", {}),
    "ends twice": (at_another_desk(EndsTwice), "44", {}),
    "cuts its goodbye": (at_another_desk(EndsTwice), "42_45", {}),
    "wraps envelopes": (at_another_desk(WrapsEnvelopes), "38_an_envelope", {"envelope": {}}),
    "mixes arguments with ids": (at_another_desk(ForgetsIds), "25", {}),
    "offers everything": (at_another_desk(OffersEverything), "26", {}),
    "stays at the first node": (at_another_desk(StaysAtTheFirstNode), "28", {}),
    "greets twice": (at_another_desk(GreetsTwice), "30_31", {}),
    "tells its key": (at_another_desk(TellsItsKey), "25", {}),
    "talks on": (talks_on, "barge_in", {"after_ms": 2_000}),
    "opens late": (another_agent(OpensLate), "01", {}),
    "hears only loud sound": (another_agent(HearsOnlyLoudSound), "18_22", {"level": 500}),
    "sends no silence": (another_agent(SendsNoSilence), "20", {}),
    "never closes": (another_agent(NeverCloses), "a_caller_may_hang_up", {"at_ms": 4_000}),
    "invents turns": (another_agent(InventsTurns), "03", {}),
    "tells of no interruption": (another_sink(TellsNothing), "barge_in", {"after_ms": 2_000}),
    "tells of no usage": (at_another_desk(TellsNothing), "usage", {}),
    "holds a refusal against the model": (another_sink(TellsOfNoLoss), "40_a_refused", {"status": "429"}),
}
"""What it does -> how, the test that must fail by its beginning, and what that takes."""


def run_test(beginning: str, provider: Provider, options: dict[str, Any]) -> None:
    [name] = [name for name in dir(Conformance) if name.startswith(f"test_{beginning}")]
    getattr(Conformance(), name)(provider, **options)


@pytest.mark.parametrize(("breaks", "test", "options"), PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_fault_fails_its_test(breaks: Breaks, test: str, options: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        run_test(test, broken(breaks), options)


@pytest.mark.parametrize(("test", "options"), {case[1]: case[2] for case in PLANTED.values()}.items())
def test_the_same_tests_pass_without_the_fault(test: str, options: dict[str, Any]) -> None:
    run_test(test, broken(lambda harness, line: harness.pick_up(line)), options)


@pytest.mark.slow
def test_the_suite_runs_in_real_time_too() -> None:
    for test in ("03", "44"):
        run_test(test, replace(SOUND, clock="real"), {})


def test_a_double_that_can_not_commit_a_fault_skips_what_needs_it() -> None:
    with pytest.raises(pytest.skip.Exception, match="refuse"):
        Conformance().test_40_a_refused_connection_is_no_failure_of_the_models(
            replace(SOUND, faults=frozenset()), status="429"
        )


def test_a_secret_that_could_be_any_word_is_refused() -> None:
    with pytest.raises(ValueError, match="12 characters"):
        replace(SOUND, secret="key")
