"""Whole runs with the `chat` harness against a scripted endpoint, from greeting to verdict."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mivas.cli.run import command
from mivas.fakes import BreakOff, Call, ChatDouble, Refuse, Reply, Stall
from mivas.line import CallEnded, CallStarted, Problem, Speech, Usage, now_ms, read_events
from mivas.pack import load_pack
from mivas.run import LocalBackend, RunOptions, RunResult, resume_run, start_run
from mivas.run._text_call import LiveLoop

KEY = "sk-run-canary-0123456789"
CLOCK_LINE = "Today is Wednesday, 19 August 2026, 12:00."
HANG_UP = Reply(text="Goodbye.", calls=(Call(name="end_call", arguments={"reason": "done"}),))
TEACHING_CASE = (
    Reply(calls=(Call(name="transfer_to_coverage"),)),
    Reply(
        text="Let me check that for you.",
        calls=(Call(name="check_plan_accepted", arguments={"carrier": "aetna", "location_id": "loc_park_ave"}),),
    ),
    Reply(text="Yes, your Aetna plan is accepted at the Park Avenue office."),
)


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("HARNESS", "INDUSTRY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def chat_run(tmp_path: Path) -> Any:
    """`chat_run(double, **options)`: a run in this process, key and all."""

    def ran(double: ChatDouble, **options: Any) -> RunResult:
        given = {"packs": ("control-industry",), "harness": "chat:double", "base_url": double.base_url} | options
        return start_run(
            RunOptions(**given),
            tmp_path / "run",
            LocalBackend(KEY),
            started_utc=datetime(2026, 8, 19, 12, 0, tzinfo=UTC),
            command="test",
            watch=lambda at: None,
        )

    return ran


def events(result: RunResult, number: int = 0) -> list[Any]:
    return list(read_events((result.root / result.records[number]["files"]["events"]).read_bytes()))


class TestTheTeachingCase:
    def test_it_is_played_from_greeting_to_verdict(self, chat_run: Any) -> None:
        with ChatDouble(TEACHING_CASE) as double:
            result = chat_run(double, packs=("healthcare",), only=("C1-E1",))
        (verdict,) = result.verdicts
        assert verdict["mark"] == "pass"
        told = events(result)
        assert isinstance(told[0], CallStarted)
        assert told[0].clock == result.manifest["clock"] == "real"
        assert isinstance(told[-1], CallEnded)
        answering = result.manifest["harness"]
        assert (told[-1].by, answering["name"], answering["models"]) == ("caller", "chat:double", ["double"])
        assert [event.node for event in told if isinstance(event, Usage)] == ["reception", "coverage", "coverage"]

        greeting, opening = (event.text for event in told if isinstance(event, Speech) and event.node == "reception")
        first, second, third = double.requests
        assert first.history == [
            {"role": "assistant", "content": greeting}, {"role": "user", "content": opening},
        ]  # fmt: skip
        assert [message["role"] for message in second.history] == ["assistant", "user", "assistant", "tool"]
        assert [message["role"] for message in third.history[4:]] == ["assistant", "tool"]
        assert json.loads(third.history[-1]["content"])["data"]["accepted"] is True

    def test_each_node_gets_its_own_prompt_with_the_clock_line_and_its_own_tools(self, chat_run: Any) -> None:
        with ChatDouble(TEACHING_CASE) as double:
            chat_run(double, packs=("healthcare",), only=("C1-E1",))
        nodes = load_pack("healthcare").blueprint.by_id
        for request, name in zip(double.requests, ("reception", "coverage", "coverage"), strict=True):
            assert request.prompt == nodes[name].instructions
            assert request.prompt.count(CLOCK_LINE) == 1
            assert list(request.tools) == [tool.name for tool in nodes[name].tools]
            assert all(tool["description"] for tool in request.tools.values())
            assert "additionalProperties" not in json.dumps(request.body["tools"])
        asked = double.requests[1].tools["check_plan_accepted"]["parameters"]
        assert asked["required"] == ["carrier", "location_id"]
        assert "enum" in json.dumps(asked)


class TestFailures:
    def test_a_dead_endpoint_voids_its_trial_and_the_run_goes_on(self, chat_run: Any) -> None:
        with ChatDouble([BreakOff(), HANG_UP, Refuse(status=403, message=f"bad key {KEY}"), HANG_UP]) as double:
            result = chat_run(double, trials=4)
        assert [record["mark"] for record in result.records] == ["VOID", "FAIL", "VOID", "FAIL"]
        problems = [event for n in (0, 2) for event in events(result, n) if isinstance(event, Problem)]
        assert [(event.where, event.class_) for event in problems] == [
            ("chat:double", "EndpointUnreachable"), ("chat:double", "EndpointRefused"),
        ]  # fmt: skip
        assert "bad key <key>" in problems[1].text

    def test_a_void_trial_is_tried_again(self, chat_run: Any) -> None:
        with ChatDouble([BreakOff(), HANG_UP]) as double:
            (record,) = chat_run(double, retries=1).records
        assert (record["mark"], record["attempt"]) == ("FAIL", 2)

    def test_the_key_is_in_no_file(self, chat_run: Any) -> None:
        with ChatDouble([Refuse(status=401, message=KEY), HANG_UP]) as double:
            result = chat_run(double, trials=2)
        assert {request.authorization for request in double.requests} == {f"Bearer {KEY}"}
        files = [path for path in result.root.rglob("*") if path.is_file()]
        assert len(files) > 6
        assert [path for path in files if KEY.encode() in path.read_bytes()] == []

    def test_an_endpoint_that_never_answers_ends_at_the_cap_of_the_call(self, chat_run: Any) -> None:
        with ChatDouble([Stall()]) as double:
            result = chat_run(double, call_limit_ms=300)
        last = events(result)[-1]
        assert (last.by, last.reason) == ("limit", "the call reached its cap of 300 ms")

    def test_calls_at_once_in_worker_processes(self, chat_run: Any) -> None:
        def both_waiting() -> None:
            seen.append(double.wait_for(2, timeout_s=60))
            double.resume()

        seen: list[bool] = []
        with ChatDouble([Stall(reply=HANG_UP)] * 2 + [HANG_UP] * 2) as double:
            watching = threading.Thread(target=both_waiting)
            watching.start()
            result = chat_run(double, trials=4, concurrency=2)
            watching.join()
        assert seen == [True]
        assert [record["mark"] for record in result.records] == ["FAIL"] * 4


class TestTheClock:
    def test_the_endpoints_time_is_on_it_and_speaking_is_not_waited_for(self) -> None:
        async def call() -> tuple[int, int]:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, LiveLoop)
            await loop.skip(100)
            spoken = now_ms()
            await asyncio.sleep(0.05)
            return spoken, now_ms()

        with asyncio.Runner(loop_factory=LiveLoop) as runner:
            spoken, waited = runner.run(call())
        assert 100_000 <= spoken < 101_000
        assert waited - spoken >= 50

    def test_a_timer_due_while_time_is_skipped_fires_at_its_time(self) -> None:
        async def call() -> tuple[int, int]:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, LiveLoop)
            try:
                async with asyncio.timeout(60):
                    await loop.skip(100)
            except TimeoutError:
                capped = now_ms()
            await asyncio.sleep(0.02)  # real again
            return capped, now_ms()

        with asyncio.Runner(loop_factory=LiveLoop) as runner:
            capped, after = runner.run(call())
        assert 60_000 <= capped < 61_000
        assert capped + 20 <= after < capped + 1_000

    def test_the_callers_thinking_is_not_charged(self) -> None:
        async def call() -> tuple[int, int]:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, LiveLoop)
            before_ms = now_ms()
            assert loop.free(lambda: time.sleep(0.3) or "thought") == "thought"
            with pytest.raises(ZeroDivisionError):
                loop.free(lambda: time.sleep(0.3) or 1 / 0)
            return before_ms, now_ms()

        with asyncio.Runner(loop_factory=LiveLoop) as runner:
            before_ms, after_ms = runner.run(call())
        assert before_ms <= after_ms < before_ms + 200

    def test_a_slow_endpoint_is_charged_to_the_call(self, chat_run: Any) -> None:
        with ChatDouble([Refuse(status=503, retry_after_ms=250), HANG_UP]) as double:
            result = chat_run(double)
        first_words = next(event for event in events(result) if isinstance(event, Speech))
        assert first_words.start_ms >= 250

    @pytest.mark.usefixtures("plug_in")
    def test_any_harness_of_real_time_runs(self, play: Any) -> None:
        result = play(harness="test:real-time")
        assert result.manifest["clock"] == "real"
        assert result.records[0]["mark"] != "VOID"


class TestTheCommand:
    def run(self, *arguments: str, **environment: str) -> Any:
        return CliRunner().invoke(command, ["control-industry", *arguments], env=environment, prog_name="run")

    def test_model_address_and_key(self, tmp_path: Path) -> None:
        with ChatDouble([HANG_UP, HANG_UP]) as double:
            for number, (options, environment) in enumerate(
                [(("--base-url", double.base_url), {}), ((), {"OPENAI_BASE_URL": double.base_url})]
            ):
                out = tmp_path / str(number)
                told = self.run(
                    "--harness", "chat", "--model", "double", "--out", str(out), *options,
                    OPENAI_API_KEY=f" {KEY}\n", **environment,
                )  # fmt: skip
                assert told.exit_code == 0, told.output
                assert KEY not in told.output
                stored = json.loads((out / "run.json").read_text())
                assert (stored["options"]["harness"], stored["options"]["base_url"]) == (
                    "chat:double", double.base_url,
                )  # fmt: skip
        assert [request.authorization for request in double.requests] == [f"Bearer {KEY}"] * 2

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--harness", "chat"], "no model given"),
            (["--harness", "chat", "--model", "m"], "OPENAI_API_KEY: no key given"),
            (["--harness", "chat:m", "--model", "m"], "names one already"),
            (["--harness", "oracle", "--model", "m"], "takes no model"),
            (["--harness", "oracle", "--base-url", "http://h/v1"], "reaches no endpoint"),
            (["--harness", "chat:m", "--base-url", "ftp://h"], "http, https, ws or wss"),
            (["--harness", "chat:m", "--base-url", "http://u:secret@h/v1"], "no password"),
            (["--harness", "chat:m", "--base-url", "http://h/v1?key=secret"], "no password"),
        ],
    )
    def test_what_does_not_go_together_is_one_line_before_a_folder_is_made(
        self, tmp_path: Path, arguments: list[str], told: str
    ) -> None:
        out = tmp_path / "run"
        error = self.run(*arguments, "--out", str(out)).exception
        assert told in str(error)
        assert "secret" not in str(error)
        assert not out.exists()

    def test_an_address_of_the_environment_is_none_of_an_offline_agents_business(self, tmp_path: Path) -> None:
        out = tmp_path / "run"
        assert self.run("--harness", "oracle", "--out", str(out), OPENAI_BASE_URL="http://h/v1").exit_code == 0
        assert json.loads((out / "run.json").read_text())["options"]["base_url"] is None

    def test_a_resumed_run_reaches_the_same_address(self, chat_run: Any) -> None:
        with ChatDouble([HANG_UP, HANG_UP]) as double:
            whole = chat_run(double)
            (whole.root / "trials.jsonl").write_text("")
            (whole.root / "verdicts.jsonl").write_text("")
            again = resume_run(whole.root, LocalBackend(KEY), watch=lambda at: None)
        assert [record["mark"] for record in again.records] == ["FAIL"]
