"""Sound, both ways, and who gives way to whom. Numbers are those of docs/failure-modes.md."""

from __future__ import annotations

from itertools import groupby, pairwise

import numpy as np
import pytest

from mivas.conformance._bench import Call, run_call, run_calls
from mivas.conformance._ends import Caller, Room, is_audible, voice
from mivas.conformance._model import Model
from mivas.conformance._provider import Provider
from mivas.fakes.realtime import CallStep, Pause, Say, WaitStep

LONG = "First I read you the list of all our lanterns, the red ones and the blue ones and the tall ones. " * 2
SHORT = "Front desk, hello."


class Sound:
    """The caller hears the agent whole and at the pace of speech, and the provider hears the caller."""

    def test_13_14_sound_that_comes_in_bursts_is_played_whole_and_without_holes(self, provider: Provider) -> None:
        call = run_call(provider, Model([Say(LONG)]), seconds=25)
        [utterance] = call.playout.spoken
        assert utterance.text.split() == LONG.split()
        assert utterance.complete, "the end of the utterance was never told"
        assert not utterance.waits, "some of the sound was not played"
        assert utterance.start_ms is not None
        assert utterance.sounded_until_ms is not None
        took_ms = utterance.sounded_until_ms - utterance.start_ms
        assert abs(took_ms - utterance.heard_ms) <= 40, "the utterance had holes or was rushed"

    def test_14_a_pause_between_two_sentences_loses_neither(self, provider: Provider) -> None:
        call = run_call(provider, Model([Say(SHORT), Pause(3_000), Say("Which lantern?")]), seconds=12)
        assert " ".join(call.said) == f"{SHORT} Which lantern?"
        assert not any(one.interrupted for one in call.playout.spoken)

    def test_15_16_17_the_agents_own_echo_interrupts_nobody(self, provider: Provider) -> None:
        model = Model([Say(LONG), WaitStep(until="speech"), Say(SHORT)])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()

        call = run_call(provider, model, caller, seconds=40, room=Room(echo=0.05))
        assert call.interruptions == []
        assert [one.split() for one in call.said] == [LONG.split(), SHORT.split()]

    @pytest.mark.parametrize("level", [500, 1_500, 12_000])
    def test_18_22_short_and_quiet_words_reach_the_provider_whole(self, provider: Provider, level: int) -> None:
        async def caller(me: Caller) -> None:
            await me.until_agent_spoke(2_000)
            await me.speak(260, level)

        call = run_call(provider, Model([Say(SHORT)]), caller, seconds=12)
        said, arrived = _energy(call.caller.playout.spoken[0].played, level), _arrived_energy(call)
        assert arrived >= 0.8 * said, f"{arrived / said:.0%} of a short word arrived"

    def test_19_a_turn_ends_although_the_line_is_never_silent(self, provider: Provider) -> None:
        model = Model([Say(SHORT), WaitStep(until="speech"), Say("Which lantern?")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()

        call = run_call(provider, model, caller, seconds=20, room=Room(noise=40))
        assert call.said == [SHORT, "Which lantern?"]

    def test_20_sound_flows_between_turns(self, provider: Provider) -> None:
        call = run_call(provider, Model([Say(SHORT)]), seconds=15)
        for _, group in groupby(call.sound, key=lambda one: one.connection):
            times = [one.at_ms for one in group]
            gaps = [after - before for before, after in pairwise(times)]
            assert max(gaps, default=0) <= 250, f"nothing was sent for {max(gaps)} ms"
        sent_ms = sum(len(one.samples) * 1000 // one.rate_hz for one in call.sound)
        assert sent_ms >= 13_000, f"{sent_ms} ms of 15 s were sent"

    def test_21_an_utterance_is_over_soon_after_its_sound(self, provider: Provider) -> None:
        call = run_call(provider, Model([Say(SHORT)]), seconds=10)
        [utterance] = call.playout.spoken
        assert utterance.end_ms is not None, "the agent's turn never ends"
        assert not call.playout.speaking

    def test_23_a_tools_result_is_given_while_the_line_is_noisy(self, provider: Provider) -> None:
        model = Model([CallStep(tool="look_up", arguments={"what": "red"}), Say("It is here.")])
        call = run_call(provider, model, seconds=10, room=Room(noise=40))
        assert call.said == ["It is here."]

    def test_24_a_caller_who_hangs_up_takes_no_other_call_along(self, provider: Provider) -> None:
        short = Model([Say(SHORT), WaitStep(until="speech")])
        long = Model([Say(SHORT), WaitStep(until="speech"), Say("Which lantern?")])

        async def leaves(me: Caller) -> None:
            await me.until_agent_speaks()
            me.hang_up()

        async def stays(me: Caller) -> None:
            await me.until_agent_spoke(2_000)
            await me.speak()

        first, second = run_calls(provider, [short, long], [leaves, stays], seconds=15)
        assert first.ended.by == "caller"
        assert second.said == [SHORT, "Which lantern?"]

    def test_the_callers_turn_reaches_the_model_and_its_answer_the_caller(self, provider: Provider) -> None:
        model = Model([Say(SHORT), WaitStep(until="speech"), Say("Which lantern?")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()

        call = run_call(provider, model, caller, seconds=15)
        assert model.problem is None, model.problem
        assert len(model.heard) == 1
        assert call.said == [SHORT, "Which lantern?"]
        assert list(call.objections) == []

    @pytest.mark.parametrize("after_ms", [400, 2_000])
    def test_barge_in_the_agent_stops_and_stays_silent_and_tells_it(self, provider: Provider, after_ms: int) -> None:
        model = Model([Say(LONG), WaitStep(until="speech"), Say("Go on.")])
        began: list[int] = []

        async def caller(me: Caller) -> None:
            await me.until_agent_speaks()
            await me.wait(after_ms)
            began.append(me.times_ms[-1])
            await me.speak(3_000, 9_000)

        call = run_call(provider, model, caller, seconds=20)
        heard_ms = [t_ms for t_ms in _audible(call) if began[0] + 1_000 <= t_ms <= began[0] + 3_000]
        assert not heard_ms, f"the agent still spoke {heard_ms[-1] - began[0]} ms after the caller began"
        assert call.interruptions, "the adapter doesn't tell that it gave way"
        cut = call.playout.spoken[0]
        assert cut.interrupted
        assert len(cut.heard_text.split()) < len(LONG.split())
        assert call.said[1:] == ["Go on."], "the caller's turn was not answered"
        assert list(call.objections) == []

    def test_16_after_a_barge_in_the_next_words_are_heard(self, provider: Provider) -> None:
        model = Model([Say(LONG), WaitStep(until="speech"), Say(LONG), WaitStep(until="speech"), Say("Go on.")])

        async def caller(me: Caller) -> None:
            for _ in range(2):
                await me.until_agent_speaks()
                await me.wait(700)
                await me.speak(2_000, 9_000)

        call = run_call(provider, model, caller, seconds=30)
        assert call.said[-1] == "Go on."
        assert len(call.interruptions) == 2


def _audible(call: Call) -> list[int]:
    """When the agent's voice was heard."""
    pairs = zip(call.caller.times_ms, call.caller.frames, strict=True)
    return [t_ms for t_ms, frame in pairs if is_audible(frame)]


def _energy(samples: int, level: int) -> float:
    """Of a sound that a caller made, per Hz of its rate."""
    pcm = voice(samples * 1000 // 16_000, level).astype(np.float64)
    return float(pcm @ pcm) / 16_000


def _arrived_energy(call: Call) -> float:
    """Of all the sound that arrived, per Hz of its rate."""
    total = 0.0
    for one in call.sound:
        pcm = one.samples.astype(np.float64)
        total += float(pcm @ pcm) / one.rate_hz
    return total
