"""The harness `chirp:URL`: an agent that runs elsewhere and answers CHIRP calls."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from mivas.errors import InputError
from mivas.harness._call_end import AgentLine, VoiceAgent
from mivas.harness._harness import Capabilities

WHERE = "--harness chirp"
USER, PASSWORD = "CHIRP_USER", "CHIRP_PASS"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChirpHarness:
    """Dials an agent. It hears and speaks by itself, and its tools reach a call's service over the call's own URL."""

    url: str
    authorization: str | None = field(default=None, repr=False)
    """Value of the header: never shown, never logged."""
    revision: str = "1"

    @property
    def name(self) -> str:
        return f"chirp:{self.url}"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(modes=("voice",), clock="real", reports_handoffs=False, works_elsewhere=True)

    def pick_up(self, line: AgentLine) -> VoiceAgent:
        from mivas.harness.chirp._agent import ChirpAgent

        return ChirpAgent(line, url=self.url, authorization=self.authorization)


def chirp(argument: str | None) -> ChirpHarness:
    """Entry point `chirp`; the argument is the agent's address. Credentials come from CHIRP_USER and CHIRP_PASS.

    Raises InputError: no WebSocket address, one that holds a secret (it is written down), credentials no header takes.
    """
    url = checked_url(argument)
    user, password = os.environ.get(USER, ""), os.environ.get(PASSWORD, "")
    return ChirpHarness(url=url, authorization=basic_authorization(user, password) if user and password else None)


def checked_url(url: str | None) -> str:
    """A WebSocket address that may be written down. Raises InputError, which doesn't repeat it."""
    try:
        parts = urlsplit(url or "")
        valid = parts.scheme in ("ws", "wss") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        valid = False
    if not url or not valid:
        raise InputError("no WebSocket address", where=WHERE, mend="give one, such as chirp:ws://127.0.0.1:8765/")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError(
            "the address holds a password, query or fragment, and it is written to run.json",
            where=WHERE,
            mend=f"leave it out; set {USER} and {PASSWORD}",
        )
    return url


def basic_authorization(user: str, password: str) -> str:
    """Value of the header `Authorization`. Raises InputError for a user name with a colon, without repeating it."""
    if ":" in user:
        raise InputError("holds a colon, which Basic auth doesn't allow", where=USER, mend="choose another")
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()
