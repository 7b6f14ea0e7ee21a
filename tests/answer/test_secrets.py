"""Passwords, tokens and keys reach no log, no file and no exception's text."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from mivas.answer import AnswerOptions, Credentials, RemoteState
from mivas.errors import InputError
from mivas.fakes.realtime import CallStep, Fault, Say, WaitStep, anew
from mivas.state import load_snapshot_store

PASSWORD, USER = "basic-canary-4711", "user-canary-4712"
OPERATOR = "operator-canary-4713"
KEY = "sk-provider-canary-4714"
SECRETS = (PASSWORD, USER, OPERATOR, KEY, "YmFzaWM", "dXNlci1jYW5hcnk")
"""The last two: how they begin in base64."""


def written(folder: Path) -> str:
    """Every byte of every file."""
    return "\n".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file())


def assert_nowhere(*texts: str) -> None:
    for text in texts:
        assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("fault", [None, "refuse=401", "close=1008", "drop", "failed", "malformed-json"])
def test_secrets_stay_where_they_are(
    chirp: Any, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], fault: str | None
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        if request.url.path == "/state":
            return httpx.Response(401, json={"detail": "unauthorised"})
        raise httpx.ConnectError("gone")

    def state(_local: Any) -> Any:
        client = httpx.AsyncClient(transport=httpx.MockTransport(handle))
        return RemoteState("http://tools.test", client, load_snapshot_store("local")(chirp.folder), OPERATOR)

    async def during(phone: Any) -> None:
        import asyncio

        await asyncio.sleep(4)
        phone.say()

    async def main() -> None:
        steps = (
            Say("Hello."), WaitStep(), CallStep(tool="handoff_to_scheduler", kind="handoff"),
            CallStep(tool="schedule_appointment", arguments={"date": "08/15/2026"}), Say("No luck. Goodbye."),
            CallStep(tool="end_call", kind="end"),
        )  # fmt: skip
        name, _, value = (fault or "").partition("=")
        plan = anew(steps, faults=[Fault(name, value)] if fault else ())
        credentials = Credentials(user=USER, password=PASSWORD)
        told.extend((repr(credentials), repr(AnswerOptions(credentials=credentials))))
        async with chirp.office(plan=plan, state=state, credentials=credentials, key=KEY) as office:
            told.append(repr(office.answering))
            for user in (None, f"{USER}:{PASSWORD}x", f"x{USER}:{PASSWORD}"):
                with pytest.raises(InvalidStatus) as refused:
                    await chirp.Phone(office.url, user=user).call(1)
                told.append(repr(refused.value.response))
            await chirp.Phone(office.url, user=f"{USER}:{PASSWORD}").call(40, during=during)
            await office.settled()

    chirp.virtually(main())
    if fault is None:
        assert any(request.headers.get("Authorization") == f"Bearer {OPERATOR}" for request in requests)
    assert caplog.text
    assert_nowhere(caplog.text, *told, written(chirp.folder), *capfd.readouterr())


def test_half_a_pair_of_credentials_is_no_protection_and_said_without_showing_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mivas.cli.answer import _credentials

    monkeypatch.setenv("CHIRP_USER", "")
    monkeypatch.setenv("CHIRP_PASS", PASSWORD)
    with pytest.raises(InputError, match="CHIRP_USER") as refused:
        _credentials()
    assert_nowhere(str(refused.value))


def test_off_loopback_nobody_answers_without_credentials() -> None:
    with pytest.raises(InputError, match="anybody could call"):
        AnswerOptions(host="0.0.0.0")
    assert AnswerOptions(host="0.0.0.0", credentials=Credentials(user="a", password="b"))
