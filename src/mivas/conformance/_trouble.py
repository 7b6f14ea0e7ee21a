"""A provider that fails, lies or attacks. Whatever it does is never held against the model, and stays contained."""

from __future__ import annotations

import logging

import pytest

from mivas.conformance._bench import Call, run_call
from mivas.conformance._ends import Caller
from mivas.conformance._faults import committing
from mivas.conformance._model import Model, handoff
from mivas.conformance._provider import Provider
from mivas.fakes.realtime import CallStep, Say, Step, WaitStep

HELLO = "Front desk, how can I help you?"
LOOK_UP = CallStep(tool="look_up", arguments={"what": "red"})


class Trouble:
    """No capacity, no answer, no connection, nonsense. Numbers are those of docs/failure-modes.md."""

    @pytest.mark.parametrize("reason", ["rate_limit_exceeded", "server_error"])
    def test_40_a_provider_without_capacity_is_no_failure_of_the_models(self, provider: Provider, reason: str) -> None:
        full = committing(provider, "failed", reason)
        call = run_call(provider, Model([Say(HELLO), WaitStep(until="speech"), *full]), _one_turn, seconds=40)
        assert call.ended.by in ("provider", "harness"), call.ended

    @pytest.mark.parametrize("status", ["401", "429", "500", "503"])
    def test_40_a_refused_connection_is_no_failure_of_the_models(self, provider: Provider, status: str) -> None:
        call = run_call(provider, Model([], faults=committing(provider, "refuse", status)), seconds=60)
        assert call.ended.by in ("provider", "harness"), call.ended
        assert call.said == []

    @pytest.mark.parametrize("name", ["drop", "close"])
    def test_37_a_connection_lost_in_mid_call_is_taken_up_again_or_the_call_is_void(
        self, provider: Provider, name: str
    ) -> None:
        lost = committing(provider, name)
        words = "Which of our many lanterns do you mean?"
        model = Model([Say(HELLO), WaitStep(until="speech"), *lost, Say(words), WaitStep(until="speech"), Say("Good.")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            for _ in range(3):
                await me.speak()
                await me.wait(5_000)

        call = run_call(provider, model, caller, seconds=40)
        assert call.ended.by in ("limit", "provider"), call.ended
        if call.ended.by == "limit":
            assert call.said[-1] == "Good.", "the call went on, but nobody answered"
            assert all("audio" not in text for view in model.views for text in view.written)

    def test_37_a_session_that_reaches_its_limit_is_taken_up_again_or_the_call_is_void(
        self, provider: Provider
    ) -> None:
        limit = committing(provider, "limit", "6000")
        turn: list[Step] = [WaitStep(until="speech"), Say("Yes.")]
        model = Model([Say(HELLO), *turn, *turn], faults=limit)

        async def caller(me: Caller) -> None:
            await me.wait(9_000)
            await me.speak()

        call = run_call(provider, model, caller, seconds=30)
        assert call.ended.by in ("limit", "provider"), call.ended
        if call.ended.by == "limit":
            assert "Yes." in call.said

    @pytest.mark.parametrize("name", ["no-ack", "late-ack"])
    def test_a_configuration_that_is_confirmed_late_or_never_loses_no_transfer(
        self, provider: Provider, name: str
    ) -> None:
        fault = committing(provider, name)
        call = run_call(provider, Model([Say(HELLO), handoff("to_back"), Say("Back room.")], faults=fault), seconds=60)
        assert call.ended.by in ("limit", "provider"), call.ended
        if call.ended.by == "limit":
            assert call.handoffs == ["back"]
            assert call.said == [HELLO, "Back room."]

    def test_an_answer_that_never_comes_leaves_the_line_alive(self, provider: Provider) -> None:
        stuck = committing(provider, "no-answer")
        model = Model([Say(HELLO), WaitStep(until="speech"), *stuck, WaitStep(until="speech"), Say("Still here.")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()
            await me.wait(6_000)
            await me.speak()

        call = run_call(provider, model, caller, seconds=30)
        assert call.ended.by in ("limit", "provider"), call.ended
        if call.ended.by == "limit":
            assert call.said[-1] == "Still here."

    def test_events_that_change_places_lose_no_word_and_no_call(self, provider: Provider) -> None:
        swapped = committing(provider, "out-of-order")
        call = run_call(provider, Model([*swapped, Say(HELLO), LOOK_UP, Say("It is here.")]), seconds=15)
        assert len(call.tools.posts) == 1
        assert call.said == [HELLO, "It is here."]

    def test_a_message_that_is_no_json_is_passed_over(self, provider: Provider) -> None:
        broken = committing(provider, "malformed-json")
        call = run_call(provider, Model([*broken, Say(HELLO)]), seconds=10)
        assert call.said == [HELLO]

    def test_a_refusal_of_the_models_is_the_models(self, provider: Provider) -> None:
        refused = committing(provider, "refusal")
        model = Model([Say(HELLO), WaitStep(until="speech"), *refused, WaitStep(until="speech"), Say("Very well.")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()
            await me.wait(5_000)
            await me.speak()

        call = run_call(provider, model, caller, seconds=30)
        assert call.ended.by == "limit", call.ended
        assert call.said[-1] == "Very well."

    # What attacks.

    def test_a_call_with_another_calls_id_is_this_calls_own(self, provider: Provider) -> None:
        foreign = committing(provider, "foreign-call-id")
        call = run_call(provider, Model([*foreign, LOOK_UP, Say("It is here.")]), seconds=10)
        assert [name for name, _, _ in call.tools.posts] == ["look_up"]
        assert call.ended.by == "limit", call.ended

    def test_a_path_in_a_tools_name_reaches_no_service(self, provider: Provider) -> None:
        climbing = committing(provider, "path-in-name")
        call = run_call(provider, Model([*climbing, LOOK_UP, Say("Once more.")]), seconds=10)
        assert call.tools.posts == []
        assert [event.output.get("success") for event in call.finished] == [False]
        assert call.said == ["Once more."]

    def test_a_huge_message_is_survived_or_ends_the_call_as_void(self, provider: Provider) -> None:
        huge = committing(provider, "huge-frame", "40")
        call = run_call(provider, Model([Say(HELLO), WaitStep(until="speech"), *huge]), _one_turn, seconds=30)
        assert call.ended.by in ("limit", "provider"), call.ended
        assert call.said[0] == HELLO

    def test_endless_calls_end_with_the_caller(self, provider: Provider) -> None:
        endless = committing(provider, "endless-calls", "look_up")

        async def caller(me: Caller) -> None:
            await me.wait(30_000)
            me.hang_up()

        call = run_call(provider, Model([], faults=endless), caller, seconds=60)
        assert call.ended.by in ("caller", "provider"), call.ended
        assert len(call.tools.posts) <= 1_000
        assert call.closed_in_ms <= 5_000
        assert call.left_open == 0

    def test_words_without_end_end_with_the_caller(self, provider: Provider) -> None:
        async def caller(me: Caller) -> None:
            await me.until_agent_speaks()
            await me.wait(20_000)
            me.hang_up()

        call = run_call(provider, Model([Say("and another lantern " * 150)]), caller, seconds=60)
        assert call.ended.by == "caller", call.ended
        assert call.closed_in_ms <= 5_000
        assert call.left_open == 0

    @pytest.mark.parametrize(
        ("name", "value"), [("refuse", "401"), ("refuse", "503"), ("drop", ""), ("close", "1011"), ("error", "")]
    )
    def test_the_key_is_told_nowhere(
        self,
        provider: Provider,
        name: str,
        value: str,
        caplog: pytest.LogCaptureFixture,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        caplog.set_level(logging.DEBUG)
        fault = committing(provider, name, value)
        if name == "refuse":
            call = run_call(provider, Model([], faults=fault), seconds=20)
        else:
            call = run_call(provider, Model([*fault, Say(HELLO)]), seconds=20)
        assert isinstance(call, Call)  # whose evidence was looked through
        streams = "".join(capfd.readouterr())
        assert provider.secret not in caplog.text, "the key is in the log"
        assert provider.secret not in streams, "the key is on stdout or stderr"


async def _one_turn(me: Caller) -> None:
    await me.until_agent_spoke()
    await me.speak()
