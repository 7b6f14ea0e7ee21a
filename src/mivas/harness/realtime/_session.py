"""A connection to a provider, and the promise that every kind of it keeps. Thin: what is said stands in a codec."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from mivas.harness.realtime._events import Command, Finish, ProviderEvent, SessionClosed

CONNECT_S = 15.0
"""How long a provider may take to answer a connection."""
CLOSE_S = 2.0
SHORTEST_SECRET = 8
"""Characters from which a header's value can be told from other text."""
LARGEST_MESSAGE = 16 * 2**20
"""Bytes. A provider that sends more is cut off: no call needs it."""

SILENT = logging.Logger("mivas.harness.realtime", logging.CRITICAL)
"""For the WebSocket library, which writes headers to its log, and so the key."""

HandoffStrategy: TypeAlias = Literal["swap", "reconnect", "native"]
"""How another node takes over: new instructions on the open session, a new session that is told what was said, or by
itself: a native session has the graph, configures its nodes and asks for the answers to tool results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCapabilities:
    """What the core must know of a provider, as data."""

    input_hz: int
    output_hz: int
    handoff: HandoffStrategy
    opens_bare: bool = True
    """Whether it opens a call on request alone."""
    truncates: bool = True
    """Whether it wants to know how much of an answer was heard."""
    stops_by_itself: bool = True
    """Whether it stops its own answer when the caller speaks."""
    keeps_alive: bool = False
    """Whether it closes a connection on which no sound arrives; sound flows all the time anyway."""
    limit_ms: int | None = None
    """How long a session may last."""


class SessionLost(Exception):
    """No session can be had or kept. Never the model's fault: the call is VOID."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def connecting() -> Iterator[None]:
    """Tells what goes wrong while a WebSocket is opened as SessionLost, without the address and its key."""
    from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI

    try:
        yield
    except InvalidStatus as error:
        raise SessionLost(f"connection refused with HTTP {error.response.status_code}") from None
    except InvalidURI:
        raise SessionLost("the address is no WebSocket address") from None
    except (OSError, InvalidHandshake, TimeoutError) as error:
        raise SessionLost(f"can't connect ({type(error).__name__})") from None


class ProviderSession(Protocol):
    """One connection, from open to close."""

    @property
    def capabilities(self) -> SessionCapabilities: ...

    async def open(self) -> None:
        """Connect. Raises SessionLost."""

    async def send(self, command: Command) -> None:
        """Carry out a command; nothing where the connection is gone. Raises nothing for what a provider does."""

    def events(self) -> AsyncIterator[ProviderEvent]:
        """Everything that comes, in order; the last one is SessionClosed."""

    async def close(self) -> None:
        """Say goodbye and free everything; doesn't raise."""


class Codec(Protocol):
    """One session's translator between commands, messages and neutral events. Pure."""

    def encode(self, command: Command) -> Sequence[str | bytes]: ...

    def decode(self, message: str | bytes) -> Sequence[ProviderEvent]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a provider is reached, and with what."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Among them the key: never shown, never logged."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What of the headers may come out nowhere, should a provider say it back."""
        values = (value.rpartition(" ")[2] for value in self.headers.values())
        return tuple(value for value in values if len(value) >= SHORTEST_SECRET)


class WebSocketSession:
    """A session over one WebSocket. Implements ProviderSession."""

    def __init__(self, address: Address, codec: Codec, capabilities: SessionCapabilities) -> None:
        self._address = address
        self._codec = codec
        self._capabilities = capabilities
        self._socket: object | None = None

    @property
    def capabilities(self) -> SessionCapabilities:
        return self._capabilities

    async def open(self) -> None:
        from websockets.asyncio.client import connect

        with connecting():
            async with asyncio.timeout(CONNECT_S):
                self._socket = await connect(
                    self._address.url,
                    additional_headers=dict(self._address.headers),
                    max_size=LARGEST_MESSAGE,
                    proxy=None,
                    compression=None,
                    ping_interval=None,
                    logger=SILENT,
                )

    async def send(self, command: Command) -> None:
        from websockets.exceptions import ConnectionClosed

        socket = self._socket
        if socket is None:
            return
        with suppress(ConnectionClosed):
            for message in self._codec.encode(command):
                await socket.send(message)  # type: ignore[attr-defined]

    async def events(self) -> AsyncIterator[ProviderEvent]:
        from websockets.exceptions import ConnectionClosed

        socket = self._socket
        if socket is None:
            return
        try:
            async for message in socket:  # type: ignore[attr-defined]
                for event in self._codec.decode(message):
                    yield event
        except ConnectionClosed:
            pass
        yield SessionClosed(
            code=int(getattr(socket, "close_code", None) or 1006),
            reason=str(getattr(socket, "close_reason", None) or ""),
        )

    async def close(self) -> None:
        socket, self._socket = self._socket, None
        if socket is None:
            return
        with suppress(Exception):
            async with asyncio.timeout(CLOSE_S):
                for message in self._codec.encode(Finish()):
                    await socket.send(message)  # type: ignore[attr-defined]
                await socket.close()  # type: ignore[attr-defined]
