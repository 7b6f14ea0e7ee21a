"""A provider's double on loopback: a WebSocket server around one state machine a connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit

import orjson

from mivas.fakes._chat_double import ScriptNotFollowed
from mivas.fakes._realtime_answer import Timing
from mivas.fakes._realtime_brain import Brain, Plan, PlannedSession
from mivas.fakes._realtime_connection import Hear, RealtimeConnection, Speak
from mivas.fakes._realtime_profiles import RealtimeProfile

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

ANY_KEY = ""
LARGEST_MESSAGE = 32 * 2**20
_SILENT = logging.Logger("mivas.fakes.realtime", logging.CRITICAL)
"""Clients that break off or send nonsense are part of the tests: not worth a traceback."""


@dataclass(frozen=True, slots=True)
class Received:
    """Something that a client sent."""

    session: int
    """Number of its connection, from 0."""
    at_ms: int
    """Since the connection stood."""
    raw: str | bytes = field(repr=False)

    @property
    def event(self) -> dict[str, Any]:
        """What it says; {} where it is no JSON object."""
        try:
            event = orjson.loads(self.raw)
        except orjson.JSONDecodeError:
            return {}
        return event if isinstance(event, dict) else {}

    @property
    def type(self) -> str:
        return str(self.event.get("type", ""))


@dataclass(frozen=True, slots=True)
class Refused:
    """A connection that was turned away before it stood."""

    status: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Accepted:
    number: int
    model: str
    planned: PlannedSession


class RealtimeDouble:
    """A provider of the OpenAI dialect that follows a plan. An async context manager, on the loop that enters it.

    On leaving it raises ScriptNotFollowed for what a brain complains of; an exception from inside passes unchanged.

    Args:
        plan: who answers each connection: `anew(steps)`, `continued(steps)`, or a function of its number.
        key: the credential it takes; "" takes any.
        port: of 127.0.0.1; 0 takes a free one.
        speak: gives text a voice, as int16[n] at 16 kHz. None: a buzz, 60 ms a character.
        hear: gives the caller's words, from int16[n] at 16 kHz. None: "(speech)". Both run in the loop's executor.
    Raises OSError on entering when the port is taken.
    """

    def __init__(
        self,
        profile: RealtimeProfile,
        plan: Plan,
        *,
        key: str = "double-key",
        port: int = 0,
        timing: Timing | None = None,
        speak: Speak | None = None,
        hear: Hear | None = None,
    ) -> None:
        self.profile = profile
        self.received: list[Received] = []
        """Everything that clients sent, in order."""
        self.sent: list[tuple[int, dict[str, Any]]] = []
        """Every event that was sent, with the number of its connection."""
        self.refused: list[Refused] = []
        self.closed: list[tuple[int, int]] = []
        """Connections that are over, each with its close code."""
        self._plan, self._key, self._port = plan, key, port
        self._timing, self._speak, self._hear = timing or Timing(), speak, hear
        self._accepted: dict[ServerConnection, _Accepted] = {}
        self._arrivals = 0
        self._brains: list[Brain] = []
        self._failures: list[Exception] = []
        self._news = asyncio.Condition()
        self._server: Server | None = None

    @property
    def url(self) -> str:
        """Where clients connect, without the model."""
        return f"ws://127.0.0.1:{self._port}{self.profile.path}"

    @property
    def base_url(self) -> str:
        """The same as the base URL of a client that adds `/realtime` itself."""
        return f"http://127.0.0.1:{self._port}{self.profile.path.removesuffix('/realtime')}"

    @property
    def complaint(self) -> str | None:
        """What of the plan wasn't followed so far."""
        return next((told for brain in self._brains if (told := brain.complaint()) is not None), None)

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """All events of a type that clients sent, in order."""
        return [one.event for one in self.received if one.type == kind]

    async def wait_for(self, holds: Callable[[], bool]) -> None:
        """Return once something holds; looked at whenever anything is received, sent, refused or closed."""
        async with self._news:
            await self._news.wait_for(holds)

    async def __aenter__(self) -> Self:
        from websockets.asyncio.server import serve

        self._server = await serve(
            self._serve,
            "127.0.0.1",
            self._port,
            process_request=self._look_at,
            compression=None,
            ping_interval=None,
            open_timeout=None,
            close_timeout=2,
            max_size=LARGEST_MESSAGE,
            logger=_SILENT,
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        if kind is not None:
            return
        if self._failures:
            raise self._failures[0]
        if self.complaint is not None:
            raise ScriptNotFollowed(self.complaint)

    async def _look_at(self, connection: ServerConnection, request: Request) -> Response | None:
        """Accept a connection, or turn it away before the upgrade: path, model, credential, faults."""
        problem = self._problem(request)
        if problem is None:
            number, self._arrivals = self._arrivals, self._arrivals + 1
            try:
                planned = self._plan(number)
            except Exception as error:
                self._failures.append(error)
                raise
            faults = {fault.name: fault for fault in planned.faults}
            if all(planned.brain is not known for known in self._brains):
                self._brains.append(planned.brain)
            if "slow-connect" in faults:
                await asyncio.sleep(faults["slow-connect"].number / 1000)
            if "refuse" in faults:
                problem = Refused(faults["refuse"].number, "refused by request")
            elif "refuse-once" in faults and number == 0:
                problem = Refused(faults["refuse-once"].number, "refused by request")
            else:
                self._accepted[connection] = _Accepted(number, _query(request, "model"), planned)
                return None
        self.refused.append(problem)
        await self._tell()
        return _refusal(problem)

    def _problem(self, request: Request) -> Refused | None:
        if urlsplit(request.path).path != self.profile.path:
            return Refused(404, f"nothing at {urlsplit(request.path).path[:60]}")
        given = request.headers.get_all("Authorization")
        scheme, _, key = (given[0] if len(given) == 1 else "").partition(" ")
        if scheme.lower() != "bearer" or not key.strip():
            return Refused(401, "no API key was given")
        if self._key not in (ANY_KEY, key.strip()):
            return Refused(self.profile.wrong_key_status, "incorrect API key")
        if "OpenAI-Beta" in request.headers and self.profile.needs_type:
            return Refused(400, "the beta dialect is retired")
        if not _query(request, "model"):
            return Refused(400, "the query names no model")
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        accepted = self._accepted.pop(connection)
        link = RealtimeConnection(
            connection,
            self.profile,
            number=accepted.number,
            model=accepted.model,
            planned=accepted.planned,
            timing=self._timing,
            speak=self._speak,
            hear=self._hear,
            received=lambda at_ms, raw: self._note_received(accepted.number, at_ms, raw),
            sent=lambda event: self._note_sent(accepted.number, event),
        )
        try:
            await link.run()
        except Exception as error:
            self._failures.append(error)
            await connection.close(1011, "the double's brain failed")
        finally:
            self.closed.append((accepted.number, connection.close_code or 1006))
            await self._tell()

    async def _note_received(self, number: int, at_ms: int, raw: str | bytes) -> None:
        self.received.append(Received(number, at_ms, raw))
        await self._tell()

    async def _note_sent(self, number: int, event: dict[str, Any]) -> None:
        self.sent.append((number, event))
        await self._tell()

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()


def _query(request: Request, name: str) -> str:
    return next(iter(parse_qs(urlsplit(request.path).query).get(name, ())), "")


def _refusal(problem: Refused) -> Response:
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    body = orjson.dumps({"error": {"type": "invalid_request_error", "code": None, "message": problem.reason}})
    headers = Headers({"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"})
    if problem.status == 429:
        headers["Retry-After"] = "1"
    return Response(problem.status, _phrase(problem.status), headers, body)


def _phrase(status: int) -> str:
    from http import HTTPStatus

    return HTTPStatus(status).phrase if status in {one.value for one in HTTPStatus} else "Refused"
