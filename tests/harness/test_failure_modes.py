"""Lines of docs/failure-modes.md that no other test had: evidence and its keeping. Numbers are those of the page."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("websockets")
pytest.importorskip("soxr")

from mivas.conformance import Call, Caller, Model, Tools, provider_of, run_call, run_calls
from mivas.fakes.realtime import CallStep, Say
from mivas.line import ToolFinished, ToolStarted

KEY = "canary-key-4712-of-the-run"
PROVIDER = provider_of("openai/realtime-2.1-swap")


def look(what: str) -> CallStep:
    return CallStep(tool="look_up", arguments={"what": what})


def pairs(call: Call) -> list[tuple[str, Any]]:
    """What each tool call asked for, beside what its end says it got, joined by reference."""
    ends = {event.call_ref: event.output for event in call.events if isinstance(event, ToolFinished)}
    starts = [event for event in call.events if isinstance(event, ToolStarted)]
    assert len(ends) == len(starts)
    return [(str(one.arguments["what"]), ends[one.call_ref].get("echo")) for one in starts]


def echoing() -> Tools:
    return Tools(answer=lambda _, arguments: {"ok": True, "echo": arguments["what"]}, takes_s=0.05)


@pytest.mark.parametrize("harness", ["oracle", "nop"])
def test_47_a_second_check_finds_nothing_of_the_first(
    harness: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mivas.cli.check import command

    monkeypatch.chdir(tmp_path)
    outcomes = [CliRunner().invoke(command, ["control-industry", "--harness", harness]) for _ in range(2)]
    assert [done.exit_code for done in outcomes] == [0, 0]
    assert outcomes[0].stdout == outcomes[1].stdout


def test_49_every_tool_of_twelve_calls_at_once_is_in_the_evidence() -> None:
    wanted = [f"lantern {number}" for number in range(5)]
    models = [Model([*map(look, wanted), Say("All here.")]) for _ in range(12)]
    calls = run_calls(PROVIDER, models, [None] * 12, seconds=5, tools=echoing())
    assert [pairs(call) for call in calls] == [[(one, one) for one in wanted]] * 12


def test_53_a_later_call_of_a_process_leaves_as_much_evidence_as_the_first() -> None:
    def leave(me: Caller) -> Any:
        async def soon() -> None:
            await me.wait(2_000)
            me.hang_up()

        return soon()

    first, second = (run_call(PROVIDER, Model([look("red"), Say("Here.")]), leave, tools=echoing()) for _ in range(2))
    assert first.events == second.events
    assert pairs(first) == [("red", "red")]


def test_54_55_calls_of_one_tool_whose_arguments_begin_alike_are_told_apart() -> None:
    alike = "a very long description of a lantern, " * 300
    wanted = [f"{alike}{number}" for number in range(4)]
    call = run_call(PROVIDER, Model([*map(look, wanted), Say("All here.")]), seconds=8, tools=echoing())
    assert pairs(call) == [(one, one) for one in wanted]


# Whole runs of a provider that gives no call: the state is kept, the trial is void, the key is nowhere.


@contextmanager
def provider(way: str) -> Iterator[str]:
    """A server in a thread; gives its address."""
    from websockets.asyncio.server import serve

    ready, where = threading.Event(), []  # type: ignore[var-annotated]

    def refuse(connection: Any, request: Any) -> Any:
        if way == "drops":
            connection.transport.abort()
        if way == "refuses":
            given = request.headers["Authorization"]
            response = connection.respond(401, f"Incorrect API key provided: {given}.")
            response.headers["X-Your-Key"] = given
            return response
        return None

    async def handle(socket: Any) -> None:
        error = {"type": "authentication_error", "code": "invalid_api_key", "message": f"Incorrect API key: {KEY}."}
        await socket.send(json.dumps({"type": "error", "error": error}))
        await socket.close(1008, f"incorrect key {KEY}")

    async def main() -> None:
        stop = asyncio.Event()
        async with serve(handle, "127.0.0.1", 0, process_request=refuse) as server:
            where.extend([next(iter(server.sockets)).getsockname()[1], asyncio.get_running_loop(), stop])
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert ready.wait(20)
    try:
        yield f"ws://127.0.0.1:{where[0]}/v1/realtime"
    finally:
        where[1].call_soon_threadsafe(where[2].set)
        thread.join(20)


@pytest.mark.parametrize("way", ["refuses", "drops", "complains"])
def test_40_48_a_run_without_a_provider_is_void_keeps_its_state_and_tells_no_key(way: str, tmp_path: Path) -> None:
    pytest.importorskip("hibari")
    pytest.importorskip("ctranslate2")
    root = tmp_path / "run"
    with provider(way) as url:
        command = ["run", "control-industry", "--harness", "openai/realtime-2.1-swap", "--base-url", url]
        command += ["--mode", "voice", "--unqualified", "--out", str(root)]
        done = subprocess.run(
            [sys.executable, "-c", "from mivas.cli import main; main()", *command],
            env={**os.environ, "OPENAI_API_KEY": KEY, "HTTPS_PROXY": f"http://x:{KEY}@127.0.0.1:9"},
            capture_output=True, text=True, check=False, timeout=100, cwd=tmp_path,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [verdict] = [json.loads(line) for line in (root / "verdicts.jsonl").read_text().splitlines()]
    assert (verdict["mark"], verdict["void_reason"]) == ("VOID", "status_system_error")
    [state] = root.glob("calls/*/final.json")
    assert json.loads(state.read_text()) == {"appointments": []}
    written = [file for file in root.rglob("*") if file.is_file()]
    assert {"run.json", "trials.jsonl", "events.jsonl"} <= {file.name for file in written}
    assert not [file.name for file in written if KEY.encode() in file.read_bytes()]
    assert KEY not in done.stdout + done.stderr
