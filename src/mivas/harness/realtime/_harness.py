"""The harnesses whose agents are real-time models behind the OpenAI dialect."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, urlsplit

from mivas.endpoint import Endpoint
from mivas.errors import InputError
from mivas.harness._call_end import AgentLine, VoiceAgent
from mivas.harness._harness import Capabilities
from mivas.harness.realtime._openai_codec import OpenAICodec
from mivas.harness.realtime._profiles import GROK, OPENAI, QWEN, DialectProfile
from mivas.harness.realtime._session import Address, HandoffStrategy, ProviderSession, SessionCapabilities

REVISION = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectHarness:
    """One model of one provider, whose nodes take turns on the open session (swap) or on sessions of their own."""

    name: str
    profile: DialectProfile
    model: str
    handoff: HandoffStrategy = "swap"
    address: Address | None = None
    clock: str = "real"
    revision: str = field(default=REVISION)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            modes=("voice",),
            clock="virtual" if self.clock == "virtual" else "real",
            takes_endpoint=True,
            models=(self.model,),
        )

    def at(self, endpoint: Endpoint) -> DialectHarness:
        """The same model, reached there. Raises InputError for a missing key or an address that is none."""
        return replace(self, address=self._address(endpoint.base_url, endpoint.api_key))

    def reached(self, address: Address, *, clock: str = "virtual") -> DialectHarness:
        """The same model at a full address, such as that of a double on this loop."""
        return replace(self, address=address, clock=clock)

    def pick_up(self, line: AgentLine) -> VoiceAgent:
        from mivas.harness.realtime._agent import RealtimeAgent

        if self.address is None:
            raise InputError("no endpoint given", where=f"harness {self.name}", mend="give it one with at()")
        return RealtimeAgent(line.desk, connect=self._session, sink=line.sink, spawn=line.spawn, playout=line.playout)

    def _session(self) -> ProviderSession:
        from mivas.harness.realtime._session import WebSocketSession

        assert self.address is not None
        profile = self.profile
        return WebSocketSession(
            self.address,
            OpenAICodec(profile),
            SessionCapabilities(
                input_hz=profile.input_hz,
                output_hz=profile.output_hz,
                handoff=self.handoff,
                opens_bare=profile.opens_bare,
                truncates=profile.truncates,
                stops_by_itself=profile.stops_by_itself,
                limit_ms=profile.limit_ms,
            ),
        )

    def _address(self, base_url: str | None, api_key: str | None) -> Address:
        key = api_key if self.profile is OPENAI and api_key else _first_set(self.profile.key_variables)
        if not key:
            raise InputError(
                "no key given", where=f"harness {self.name}", mend=f"set {' or '.join(self.profile.key_variables)}"
            )
        url = _socket_url(base_url) if base_url is not None else self._own_url()
        joint = "&" if urlsplit(url).query else "?"
        return Address(url=f"{url}{joint}model={quote(self.model)}", headers={"Authorization": f"Bearer {key}"})

    def _own_url(self) -> str:
        url = self.profile.url
        for name in self.profile.url_variables:
            value = os.environ.get(name, "").strip() or self.profile.url_defaults.get(name, "")
            if not value:
                raise InputError(f"{name} isn't set", where=f"harness {self.name}", mend="set it, or give --base-url")
            url = url.replace(f"{{{name}}}", value)
        return url


def _first_set(names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := os.environ.get(name, "").strip())), None)


def _socket_url(base_url: str) -> str:
    """An address as WebSockets spell it: https becomes wss. Raises InputError."""
    parts = urlsplit(base_url)
    schemes: Mapping[str, str] = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
    if parts.scheme not in schemes or not parts.netloc:
        raise InputError(f"no address: {base_url}", where="--base-url", mend="give one such as wss://host/v1/realtime")
    return parts._replace(scheme=schemes[parts.scheme]).geturl()


def _factory(name: str, profile: DialectProfile, model: str | None = None) -> DialectHarness:
    return DialectHarness(name=name, profile=profile, model=model or profile.model)


def openai_swap(argument: str | None) -> DialectHarness:
    """Entry point `openai/realtime-2.1-swap`; the argument names another model."""
    return _factory("openai/realtime-2.1-swap", OPENAI, argument)


def openai_mini_swap(argument: str | None) -> DialectHarness:
    """Entry point `openai/realtime-2.1-mini-swap`."""
    return _factory("openai/realtime-2.1-mini-swap", OPENAI, argument or "gpt-realtime-2.1-mini")


def grok_voice(argument: str | None) -> DialectHarness:
    """Entry point `grok/voice`."""
    return _factory("grok/voice", GROK, argument)


def qwen_audio(argument: str | None) -> DialectHarness:
    """Entry point `qwen/audio-realtime`."""
    return _factory("qwen/audio-realtime", QWEN, argument)
