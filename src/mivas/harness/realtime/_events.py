"""What a provider tells of a call, in words no provider owns. Codecs make them; the core acts on them.

Sound is int16 mono at the provider's output rate, as bytes; the core resamples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

ResponseStatus: TypeAlias = Literal["completed", "cancelled", "failed", "incomplete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReady:
    """The provider listens: configuration may be sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionConfigured:
    """The latest configuration is in force; sound may be sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerSpeechStarted:
    """The provider's own detector says that the caller speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerSpeechStopped:
    """And that it stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerWords:
    """What the provider made of the caller's words. Often later than the answer to them."""

    item: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseStarted:
    """The model begins to answer."""

    response: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSound:
    """A piece of the agent's voice."""

    item: str
    pcm: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWords:
    """A piece of what the agent says."""

    item: str
    text: str
    whole: bool = False
    """Whether it is all of the item's text and replaces the pieces before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSoundEnded:
    """All of an item's sound was sent."""

    item: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """The model wants a tool."""

    call: str
    """The provider's id of the call."""
    name: str
    arguments: str
    """JSON as the model wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallsWithdrawn:
    """The provider takes no result for these calls any more."""

    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What a provider counted, of one response. None: not told."""

    input_text: int | None = None
    input_audio: int | None = None
    cached_text: int | None = None
    cached_audio: int | None = None
    output_text: int | None = None
    output_audio: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseEnded:
    """The model's answer is over."""

    response: str
    status: ResponseStatus
    tokens: Tokens | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """The provider dropped the rest of its answer by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoingAway:
    """The session will be cut."""

    in_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderError:
    """The provider complains."""

    code: str
    text: str
    fatal: bool
    """Whether the session is lost by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionClosed:
    """The connection is gone."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A message that says nothing a codec knows how to read; logged, never fatal."""

    text: str


ProviderEvent: TypeAlias = (
    SessionReady
    | SessionConfigured
    | CallerSpeechStarted
    | CallerSpeechStopped
    | CallerWords
    | ResponseStarted
    | AgentSound
    | AgentWords
    | AgentSoundEnded
    | ToolCalled
    | ToolCallsWithdrawn
    | ResponseEnded
    | Interrupted
    | GoingAway
    | ProviderError
    | SessionClosed
    | Unreadable
)


def without_secrets(event: ProviderEvent, secrets: Sequence[str]) -> ProviderEvent:
    """The event with every secret in its texts blacked out: providers say a key back that they refuse."""
    changed: Any = {
        name: _blackened(value, secrets)
        for name in event.__dataclass_fields__
        if isinstance(value := getattr(event, name), str) and any(secret in value for secret in secrets)
    }
    return replace(event, **changed) if changed else event


def _blackened(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "<key>")
    return text


# What the core asks of a provider.


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOffer:
    """A tool as a model is told of it."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """JSON Schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configure:
    """Work by these instructions with these tools from now on."""

    instructions: str
    tools: tuple[ToolOffer, ...]
    first: bool
    """Whether it opens the session: voice, formats and turn detection belong to the first configuration only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """One turn of the conversation so far."""

    role: Literal["agent", "caller"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """The conversation so far, for a session that takes over in mid-call."""

    turns: tuple[Remembered, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class SendSound:
    """The caller's sound: int16 mono at the provider's input rate."""

    pcm: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SendToolOutput:
    """The result of a tool call, as JSON text."""

    call: str
    name: str
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Respond:
    """Say something now."""

    opening: bool = False
    """Whether nobody has said anything yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelResponse:
    """Stop the running answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncate:
    """The caller heard only so much of an item."""

    item: str
    heard_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The call is over."""


Command: TypeAlias = Configure | Seed | SendSound | SendToolOutput | Respond | CancelResponse | Truncate | Finish
