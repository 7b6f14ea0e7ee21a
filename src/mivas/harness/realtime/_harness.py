"""The harnesses whose agents are real-time models behind the OpenAI dialect."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mivas.endpoint import Endpoint
from mivas.errors import InputError
from mivas.harness._call_end import AgentLine, VoiceAgent
from mivas.harness._harness import Capabilities
from mivas.harness.realtime._address import address_of
from mivas.harness.realtime._openai_codec import OpenAICodec
from mivas.harness.realtime._profiles import GROK, OPENAI, QWEN, DialectProfile
from mivas.harness.realtime._session import Address, HandoffStrategy, ProviderSession, SessionCapabilities

REVISION = "2"


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
        return replace(self, address=address_of(self.name, self.profile, self.model, endpoint))

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
            OpenAICodec(profile, self.address.secrets),
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
