"""The conformance list of runtime.md 20, by its numbers: what concerns CHIRP and the dispatch of tools.

Items 14 to 16 are the state service's own, in tests/state; 17 is tests/cli/test_answer_command.py.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from mivas.answer import Credentials, RemoteState
from mivas.fakes.realtime import CallStep, EachAnswer, Fault, PlannedSession, Say, WaitStep, anew
from mivas.harness.realtime._events import Respond
from mivas.state import load_snapshot_store

HELLO = "Welcome to Copper Kettle Repairs, hello."
GOODBYE = "Your repair is booked. Goodbye and have a nice day."
HAND_OVER = CallStep(tool="handoff_to_scheduler", kind="handoff")
END = CallStep(tool="end_call", kind="end", arguments={"reason": "done"})


def book(date: str = "08/15/2026", **more: Any) -> CallStep:
    return CallStep(tool="schedule_appointment", arguments={"date": date}, **more)


BOOKING = (Say(HELLO), WaitStep(), HAND_OVER, book(), Say(GOODBYE), END)
SILENT_AFTER_HELLO = (Say(HELLO),)


async def asks_for_a_repair(phone: Any) -> None:
    await asyncio.sleep(4)
    phone.say()


def kinds(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


def test_item_01_with_credentials_strangers_are_refused_before_the_upgrade(chirp: Any) -> None:
    async def main() -> None:
        credentials = Credentials(user="u", password="p:ä")
        async with chirp.office(SILENT_AFTER_HELLO, credentials=credentials) as office:
            for user in (None, "u:wrong", "nobody:p:ä", "u", ""):
                with pytest.raises(InvalidStatus) as refused:
                    await chirp.Phone(office.url, user=user).call(1)
                assert refused.value.response.status_code == 401
                assert refused.value.response.headers["WWW-Authenticate"].startswith("Basic")
            assert (await chirp.Phone(office.url, user="u:p:ä").call(3)).sound
            assert office.call_ids() == ["675"]

    chirp.virtually(main())


@pytest.mark.parametrize("name", ["X-Simulation-Result-Id", "x-simulation-result-id", "X-SIMULATION-RESULT-ID"])
def test_item_01_without_credentials_all_may_call_and_header_names_have_no_case(chirp: Any, name: str) -> None:
    async def main() -> None:
        async with chirp.office(SILENT_AFTER_HELLO) as office:
            assert (await chirp.Phone(office.url, call_id=None, headers={name: "9-a_Z"}, user="any:one").call(2)).sound
            assert office.call_ids() == ["9-a_Z"]

    chirp.virtually(main())


@pytest.mark.parametrize("given", [None, "", "../../etc/passwd", "a.b", "x" * 65])
def test_item_02_a_missing_or_unfit_id_is_minted(chirp: Any, given: str | None) -> None:
    async def main() -> None:
        async with chirp.office(BOOKING) as office:
            phone = await chirp.Phone(office.url, call_id=given).call(during=asks_for_a_repair)
            await office.settled()
            [call_id] = office.call_ids()
            assert re.fullmatch("call_[0-9a-f]{12}", call_id)
            assert phone.close_code == 1000
            assert [row["date"] for row in office.state(call_id)["appointments"]] == ["08/15/2026"]

    chirp.virtually(main())


def cut_odd(frame: bytes) -> list[bytes]:
    """The same sound in frames of every kind, the odd ones with a byte too many."""
    return [frame[:2], b"", frame[2:4] + b"\x7f", b"\x7f", frame[4:100], frame[100:] + b"\x7f"]


def test_item_03_sound_is_16_khz_both_ways_whatever_the_frames_and_no_text_is_needed(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office(BOOKING) as office:
            phone = await chirp.Phone(office.url, frame_bytes=cut_odd).call(during=asks_for_a_repair)
            await office.settled()
            assert phone.close_code == 1000
            assert {len(data) for _, data in phone.sound} == {640}
            said_ms = 60 * (len(HELLO) + len(GOODBYE))
            assert 0.7 * said_ms < phone.spoken_ms <= said_ms + 200  # the buzz has gaps between words
            assert office.state("675")["appointments"]

    chirp.virtually(main())


def test_item_03_many_frames_at_once_are_one_sound(chirp: Any) -> None:
    async def main() -> None:
        held: list[bytes] = []

        def in_bursts(frame: bytes) -> list[bytes]:
            held.append(frame)
            if len(held) < 10:
                return []
            burst = b"".join(held)
            held.clear()
            return [burst]

        async with chirp.office(BOOKING) as office:
            await chirp.Phone(office.url, frame_bytes=in_bursts).call(during=asks_for_a_repair)
            await office.settled()
            assert office.state("675")["appointments"]

    chirp.virtually(main())


def test_item_04_the_agent_speaks_first(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office(SILENT_AFTER_HELLO) as office:
            phone = await chirp.Phone(office.url).call(4)
            assert phone.sound[0][0] < 2_000
            assert phone.spoken_ms > 1_000

    chirp.virtually(main())


def test_item_04_a_lost_first_nudge_is_retried(chirp: Any) -> None:
    lost: list[Respond] = []

    def losing(maker: Any) -> Any:
        def pick_up(line: Any) -> Any:
            agent = maker(line)
            send = agent._session.send

            async def send_all_but_the_first(command: Any) -> None:
                if isinstance(command, Respond) and not lost:
                    lost.append(command)
                else:
                    await send(command)

            agent._session.send = send_all_but_the_first
            return agent

        return pick_up

    async def main() -> None:
        async with chirp.office(SILENT_AFTER_HELLO, make_agent=losing) as office:
            phone = await chirp.Phone(office.url).call(8)
            assert lost
            assert 3_000 < phone.sound[0][0] < 5_000
            assert len(office.double.of_type("response.create")) == 1

    chirp.virtually(main())


def test_item_04_a_first_nudge_that_is_answered_with_nothing_is_retried(chirp: Any) -> None:
    async def main() -> None:
        answers = iter([(), (Say(HELLO),)])
        brain = EachAnswer(lambda _: next(answers, ()))
        async with chirp.office(plan=lambda _: PlannedSession(brain=brain)) as office:
            phone = await chirp.Phone(office.url).call(8)
            assert 3_000 < phone.sound[0][0] < 5_000
            assert len(office.double.of_type("response.create")) == 2

    chirp.virtually(main())


def test_item_05_speech_is_balanced_when_nobody_is_cut_off(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office(BOOKING) as office:
            phone = await chirp.Phone(office.url).call(during=asks_for_a_repair)
            await office.settled()
            chirp.balanced(phone)
            assert len(phone.utterances) == 4
            assert phone.order[0] == "speech.started", "an utterance is announced before its sound"
            assert phone.order[-1] == "speech.completed"

    chirp.virtually(main())


def test_item_05_speech_is_balanced_after_barge_in_and_at_the_cap(chirp: Any) -> None:
    async def main() -> None:
        async def interrupts(phone: Any) -> None:
            await asyncio.sleep(2)
            phone.say("stop stop stop", 3.0)

        steps = (Say("blah " * 60), WaitStep(), Say("blah " * 200))
        async with chirp.office(steps, longest_call_s=12.0) as office:
            phone = await chirp.Phone(office.url).call(during=interrupts)
            await office.settled()
            chirp.balanced(phone)
            assert len(phone.utterances) == 4
            (_, first), (completed_ms, _) = phone.texts[:2]
            assert first["type"] == "speech.started"
            assert completed_ms < 5_000, "barge-in ends the utterance, not its own length of 18 s"
            assert phone.close_code == 1000
            assert 11_500 < phone.closed_ms < 14_500
            ended = office.events("675")[-1]
            assert (ended["type"], ended["by"]) == ("call.ended", "limit")

    chirp.virtually(main())


def test_item_06_the_agents_sound_is_paced(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office((Say("a long sentence " * 20),)) as office:  # the double makes it four times as fast
            phone = await chirp.Phone(office.url).call(25)
            times = [at_ms for at_ms, _ in phone.sound]
            assert len(times) > 700
            assert max(later - earlier for earlier, later in itertools.pairwise(times)) <= 60
            assert max(20 * number - (at_ms - times[0]) for number, at_ms in enumerate(times, start=1)) <= 200

    chirp.virtually(main())


@pytest.mark.parametrize(("level", "cut"), [(None, False), (0.05, False), (3.0, True)])
def test_item_07_echo_does_not_cut_the_agent_and_loud_speech_does(chirp: Any, level: float | None, cut: bool) -> None:
    async def main() -> None:
        async def while_the_agent_speaks(phone: Any) -> None:
            await asyncio.sleep(3)
            phone.text(json.dumps({"type": "speech.started", "id": "1", "ts_ms": 1, "data": {"utterance_id": "u_1"}}))
            if level is not None:
                phone.say("words words words", level)
            await asyncio.sleep(1)
            phone.text(json.dumps({"type": "speech.completed", "id": "2", "ts_ms": 2, "data": {}}))

        async with chirp.office((Say("blah " * 40),)) as office:
            phone = await chirp.Phone(office.url).call(16, during=while_the_agent_speaks)
            assert bool(kinds(office.events("675"), "interruption")) is cut
            assert (phone.spoken_ms < 6_000) is cut

    chirp.virtually(main())


def test_item_08_end_call_lets_the_goodbye_be_heard_and_closes_with_1000(chirp: Any) -> None:
    async def main() -> None:
        async with chirp.office(BOOKING) as office:
            phone = await chirp.Phone(office.url).call(during=asks_for_a_repair)
            await office.settled()
            assert phone.close_code == 1000
            (started, _), (completed, _) = phone.texts[-2:]
            assert completed - started >= 60 * len(GOODBYE) - 60
            assert phone.closed_ms >= completed
            ended = office.events("675")[-1]
            assert (ended["by"], ended["reason"]) == ("agent", "end_call")

    chirp.virtually(main())


@pytest.mark.parametrize("seconds", [0, 0.01, 0.31, 1.0, 4.5, 6.0, 7.3, 9.0])
def test_item_08_a_caller_may_hang_up_at_any_instant(chirp: Any, seconds: float) -> None:
    async def main() -> None:
        async with chirp.office(BOOKING) as office:
            await chirp.Phone(office.url).call(seconds, during=asks_for_a_repair)
            await office.settled()
            events = office.events("675")
            ended = events[-1]
            assert (ended["type"], ended["by"]) == ("call.ended", "caller")
            assert kinds(events, "error") == []
            assert office.state("675") is not None
            assert (await chirp.Phone(office.url, call_id="next").call(3)).sound, "the line is free again"

    chirp.virtually(main())


def remote(answers: list[Any], seen: list[httpx.Request], folder: Any) -> Any:
    """A state service at a URL: each tool call takes the next answer."""

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if request.url.path == "/state":
            return httpx.Response(200, json={"appointments": []})
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, body = answer
        return httpx.Response(status, content=body) if isinstance(body, bytes) else httpx.Response(status, json=body)

    client = httpx.AsyncClient(transport=httpx.MockTransport(handle))
    return lambda _: RemoteState("http://tools.test/", client, load_snapshot_store("local")(folder))


def test_item_09_a_tool_call_is_a_post_with_the_right_id(chirp: Any) -> None:
    async def main() -> None:
        seen: list[httpx.Request] = []
        answers = [(200, {"success": True, "date": "08/15/2026"})]
        async with chirp.office(BOOKING, state=remote(answers, seen, chirp.folder)) as office:
            await chirp.Phone(office.url, call_id="41").call(during=asks_for_a_repair)
        posts = [one for one in seen if one.method == "POST"]
        assert [one.url.path for one in posts] == ["/tools/schedule_appointment"], "a handoff is never posted"
        assert posts[0].headers["X-Mivas-Call-Id"] == "41"
        assert posts[0].headers["X-Mivas-Node"] == "scheduler"
        assert posts[0].headers["Idempotency-Key"]
        assert json.loads(posts[0].content) == {"arguments": {"date": "08/15/2026"}}

    chirp.virtually(main())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((200, {"success": False, "error": "no such day"}), {"success": False, "error": "no such day"}),
        ((404, {"detail": "unknown tool"}), {"detail": "unknown tool"}),
        ((400, {"detail": "missing X-Mivas-Call-Id"}), {"detail": "missing X-Mivas-Call-Id"}),
        (httpx.ReadTimeout("slow"), {"success": False, "error": "ToolsUnreachable: ReadTimeout"}),
        (httpx.ConnectError("gone"), {"success": False, "error": "ToolsUnreachable: ConnectError"}),
        ((502, b"<html>"), {"success": False, "error": "ToolsUnreachable: no JSON (JSONDecodeError)"}),
        ((200, b"[1]"), {"success": False, "error": "ToolsUnreachable: no JSON object"}),
    ],
)
def test_item_09_whatever_a_tool_answers_reaches_the_model_and_the_call_goes_on(
    chirp: Any, answer: Any, told: dict[str, Any]
) -> None:
    async def main() -> None:
        seen: list[httpx.Request] = []
        steps = (Say(HELLO), WaitStep(), HAND_OVER, book(), book("08/16/2026"), Say(GOODBYE), END)
        answers = [answer, (200, {"success": True, "date": "08/16/2026"})]
        async with chirp.office(steps, state=remote(answers, seen, chirp.folder)) as office:
            phone = await chirp.Phone(office.url).call(during=asks_for_a_repair)
            await office.settled()
            outputs = [
                json.loads(one["item"]["output"])
                for one in office.double.of_type("conversation.item.create")
                if one["item"]["type"] == "function_call_output"
            ]
            assert told in outputs
            assert {"success": True, "date": "08/16/2026"} in outputs
            assert phone.close_code == 1000

    chirp.virtually(main())


def test_item_10_after_a_handoff_the_target_has_exactly_its_own(chirp: Any) -> None:
    async def main() -> None:
        early = book(withheld=("schedule_appointment",), offered=("handoff_to_scheduler",))
        late = book(withheld=("handoff_to_scheduler",), offered=("schedule_appointment", "end_call"))
        steps = (Say(HELLO), WaitStep(), early, HAND_OVER, late, Say(GOODBYE), END)
        async with chirp.office(steps) as office:
            await chirp.Phone(office.url).call(during=asks_for_a_repair)
            await office.settled()
            assert office.double.complaint is None
            events = office.events("675")
            first, last = office.double.of_type("session.update")
            assert "Front desk" in first["session"]["instructions"]
            assert "Scheduling desk" in last["session"]["instructions"]
            assert "Front desk" not in last["session"]["instructions"]
            assert {tool["name"] for tool in last["session"]["tools"]} == {"schedule_appointment", "end_call"}
            finished = kinds(events, "tool.finished")
            assert [(one["name"], one["in_scope"]) for one in finished] == [
                ("schedule_appointment", False),
                ("handoff_to_scheduler", True),
                ("schedule_appointment", True),
                ("end_call", True),
            ]
            assert [one["t_ms"] for one in finished] == sorted(one["t_ms"] for one in finished)
            assert [(one["from"], one["to"]) for one in kinds(events, "handoff")] == [("receptionist", "scheduler")]
            assert len(office.state("675")["appointments"]) == 1

    chirp.virtually(main())


def test_item_11_a_human_transfer_is_posted_then_ends_the_call(chirp: Any) -> None:
    async def main() -> None:
        transfer = CallStep(
            tool="transfer_to_human", kind="end", arguments={"reason": "caller asked", "summary": "wants a person"}
        )
        steps = (Say("Hello."), WaitStep(), transfer, Say("Somebody will call you back. Goodbye."))
        async with chirp.office(steps, pack="healthcare") as office:
            phone = await chirp.Phone(office.url).call(during=asks_for_a_repair)
            await office.settled()
            events = office.events("675")
            assert phone.close_code == 1000
            assert events[-1]["reason"] == "transfer_to_human"
            assert [call.tool for call in office.service.calls("675")] == ["transfer_to_human"]

    chirp.virtually(main())


def test_item_12_sixteen_calls_at_once_share_nothing(chirp: Any) -> None:
    numbers = range(16)

    async def main() -> None:
        def plan(number: int) -> PlannedSession:
            wish = book(f"08/{number + 1:02}/2026")
            steps = (Say(HELLO), WaitStep(), HAND_OVER, wish, Say(GOODBYE), END)
            return anew(steps)(number)

        async with chirp.office(plan=plan, most_calls=16) as office:
            phones = [chirp.Phone(office.url, call_id=f"call-{number}") for number in numbers]
            hang_up_s = [5.0 if number % 4 == 3 else 60.0 for number in numbers]
            await asyncio.gather(
                *(one.call(s, during=asks_for_a_repair) for one, s in zip(phones, hang_up_s, strict=True))
            )
            await office.settled()
            dates = []
            for number, phone in enumerate(phones):
                events = office.events(f"call-{number}")
                assert {one.get("call_id") for one in events if "call_id" in one} == {f"call-{number}"}
                booked = [row["date"] for row in office.state(f"call-{number}")["appointments"]]
                if number % 4 == 3:
                    assert (booked, events[-1]["by"]) == ([], "caller")
                else:
                    assert (len(booked), events[-1]["by"], phone.close_code) == (1, "agent", 1000)
                    told = [
                        one["arguments"]["date"]
                        for one in kinds(events, "tool.started")
                        if one["arguments"].get("date")
                    ]
                    assert told == booked
                    dates += booked
            assert len(set(dates)) == 12

    chirp.virtually(main())


@pytest.mark.parametrize(
    ("name", "steps", "seconds"),
    [
        ("normal end", BOOKING, 60.0),
        ("caller hang-up", BOOKING, 5.0),
        ("provider crash", (Say(HELLO), WaitStep(), Fault("close", "1011")), 60.0),
        ("zero tools", SILENT_AFTER_HELLO, 3.0),
    ],
)
def test_item_13_there_is_a_snapshot_however_it_ended(
    chirp: Any, name: str, steps: Any, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BLUEJAY_API_KEY", raising=False)

    async def main() -> None:
        # A provider that crashes does so on every connection, or the call would go on.
        plan = anew((Fault("drop"),)) if name == "provider crash" else anew(steps)
        async with chirp.office(plan=plan) as office:
            phone = await chirp.Phone(office.url).call(seconds, during=asks_for_a_repair)
            await office.settled()
            assert set(office.state("675")) == {"appointments"}
            if name == "provider crash":
                assert phone.close_code == 1011
                assert phone.order[-1] == "session.error"
                assert office.events("675")[-1]["by"] == "provider"

    chirp.virtually(main())
