"""The real-time core against a provider without a wire. Numbers are those of failure-modes.md."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

import numpy as np
import pytest

from mivas.harness.realtime import SessionCapabilities
from mivas.harness.realtime._events import (
    AgentSound,
    AgentWords,
    CallerSpeechStarted,
    CallerSpeechStopped,
    CallerWords,
    CancelResponse,
    Configure,
    GoingAway,
    ProviderError,
    Respond,
    ResponseEnded,
    ResponseStarted,
    Seed,
    SendSound,
    SendToolOutput,
    SessionClosed,
    ToolCalled,
    Truncate,
    Unreadable,
)
from mivas.line.spoken import BUS_HZ

RECONNECTS = SessionCapabilities(input_hz=BUS_HZ, output_hz=BUS_HZ, handoff="reconnect")


def test_01_02_the_agent_is_asked_to_speak_first_and_asked_again(realtime: Any) -> None:
    asked = 0

    def script(_session: Any, command: Any) -> list[Any]:
        nonlocal asked
        asked += isinstance(command, Respond)
        return realtime.spoken("i1", "Good morning.") if isinstance(command, Respond) and asked == 3 else []

    call = realtime.run_call(realtime.Provider(script), seconds=20)
    assert call.said == ["Good morning."]
    assert [t_ms // 1000 for t_ms, command in call.provider.commands if isinstance(command, Respond)] == [0, 3, 6]


def test_01_an_agent_that_never_opens_is_asked_five_times(realtime: Any) -> None:
    call = realtime.run_call(realtime.Provider(), seconds=40)
    assert len(call.provider.of(Respond)) == 5
    assert "never_opened" in call.notes()


def test_03_asking_to_speak_makes_no_phantom_turn(realtime: Any) -> None:
    call = realtime.run_call(realtime.Provider(), seconds=5)
    assert {type(command) for _, command in call.provider.commands} == {Configure, Respond, SendSound}


def test_04_the_packs_greeting_stands_in_the_prompt_of_the_opening_node_only(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        return realtime.calling("c1", "to_back") if isinstance(command, Respond) and command.opening else []

    call = realtime.run_call(realtime.Provider(script), seconds=5, greeting="Toy speaking.")
    first, second = (one.instructions for one in call.provider.of(Configure))
    assert "Toy speaking." in first
    assert second == "You are back."


def test_05_sound_before_the_session_is_ready_is_kept_for_a_second_and_sent_in_order(realtime: Any) -> None:
    class Slow(realtime.Provider):  # type: ignore[misc, name-defined]
        pass

    provider = Slow()
    connect = provider.connect

    def slow_connect() -> Any:
        session = connect()
        opened = session.open

        async def open_late() -> None:
            await asyncio.sleep(3)
            await opened()

        session.open = open_late
        return session

    provider.connect = slow_connect

    async def speak(call: Any) -> None:
        call.caller.playout.say("hello", np.arange(1, 16_001, dtype=np.int16))
        await asyncio.sleep(2.9)
        call.caller.playout.say("again", np.full(1600, 77, dtype=np.int16))

    call = realtime.run_call(provider, seconds=4, during=speak)
    sent = np.concatenate([np.frombuffer(one.pcm, dtype="<i2") for one in provider.of(SendSound)])
    assert 0 < len(sent) <= BUS_HZ * 2.1
    assert (sent == 77).sum() == 1600
    assert call.provider.commands[0][0] >= 3000


def speech(call: Any, ms: int, level: int = 4000) -> None:
    call.caller.playout.say("caller", np.frombuffer(_tone(ms, level), dtype="<i2").astype(np.int16))


def _tone(ms: int, level: int) -> bytes:
    t = np.arange(BUS_HZ * ms // 1000)
    return np.asarray(np.sin(t / 9) * level, dtype="<i2").tobytes()


def long_answer(realtime: Any) -> Any:
    def script(_session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond) and command.opening:
            return [
                ResponseStarted(response="r1"),
                AgentWords(item="i1", text="one two three four five six seven eight nine ten"),
                *(AgentSound(item="i1", pcm=realtime.sound(100)) for _ in range(100)),
            ]
        return []

    return script


def test_13_a_burst_is_played_at_the_pace_of_speech(realtime: Any) -> None:
    call = realtime.run_call(realtime.Provider(long_answer(realtime)), seconds=5)
    heard = np.concatenate(call.caller.heard)
    loud = np.abs(heard.reshape(-1, 320)).max(axis=1) > 0
    assert loud[5:].all()
    assert len(heard) / BUS_HZ <= 5.1


def test_barge_in_cuts_the_voice_and_tells_how_much_was_heard(realtime: Any) -> None:
    async def barge(call: Any) -> None:
        await asyncio.sleep(4)
        call.provider.sessions[-1].push(CallerSpeechStarted())

    call = realtime.run_call(realtime.Provider(long_answer(realtime)), seconds=6, during=barge)
    [truncated] = call.provider.of(Truncate)
    assert truncated.item == "i1"
    assert 3900 <= truncated.heard_ms <= 4040
    assert call.interruptions
    assert call.interruptions[0][0] == "caller"
    assert call.playout.spoken[0].heard_text.split() == ["one", "two", "three", "four"]
    after = np.concatenate(call.caller.heard)[int(BUS_HZ * 4.1) :]
    assert not after.any()


def test_late_sound_of_an_answer_that_was_cut_is_not_played(realtime: Any) -> None:
    async def barge(call: Any) -> None:
        await asyncio.sleep(2)
        session = call.provider.sessions[-1]
        session.push(CallerSpeechStarted(), AgentSound(item="i1", pcm=realtime.sound(1000)))

    call = realtime.run_call(realtime.Provider(long_answer(realtime)), seconds=5, during=barge)
    assert not np.concatenate(call.caller.heard)[int(BUS_HZ * 2.2) :].any()


def test_a_provider_that_does_not_stop_by_itself_is_told_to(realtime: Any) -> None:
    capabilities = SessionCapabilities(input_hz=BUS_HZ, output_hz=BUS_HZ, handoff="swap", stops_by_itself=False)

    async def barge(call: Any) -> None:
        await asyncio.sleep(2)
        call.provider.sessions[-1].push(CallerSpeechStarted())

    provider = realtime.Provider(long_answer(realtime), capabilities)
    call = realtime.run_call(provider, seconds=4, during=barge)
    assert len(call.provider.of(CancelResponse)) == 1


def test_15_16_17_an_echo_reaches_the_provider_as_silence_and_mutes_nobody(realtime: Any) -> None:
    async def echo(call: Any) -> None:
        await asyncio.sleep(1)
        speech(call, 2000, level=400)

    call = realtime.run_call(realtime.Provider(long_answer(realtime)), seconds=5, during=echo)
    sent = np.concatenate([np.frombuffer(one.pcm, dtype="<i2") for one in call.provider.of(SendSound)])
    assert not sent.any()
    assert not call.interruptions
    assert np.abs(np.concatenate(call.caller.heard)[-BUS_HZ:]).max() > 1000


def test_18_a_loud_caller_gets_through_with_the_soft_beginning_of_its_word(realtime: Any) -> None:
    async def interject(call: Any) -> None:
        await asyncio.sleep(1)
        speech(call, 100, level=300)
        speech(call, 500, level=6000)

    call = realtime.run_call(realtime.Provider(long_answer(realtime)), seconds=3, during=interject)
    sent = np.concatenate([np.frombuffer(one.pcm, dtype="<i2") for one in call.provider.of(SendSound)])
    assert (np.abs(sent) > 0).sum() > BUS_HZ * 0.58


def test_20_sound_flows_between_turns_so_no_idle_socket_is_closed(realtime: Any) -> None:
    call = realtime.run_call(realtime.Provider(), seconds=4)
    times = [t_ms for t_ms, command in call.provider.commands if isinstance(command, SendSound)]
    assert max(b - a for a, b in itertools.pairwise(times)) <= 40


def test_25_a_tool_is_carried_out_and_its_result_answered_once(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond):
            return (
                realtime.calling("c1", "look_up", '{"what": 1}') if command.opening else realtime.spoken("i1", "Yes.")
            )
        return []

    call = realtime.run_call(realtime.Provider(script), seconds=5)
    assert call.tools.used == [("look_up", {"what": 1}, "front")]
    [output] = call.provider.of(SendToolOutput)
    assert json.loads(output.output) == {"ok": True, "data": {"found": "look_up"}}
    assert [one.opening for one in call.provider.of(Respond)] == [True, False]
    assert call.said == ["Yes."]


def test_several_calls_of_one_answer_run_in_order_and_ask_for_one_answer(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond) and command.opening:
            return [
                ResponseStarted(response="r"),
                *(ToolCalled(call=f"c{n}", name="look_up", arguments=json.dumps({"n": n})) for n in range(3)),
                ResponseEnded(response="r", status="completed"),
            ]
        return []

    call = realtime.run_call(realtime.Provider(script), seconds=2, tools=realtime.Tools(slow_s=0.1))
    assert [arguments["n"] for _, arguments, _ in call.tools.used] == [0, 1, 2]
    assert len(call.provider.of(Respond)) == 2


def test_26_27_a_tool_of_another_node_is_refused_and_never_posted(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        return realtime.calling("c1", "fetch_person") if isinstance(command, Respond) and command.opening else []

    call = realtime.run_call(realtime.Provider(script), seconds=2)
    assert call.tools.used == []
    assert json.loads(call.provider.of(SendToolOutput)[0].output)["success"] is False


def test_28_a_swap_configures_then_answers_then_asks_once(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        return realtime.calling("c1", "to_back") if isinstance(command, Respond) and command.opening else []

    call = realtime.run_call(realtime.Provider(script), seconds=3)
    kinds = [type(command) for _, command in call.provider.commands if not isinstance(command, SendSound)]
    assert kinds == [Configure, Respond, Configure, SendToolOutput, Respond]
    second = call.provider.of(Configure)[1]
    assert not second.first
    assert [tool.name for tool in second.tools] == ["look_up", "end_call", "fetch_person"]
    assert call.desk.node.id == "back"


def test_28_31_a_transfer_by_reconnection_seeds_the_next_session_and_sends_no_stale_result(realtime: Any) -> None:
    def script(session: Any, command: Any) -> list[Any]:
        first = session is session.provider.sessions[0]
        if isinstance(command, Respond) and command.opening:
            return [*realtime.spoken("i1", "Good morning."), CallerWords(item="u1", text="The other desk, please.")]
        if isinstance(command, Respond) and not first:
            return realtime.spoken("i2", "Back desk here.")
        return []

    async def transfer(call: Any) -> None:
        await asyncio.sleep(2)
        call.provider.sessions[0].push(*realtime.calling("c1", "to_back"))

    call = realtime.run_call(realtime.Provider(script, RECONNECTS), seconds=8, during=transfer)
    old, new = call.provider.sessions
    assert old.closed
    assert call.provider.of(SendToolOutput) == []
    [seed] = call.provider.of(Seed)
    assert [(turn.role, turn.text) for turn in seed.turns] == [
        ("agent", "Good morning."), ("caller", "The other desk, please.")
    ]  # fmt: skip
    assert new.sent[0].instructions == "You are back."
    assert call.said == ["Good morning.", "Back desk here."]


def test_29_barge_in_during_a_transfer_does_not_lose_it(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond) and command.opening:
            return [
                ResponseStarted(response="r"),
                AgentWords(item="i1", text="I will put you through"),
                *(AgentSound(item="i1", pcm=realtime.sound(100)) for _ in range(30)),
                ToolCalled(call="c1", name="to_back", arguments="{}"),
                CallerSpeechStarted(),
                ResponseEnded(response="r", status="cancelled"),
                CallerSpeechStopped(),
            ]
        return []

    call = realtime.run_call(realtime.Provider(script), seconds=3)
    assert call.desk.node.id == "back"
    assert len(call.provider.of(SendToolOutput)) == 1


def ending(realtime: Any, *events: Any) -> Any:
    def script(_session: Any, command: Any) -> list[Any]:
        return list(events) if isinstance(command, Respond) and command.opening else []

    return script


def test_42_the_goodbye_is_heard_before_the_line_is_dead(realtime: Any) -> None:
    events = [
        ResponseStarted(response="r"),
        AgentWords(item="i1", text="Goodbye and thank you"),
        *(AgentSound(item="i1", pcm=realtime.sound(100)) for _ in range(40)),
        ToolCalled(call="c1", name="end_call", arguments="{}"),
        ResponseEnded(response="r", status="completed"),
    ]
    call = realtime.run_call(realtime.Provider(ending(realtime, *events)), seconds=30)
    assert call.ended is not None
    assert call.ended[:2] == ("agent", "end_call")
    assert call.said == ["Goodbye and thank you"]
    assert call.playout.spoken[0].heard_ms == 4000
    assert 5000 <= call.ended[2] <= 5200
    assert len(call.provider.of(Respond)) == 1


def test_43_an_agent_that_ends_before_it_said_goodbye_is_waited_for(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond):
            return realtime.calling("c1", "end_call") if command.opening else []
        return []

    async def late(call: Any) -> None:
        await asyncio.sleep(3)
        call.provider.sessions[0].push(*realtime.spoken("i1", "Goodbye.", 1000))

    def thinking(_session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond) and not command.opening:
            return [ResponseStarted(response="late")]
        return script(_session, command)

    call = realtime.run_call(realtime.Provider(thinking), seconds=30, during=late)
    assert call.said == ["Goodbye."]
    assert call.ended is not None
    assert call.ended[0] == "agent"
    assert call.ended[2] >= 5000


def test_42_a_call_that_is_over_ends_at_the_cap_whatever_the_provider_does(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond) and not command.opening:
            return [ResponseStarted(response="for ever")]
        return realtime.calling("c1", "end_call") if isinstance(command, Respond) else []

    call = realtime.run_call(realtime.Provider(script), seconds=60)
    assert call.ended is not None
    assert call.ended[0] == "agent"
    assert 20_000 <= call.ended[2] <= 20_200


def test_44_only_the_first_end_counts(realtime: Any) -> None:
    events = [
        ResponseStarted(response="r"),
        ToolCalled(call="c1", name="end_call", arguments="{}"),
        ToolCalled(call="c2", name="end_call", arguments="{}"),
        ResponseEnded(response="r", status="completed"),
    ]
    call = realtime.run_call(realtime.Provider(ending(realtime, *events)), seconds=30)
    outputs = [json.loads(one.output)["success"] for one in call.provider.of(SendToolOutput)]
    assert outputs == [True, False]


def test_37_a_lost_session_is_taken_up_again_with_what_was_said(realtime: Any) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        return realtime.spoken("i1", "Good morning.") if isinstance(command, Respond) and command.opening else []

    async def cut(call: Any) -> None:
        await asyncio.sleep(3)
        call.provider.sessions[0].push(SessionClosed(code=1011, reason="internal"))

    call = realtime.run_call(realtime.Provider(script), seconds=8, during=cut)
    assert len(call.provider.sessions) == 2
    assert call.provider.of(Seed)[0].turns[0].text == "Good morning."
    assert "session_resumed" in call.notes()
    assert call.ended is None
    times = [t_ms for t_ms, command in call.provider.commands if isinstance(command, SendSound)]
    assert max(times) > 7000


def test_a_session_that_is_going_away_is_replaced_before_it_is_cut(realtime: Any) -> None:
    async def warn(call: Any) -> None:
        await asyncio.sleep(2)
        call.provider.sessions[0].push(GoingAway(in_ms=60_000))

    call = realtime.run_call(realtime.Provider(), seconds=5, during=warn)
    assert len(call.provider.sessions) == 2
    assert call.provider.sessions[0].closed


def test_a_provider_that_keeps_dropping_the_call_is_no_failure_of_the_model(realtime: Any) -> None:
    def script(session: Any, command: Any) -> list[Any]:
        return [SessionClosed(code=1011, reason="")] if isinstance(command, Configure) else []

    call = realtime.run_call(realtime.Provider(script), seconds=20)
    assert call.ended is not None
    assert call.ended[0] == "provider"
    assert len(call.provider.sessions) == 4


def test_40_no_capacity_is_no_failure_of_the_model(realtime: Any) -> None:
    events = [
        ResponseStarted(response="r"),
        ResponseEnded(response="r", status="failed", reason="rate_limit_exceeded"),
    ]
    call = realtime.run_call(realtime.Provider(ending(realtime, *events)), seconds=20)
    assert call.ended is not None
    assert call.ended[:2] == ("provider", "the provider has no capacity (rate_limit_exceeded)")


def test_a_refused_connection_ends_the_call_as_the_providers(realtime: Any) -> None:
    provider = realtime.Provider(refusals=["connection refused with HTTP 429"])
    call = realtime.run_call(provider, seconds=20)
    assert call.ended is not None
    assert call.ended[:2] == ("provider", "connection refused with HTTP 429")


@pytest.mark.parametrize("arguments", ["{", "[1]", '"x"', "nul", "{" * 100_000])
def test_broken_arguments_are_an_error_result(realtime: Any, arguments: str) -> None:
    def script(_session: Any, command: Any) -> list[Any]:
        opening = isinstance(command, Respond) and command.opening
        return realtime.calling("c1", "look_up", arguments) if opening else []

    call = realtime.run_call(realtime.Provider(script), seconds=2)
    assert call.tools.used == []
    assert json.loads(call.provider.of(SendToolOutput)[0].output)["success"] is False
    assert "malformed_arguments" in call.notes()


def test_endless_tool_calls_of_one_answer_are_contained(realtime: Any) -> None:
    events = [
        ResponseStarted(response="r"),
        *(ToolCalled(call=f"c{n}", name="look_up", arguments="{}") for n in range(500)),
        ResponseEnded(response="r", status="completed"),
    ]
    call = realtime.run_call(realtime.Provider(ending(realtime, *events)), seconds=5)
    assert len(call.tools.used) == 32
    assert "too_many_tools" in call.notes()


def test_complaints_and_nonsense_are_notes(realtime: Any) -> None:
    async def complain(call: Any) -> None:
        call.provider.sessions[0].push(
            ProviderError(code="bad_item", text="no such item", fatal=False), Unreadable(text="no JSON")
        )

    call = realtime.run_call(realtime.Provider(), seconds=3, during=complain)
    assert {"provider_error", "unreadable_event"} <= set(call.notes())
    assert call.ended is None


def test_38_the_callers_words_are_what_the_provider_made_of_them(realtime: Any) -> None:
    async def talk(call: Any) -> None:
        await asyncio.sleep(1)
        call.provider.sessions[0].push(CallerWords(item="u1", text="my kettle leaks"))

    assert realtime.run_call(realtime.Provider(), seconds=3, during=talk).heard == ["my kettle leaks"]


def quick_answer(realtime: Any) -> Any:
    """An answer that is there whole long before it is played, as providers send them."""

    def script(_session: Any, command: Any) -> list[Any]:
        opening = isinstance(command, Respond) and command.opening
        return realtime.spoken("i1", "one two three four five six seven eight nine ten", 10_000) if opening else []

    return script


def test_an_answer_that_came_whole_is_cut_like_any_other(realtime: Any) -> None:
    async def barge(call: Any) -> None:
        await asyncio.sleep(4)
        call.provider.sessions[0].push(CallerSpeechStarted())
        await asyncio.sleep(1)
        call.provider.sessions[0].push(SessionClosed(code=1011, reason="internal"))

    call = realtime.run_call(realtime.Provider(quick_answer(realtime)), seconds=8, during=barge)
    [truncated] = call.provider.of(Truncate)
    assert 3900 <= truncated.heard_ms <= 4040
    [seed] = call.provider.of(Seed)
    assert [turn.text for turn in seed.turns] == ["one two three four"]


def test_what_was_dropped_before_it_began_is_not_remembered(realtime: Any) -> None:
    async def barge(call: Any) -> None:
        await asyncio.sleep(2)
        call.provider.sessions[0].push(*realtime.spoken("i2", "and another thing"), CallerSpeechStarted())
        await asyncio.sleep(1)
        call.provider.sessions[0].push(SessionClosed(code=1011, reason="internal"))

    call = realtime.run_call(realtime.Provider(quick_answer(realtime)), seconds=8, during=barge)
    assert [turn.text for turn in call.provider.of(Seed)[0].turns] == ["one two"]
    assert [one.item for one in call.provider.of(Truncate)] == ["i1"]


def test_a_session_that_is_lost_while_the_agent_speaks_leaves_no_open_mouth(realtime: Any) -> None:
    async def cut(call: Any) -> None:
        await asyncio.sleep(1)
        call.provider.sessions[0].push(SessionClosed(code=1011, reason="internal"))

    call = realtime.run_call(realtime.Provider(long_answer(realtime)), seconds=15, during=cut)
    assert not call.playout.speaking
    assert call.provider.of(Seed)[0].turns[0].text.startswith("one two three")


def test_a_native_session_swaps_and_asks_by_itself(realtime: Any) -> None:
    native = SessionCapabilities(input_hz=BUS_HZ, output_hz=BUS_HZ, handoff="native")

    def script(_session: Any, command: Any) -> list[Any]:
        return realtime.calling("c1", "to_back") if isinstance(command, Respond) and command.opening else []

    call = realtime.run_call(realtime.Provider(script, native), seconds=3)
    kinds = [type(command) for _, command in call.provider.commands if not isinstance(command, SendSound)]
    assert kinds == [Configure, Respond, SendToolOutput]
    assert call.desk.node.id == "back"


def test_a_session_that_confirms_nothing_is_used_all_the_same(realtime: Any) -> None:
    def script(session: Any, command: Any) -> list[Any]:
        if isinstance(command, Configure):
            while not session.queue.empty():  # what confirms it is lost
                session.queue.get_nowait()
        return realtime.spoken("i1", "Good morning.") if isinstance(command, Respond) else []

    call = realtime.run_call(realtime.Provider(script), seconds=12)
    assert "unacknowledged" in call.notes()
    assert call.said == ["Good morning."]


def test_37_an_answer_that_was_cut_off_with_its_session_is_asked_for_again(realtime: Any) -> None:
    def script(session: Any, command: Any) -> list[Any]:
        if isinstance(command, Respond) and session is not session.provider.sessions[0]:
            return realtime.spoken("i2", "As I was saying.")
        return long_answer(realtime)(session, command)

    async def cut(call: Any) -> None:
        await asyncio.sleep(1)
        call.provider.sessions[0].push(SessionClosed(code=1011, reason="internal"))

    call = realtime.run_call(realtime.Provider(script), seconds=15, during=cut)
    assert [one.opening for one in call.provider.of(Respond)] == [True, False]
    assert call.said[-1] == "As I was saying."


def test_sound_that_had_to_wait_goes_in_one_piece_and_none_is_lost(realtime: Any) -> None:
    provider = realtime.Provider()
    connect = provider.connect

    def stalling() -> Any:
        session = connect()
        send = session.send

        async def slow_send(command: Any) -> None:
            await send(command)
            if isinstance(command, SendSound) and len(session.sent) == 10:
                await asyncio.sleep(0.5)

        session.send = slow_send
        return session

    provider.connect = stalling
    call = realtime.run_call(provider, seconds=3)
    lengths = [len(one.pcm) for one in call.provider.of(SendSound)]
    assert sum(lengths) >= 2 * BUS_HZ * 2.9
    assert 10 * 640 < max(lengths) <= 26 * 640
    assert lengths.count(640) >= len(lengths) - 2
