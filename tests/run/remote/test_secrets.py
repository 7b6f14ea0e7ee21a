"""The password that a call signs in with reaches no run folder, no log and no exception's text."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import serve

from mivas.errors import InputError
from mivas.harness import load_harness
from mivas.harness.chirp import ChirpHarness
from mivas.run import LocalBackend, RunOptions, start_run

pytest.importorskip("hibari")
pytest.importorskip("ctranslate2")

USER, PASSWORD = "user-canary-4712", "basic-canary-4711"
SECRETS = (USER, PASSWORD, "dXNlci1jYW5hcnk", "YmFzaWMtY2FuYXJ5")


@contextmanager
def agent(ending: str, seen: list[str]) -> Iterator[str]:
    """A server in a thread that ends every call in one way; gives its address."""
    ready, stop = threading.Event(), asyncio.Event()
    where: list[Any] = []

    async def take(socket: Any) -> None:
        await socket.close(1008 if ending == "1008" else 1000)

    async def admit(connection: Any, request: Any) -> Any:
        seen.append(request.headers.get("Authorization", ""))
        statuses = {"401": HTTPStatus.UNAUTHORIZED, "500": HTTPStatus.INTERNAL_SERVER_ERROR, "302": HTTPStatus.FOUND}
        if ending not in statuses:
            return None
        response = connection.respond(statuses[ending], "no")
        response.headers["Location"] = f"ws://127.0.0.1:{where[0]}/elsewhere"
        return response

    async def main() -> None:
        silent = logging.Logger("agent", logging.CRITICAL)
        async with serve(take, "127.0.0.1", 0, process_request=admit, logger=silent) as server:
            where.extend([next(iter(server.sockets)).getsockname()[1], asyncio.get_running_loop()])
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert ready.wait(20)
    try:
        yield f"ws://127.0.0.1:{where[0]}/"
    finally:
        where[1].call_soon_threadsafe(stop.set)
        thread.join(20)


@pytest.mark.parametrize("ending", ["1000", "1008", "401", "500", "302"])
def test_the_password_is_sent_and_written_nowhere(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("CHIRP_USER", USER)
    monkeypatch.setenv("CHIRP_PASS", PASSWORD)
    caplog.set_level(logging.DEBUG)
    seen: list[str] = []
    texts: list[str] = []
    with agent(ending, seen) as url:
        harness = load_harness(f"chirp:{url}")
        texts.append(repr(harness))
        options = RunOptions(
            packs=("control-industry",), harness=harness.name, mode="voice", caller_ears="whisper:tiny.en",
            report_wait_s=0,
        )  # fmt: skip
        texts.append(repr(options))

        def dial() -> Any:
            return start_run(
                options, tmp_path / "run", LocalBackend(), started_utc=datetime.now(UTC), command="test",
                watch=lambda progress: texts.append(repr(progress)),
            )  # fmt: skip

        if ending in ("401", "1008"):
            with pytest.raises(InputError, match="admits nobody with these credentials") as refused:
                dial()
            error = refused.value
            texts.extend((str(error), repr(error), repr(error.__cause__), repr(error.__context__)))
        else:
            result = dial()
            texts.append(repr(result))
            assert result.verdicts[0]["mark"] == "VOID"
    assert len(seen) == 1, "one attempt, no redirection followed"
    assert seen[0].startswith("Basic ")
    files = [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    for text in (*texts, *files, caplog.text, *capfd.readouterr()):
        assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize(
    "address",
    ["ws://u:basic-canary-4711@h/", "ws://h/?key=basic-canary-4711", "ws://h/#basic-canary-4711", "http://basic-canary-4711",
     "ws://", "ws://h:99999/", "", None],
)  # fmt: skip
def test_an_address_with_a_secret_is_refused_without_repeating_it(address: str | None) -> None:
    with pytest.raises(InputError) as refused:
        load_harness("chirp" if address is None else f"chirp:{address}")
    assert "canary" not in str(refused.value)


def test_a_user_with_a_colon_is_refused_without_repeating_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHIRP_USER", "user:canary")
    monkeypatch.setenv("CHIRP_PASS", PASSWORD)
    with pytest.raises(InputError) as refused:
        load_harness("chirp:ws://h/")
    assert "canary" not in str(refused.value)


@pytest.mark.parametrize(("user", "password"), [("", PASSWORD), (USER, ""), ("", "")])
def test_without_both_halves_nothing_is_sent(user: str, password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHIRP_USER", user)
    monkeypatch.setenv("CHIRP_PASS", password)
    harness = load_harness("chirp:ws://h/")
    assert isinstance(harness, ChirpHarness)
    assert harness.authorization is None
