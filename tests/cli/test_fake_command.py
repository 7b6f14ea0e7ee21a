"""`mivas fake`: starts, says where, and ends on Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

COMMAND = (sys.executable, "-c", "from mivas.cli import main; main()", "fake")
HELLO = {"model": "double", "messages": [{"role": "user", "content": "Hello there."}]}


@contextmanager
def fake(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The running command and its address; interrupted at the end."""
    process = subprocess.Popen((*COMMAND, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def ask(address: str) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=30) as client:
        return client.post(f"{address}/chat/completions", json=HELLO)


def test_without_a_script_it_asks_for_a_moment() -> None:
    with fake("chat") as (address, process):
        said = [ask(address).json()["choices"][0]["message"]["content"] for _ in range(2)]
    assert said == ["One moment, please."] * 2
    assert process.returncode == 0


def test_a_fault_on_demand() -> None:
    with fake("chat", "--fault", "server-error") as (address, _):
        assert ask(address).status_code == 500


def test_it_follows_scripts_and_tells_what_was_left_over(tmp_path: Path) -> None:
    script = {"version": 1, "opens": "hello there", "answers": [{"say": "Hi."}, {"say": "Bye."}]}
    (tmp_path / "short.json").write_text(json.dumps(script))
    with fake("chat", "--script", str(tmp_path)) as (address, process):
        assert ask(address).json()["choices"][0]["message"]["content"] == "Hi."
    assert process.stderr is not None
    assert process.stderr.read() == "chat: scripts not played to their end: short (1 of 2)\n"
    assert process.returncode == 0


async def converse(url: str) -> list[str]:
    """What a provider's double says when it is asked twice."""
    from websockets.asyncio.client import connect

    said = []
    headers = {"Authorization": "Bearer any"}
    async with connect(f"{url}?model=m", additional_headers=headers, proxy=None) as socket:
        for _ in range(2):
            item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "on"}]}
            await socket.send(json.dumps({"type": "conversation.item.create", "item": item}))
            await socket.send(json.dumps({"type": "response.create"}))
            async for message in socket:
                event = json.loads(message)
                if event["type"] == "response.done":
                    said += [item["content"][0]["transcript"] for item in event["response"]["output"]]
                    break
    return said


@pytest.mark.parametrize(("name", "path"), [("openai", "/v1"), ("grok", "/v1"), ("qwen", "/api-ws/v1")])
def test_a_real_time_provider(name: str, path: str) -> None:
    with fake(name) as (url, process):
        assert url.endswith(f"{path}/realtime")
        assert asyncio.run(converse(url)) == ["One moment, please."] * 2
    assert process.returncode == 0


def test_a_real_time_provider_follows_a_script(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    steps = [{"say": "Hi."}, {"wait": "turn"}, {"say": "I see."}, {"wait": "speech"}, {"say": "Bye."}]
    path.write_text(json.dumps({"version": 1, "steps": steps}))
    with fake("openai", "--script", str(path)) as (url, process):
        assert asyncio.run(converse(url)) == ["Hi.", "I see."]
    assert process.stderr is not None
    assert (
        process.stderr.read()
        == "openai: 3 of 5 steps were played; next: WaitStep(until='speech', heard=(), again='')\n"
    )
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing"], "nothing"),
        (["chat", "--fault", "fire"], "no fault 'fire'; choose from too-many-requests"),
        (["chat", "--script", "nowhere"], "nowhere: holds no script"),
        (["chat", "--script", ".", "--fault", "stall"], "--fault: given together with --script"),
        (["grok", "--fault", "fire"], "--fault: no fault 'fire'; choose from refuse"),
        (["qwen", "--script", "nowhere"], "nowhere: can't be read"),
        (["chat", "--voice", "hibari"], "--voice: chat has no sound"),
        (["openai", "--ears", "nobody"], "nobody"),
    ],
)
def test_what_can_not_be_is_one_line(arguments: list[str], told: str) -> None:
    done = subprocess.run((*COMMAND, *arguments), capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["chat", "openai"])
def test_a_port_in_use_is_one_line(name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            (*COMMAND, name, "--port", str(port)), capture_output=True, text=True, check=False, timeout=60
        )
    assert done.returncode == 2
    assert f"--port {port}: can't listen" in done.stderr
