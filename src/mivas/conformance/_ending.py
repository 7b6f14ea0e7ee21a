"""How a call ends, and what is counted of it. Numbers are those of docs/failure-modes.md."""

from __future__ import annotations

import pytest

from mivas.conformance._bench import run_call
from mivas.conformance._ends import Caller
from mivas.conformance._model import Model, end_call, handoff
from mivas.conformance._provider import Provider
from mivas.fakes.realtime import CallStep, CallTool, EachAnswer, Output, Pause, Say, SessionView, WaitStep
from mivas.line import Usage

GOODBYE = "Thank you for calling, goodbye."
CAP_MS = 30_000
"""From `end_call` to the end of the line, whatever the provider does."""


class Ending:
    """The last words are heard, the line is dead soon after them, and nothing stays behind."""

    def test_42_45_the_goodbye_is_heard_and_then_the_line_is_dead(self, provider: Provider) -> None:
        call = run_call(provider, Model([Say(GOODBYE), end_call()]), seconds=40)
        assert (call.ended.by, call.ended.reason) == ("agent", "end_call")
        last = call.playout.spoken[-1]
        assert last.heard_text == GOODBYE
        assert not last.interrupted
        assert last.end_ms is not None
        assert last.end_ms <= call.ended.at_ms <= last.end_ms + 8_000

    def test_43_a_goodbye_that_comes_after_the_tools_result_is_waited_for(self, provider: Provider) -> None:
        call = run_call(provider, Model([end_call(), Pause(2_500), Say(GOODBYE)]), seconds=40)
        assert call.ended.by == "agent", call.ended
        assert call.said == [GOODBYE]
        assert not call.playout.spoken[-1].interrupted

    def test_42_without_a_goodbye_the_line_is_dead_all_the_same(self, provider: Provider) -> None:
        call = run_call(provider, Model([end_call()]), seconds=60)
        assert call.ended.by == "agent", call.ended
        assert call.ended.at_ms <= CAP_MS

    def test_44_a_call_ends_once(self, provider: Provider) -> None:
        call = run_call(provider, Model(EachAnswer(_ends_twice)), seconds=40)
        outcomes = [event.output.get("success") for event in call.finished if event.name == "end_call"]
        assert outcomes == [True, False], f"the two ends were answered with {outcomes}"
        assert (call.ended.by, call.ended.reason) == ("agent", "end_call")

    def test_46_a_transfer_to_a_person_is_recorded_and_then_the_line_is_dead(self, provider: Provider) -> None:
        fetch = CallStep(tool="fetch_person", kind="end", arguments={"why": "angry"})
        call = run_call(provider, Model([handoff("to_back"), Say("A person will call you."), fetch]), seconds=40)
        assert [name for name, _, _ in call.tools.posts] == ["fetch_person"]
        assert (call.ended.by, call.ended.reason) == ("agent", "fetch_person")

    @pytest.mark.parametrize("at_ms", [0, 200, 700, 4_000])
    def test_a_caller_may_hang_up_at_any_moment(self, provider: Provider, at_ms: int) -> None:
        model = Model([Say("One moment."), CallStep(tool="look_up", arguments={"what": "red"}), Say("It is here.")])

        async def caller(me: Caller) -> None:
            await me.wait(at_ms)
            me.hang_up()

        call = run_call(provider, model, caller, seconds=20)
        assert (call.ended.by, call.ended.reason) == ("caller", "caller hung up")
        assert call.closed_in_ms <= 5_000
        assert call.left_open == 0, f"{call.left_open} connections stayed open"

    def test_when_the_agent_hangs_up_nothing_stays_open(self, provider: Provider) -> None:
        call = run_call(provider, Model([Say(GOODBYE), end_call()]), seconds=40)
        assert call.left_open == 0, f"{call.left_open} connections stayed open"

    def test_usage_is_told_for_each_answer_where_the_provider_counts(self, provider: Provider) -> None:
        model = Model([Say("Front desk."), WaitStep(until="speech"), handoff("to_back"), Say("Back room.")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()

        call = run_call(provider, model, caller, seconds=20)
        usage = [event for event in call.events if isinstance(event, Usage)]
        if not provider.reports_usage:
            assert all(event.output_audio_tokens is None for event in usage), "tokens that nobody counted"
            return
        assert len(usage) >= len(model.views) - 1, f"{len(usage)} counts of {len(model.views)} answers"
        assert {event.node for event in usage} == {"front", "back"}
        assert sum(event.output_audio_tokens or 0 for event in usage) > 0


def _ends_twice(session: SessionView) -> list[Output]:
    if session.outputs:
        return []
    return [CallTool(tool="end_call", arguments={}), CallTool(tool="end_call", arguments={})]
