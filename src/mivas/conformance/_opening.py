"""How a call opens. Numbers are those of docs/failure-modes.md."""

from __future__ import annotations

import time

import pytest

from mivas.conformance._bench import run_call, run_calls, toy_pack
from mivas.conformance._ends import Caller, Room, voice
from mivas.conformance._faults import committing
from mivas.conformance._model import Model
from mivas.conformance._provider import Provider
from mivas.fakes.realtime import EachAnswer, Pause, Say, SessionView, WaitStep

HELLO = "Front desk, how can I help you?"
GREETING = "Nine Lanterns, good morning."
FIRST_WORDS_MS = 5_000
"""From the connection to the agent's first sound, doubles' own thinking included."""


class Opening:
    """The agent speaks first, soon, as itself, and once."""

    def test_01_the_agent_speaks_first_to_a_caller_who_says_nothing(self, provider: Provider) -> None:
        call = run_call(provider, Model([Say(HELLO)]), seconds=10)
        first_ms = call.first_sound_ms()
        assert first_ms is not None, "the caller heard nothing in 10 s"
        assert first_ms <= FIRST_WORDS_MS, f"the first sound came after {first_ms} ms"
        assert call.said == [HELLO]

    def test_02_a_request_to_open_that_brings_nothing_is_made_again(self, provider: Provider) -> None:
        asked = 0

        def answer(_: SessionView) -> list[Say]:
            nonlocal asked
            asked += 1
            return [Say(HELLO)] if asked == 2 else []

        call = run_call(provider, Model(EachAnswer(answer)), seconds=20)
        assert call.said == [HELLO], f"the model was asked {asked} times and the caller heard {call.said}"

    def test_03_opening_the_call_makes_no_turn_of_the_callers(self, provider: Provider) -> None:
        model = Model([Say(HELLO)])
        call = run_call(provider, model, seconds=8)
        assert call.heard == [], "the adapter tells of a turn that no caller took"
        assert model.heard == [], "the model was shown a turn that no caller took"

    def test_04_a_packs_greeting_is_what_the_caller_hears_first(self, provider: Provider) -> None:
        model = Model(EachAnswer(_as_told))
        call = run_call(provider, model, seconds=8, greeting=GREETING)
        assert call.said[:1] == [GREETING], f"the caller heard {call.said}"

    def test_05_noise_before_the_session_is_ready_delays_nothing(self, provider: Provider) -> None:
        slow = committing(provider, "slow-connect", "2000")
        model = Model([Say(HELLO)], faults=slow)
        call = run_call(provider, model, seconds=15, room=Room(noise=60))
        first_ms = call.first_sound_ms()
        assert first_ms is not None, "the caller heard nothing in 15 s"
        assert first_ms <= 2_000 + FIRST_WORDS_MS, f"the first sound came after {first_ms} ms"

    def test_06_a_provider_that_never_opens_leaves_the_line_alive(self, provider: Provider) -> None:
        """Whoever stays silent whatever it is asked: the call goes on, and the caller's turn is answered."""
        model = Model([WaitStep(until="speech"), Say(HELLO)])

        async def caller(me: Caller) -> None:
            await me.wait(8_000)
            await me.speak()

        call = run_call(provider, model, caller, seconds=25)
        assert call.ended.by == "limit", call.ended
        assert call.said == [HELLO]

    def test_07_08_what_opens_the_call_quotes_no_greeting_into_the_conversation(self, provider: Provider) -> None:
        model = Model(EachAnswer(_as_told))
        run_call(provider, model, seconds=8, greeting=GREETING)
        written = [text for view in model.views for text in view.written]
        assert not [text for text in written if GREETING in text], "the model reads its own greeting as a caller's turn"

    def test_09_six_calls_at_once_are_all_answered(self, provider: Provider) -> None:
        models = [Model([Say(HELLO)]) for _ in range(6)]
        calls = run_calls(provider, models, [None] * 6, seconds=10)
        firsts = [call.first_sound_ms() for call in calls]
        assert all(first_ms is not None and first_ms <= FIRST_WORDS_MS for first_ms in firsts), firsts

    def test_10_agents_are_not_connected_one_after_the_other_before_the_first_word(self, provider: Provider) -> None:
        slow = committing(provider, "slow-connect", "2000")
        call = run_call(provider, Model([Say(HELLO)], faults=slow), seconds=15)
        first_ms, nodes = call.first_sound_ms(), len(toy_pack().blueprint.nodes)
        assert first_ms is not None, "the caller heard nothing in 15 s"
        assert first_ms < nodes * 2_000 - 1_000, f"the first sound came after {first_ms} ms, {nodes} connections"

    def test_11_picking_up_does_not_block_the_calls_beside_it(self, provider: Provider) -> None:
        run_call(provider, Model([Say(HELLO)]), seconds=2)  # whatever is loaded, is loaded now
        began_s = time.monotonic()
        run_call(provider, Model([Say(HELLO)]), seconds=0.02)
        assert time.monotonic() - began_s < 1.0

    def test_12_the_second_pack_of_a_process_greets_as_itself(self, provider: Provider) -> None:
        for greeting in (GREETING, "Tin and Wick, hello.", None):
            model = Model(EachAnswer(_as_told))
            call = run_call(provider, model, seconds=8, greeting=greeting)
            assert call.said[:1] == [greeting or HELLO]

    def test_without_a_greeting_the_model_gets_its_prompt_and_no_more(self, provider: Provider) -> None:
        model = Model([Say(HELLO)])
        run_call(provider, model, seconds=5)
        assert model.views[0].instructions.strip() == toy_pack().blueprint.entry.instructions.strip()

    @pytest.mark.parametrize("silence_ms", [0, 1_500])
    def test_a_caller_who_speaks_at_once_is_answered_too(self, provider: Provider, silence_ms: int) -> None:
        model = Model([Pause(10), Say(HELLO), WaitStep(until="speech"), Say("Which lantern?")])

        async def caller(me: Caller) -> None:
            await me.wait(silence_ms)
            me.playout.say("caller", voice(1200))
            await me.until_agent_spoke()
            await me.speak()

        call = run_call(provider, model, caller, seconds=25)
        assert call.said, "the caller heard nothing"


def _as_told(session: SessionView) -> list[Say]:
    """A model that begins with the words it is told to, and has its own where there are none."""
    known = (GREETING, "Tin and Wick, hello.")
    return [Say(next((greeting for greeting in known if greeting in session.instructions), HELLO))]
