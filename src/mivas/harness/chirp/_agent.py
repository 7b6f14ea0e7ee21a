"""The caller's side of a CHIRP call: to the line it is the agent's end, to the agent it is the caller engine."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import uuid4

from mivas.errors import InputError
from mivas.harness._call_end import AgentLine
from mivas.harness.chirp._arriving import ArrivingSound
from mivas.harness.chirp._harness import PASSWORD, USER
from mivas.harness.chirp._messages import (
    CALL_ID_HEADER,
    FAILURE,
    LARGEST_FRAME,
    NORMAL,
    POLICY,
    REPORTS_HEADER,
    TOOLS_URL_HEADER,
    Mark,
    SessionError,
    SpeechEdge,
    TextBudget,
    mark_message,
    new_utterance_id,
    read_message,
    speech_message,
)
from mivas.harness.chirp._outgoing import Outgoing, SpeechEdges
from mivas.line import now_ms
from mivas.line.spoken import Pcm, Playout

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

WIRE_LOG = logging.getLogger("mivas.chirp.wire")
WIRE_LOG.setLevel(logging.INFO)  # below it, the library writes down headers, and with them the password
TOO_LARGE, LOST = 1009, 1006
"""Codes of a connection that was cut off for a frame beyond the limit, and of one that was just gone."""
CONNECT_S = 15.0
CLOSE_S = 2.0
ADMITTED_S = 1.0
"""A close for credentials comes within it, before anything else; a later one hangs up like any other."""
LONGEST_AHEAD_MS = 120_000
"""Sound of the agent's that may wait to be played; what comes beyond it is dropped."""
AHEAD_MS = 1_000
"""Waiting sound above which the agent is said to send faster than it speaks."""
NOTICED_MS = 3_000
"""How long a dead line is silent before the caller notices: by then it has taken in the last words."""


class ChirpAgent:
    """One call to an agent that runs elsewhere. Implements `VoiceAgent`."""

    def __init__(self, line: AgentLine, *, url: str, authorization: str | None) -> None:
        self._sound = ArrivingSound(line.playout.spoken, longest_ms=LONGEST_AHEAD_MS, keep_newest=False)
        self.playout: Playout = self._sound
        self._line = line
        self._url = url
        self._authorization = authorization
        self._socket: ClientConnection | None = None
        self._outgoing = Outgoing()
        self._edges = SpeechEdges()
        self._utterance_id = ""
        self._over: str | None = None
        """Why the agent hung up, once it did."""
        self._silent_since_ms: int | None = None
        """Since when nothing more of it will be heard."""
        self._closing = False
        self._accepted_s: float | None = None
        self._arrived = False
        """Whether the agent has sent anything."""
        self._answers = 0
        self._texts = TextBudget()
        self._noted: set[str] = set()

    def answer(self) -> None:
        """Dial. The line rings until the agent accepts."""
        self._line.spawn(self._run())

    def hear(self, frame: Pcm, t_ms: int) -> None:
        if self._edges.changed(frame):
            if self._edges.speaking:
                self._utterance_id = new_utterance_id()
            edge: SpeechEdge = "speech.started" if self._edges.speaking else "speech.completed"
            self._outgoing.text(speech_message(edge, self._utterance_id))
        self._outgoing.sound(frame)
        if len(self._sound.spoken) > self._answers:  # it speaks, so it took the caller's turn, whatever it heard
            self._answers = len(self._sound.spoken)
            self._line.sink.agent_heard("")
        for name in self._sound.due_marks():
            self._outgoing.text(mark_message(name))
        if self._over is not None and not self._sound.queued_ms:
            self._silent_since_ms = t_ms if self._silent_since_ms is None else self._silent_since_ms
            if t_ms - self._silent_since_ms >= NOTICED_MS:
                self._line.sink.agent_hangs_up(self._over)

    async def aclose(self) -> None:
        self._closing = True
        if (socket := self._socket) is None:
            return
        with suppress(Exception):
            async with asyncio.timeout(CLOSE_S):
                if self._edges.speaking:
                    await socket.send(speech_message("speech.completed", self._utterance_id))
                await socket.close(NORMAL)
        socket.transport.abort()  # a peer that never answers the close would keep it open

    async def _run(self) -> None:
        from websockets.exceptions import ConnectionClosed

        socket = self._socket = await self._connect()
        if socket is None:
            return
        self._accepted_s = asyncio.get_running_loop().time()
        if self._line.remote is not None:
            reports = socket.response is not None and socket.response.headers.get(REPORTS_HEADER, "").lower() == "true"
            self._line.remote.accepted(now_ms(), reports)
        self._line.spawn(self._outgoing.send_to(socket))
        code = None
        try:
            async for message in socket:
                self._take(message)
        except ConnectionClosed as closed:
            if closed.rcvd is None and closed.sent is not None and closed.sent.code == TOO_LARGE:
                code = TOO_LARGE  # it was cut off here, which the socket's own code doesn't say
        self._closed(code or socket.close_code or LOST)

    async def _connect(self) -> ClientConnection | None:
        """The open socket; None where there is no agent, told to the line. Raises InputError for bad credentials."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidHandshake, InvalidStatus

        class ConnectHere(connect):
            """Follows no redirection: the credentials are for this address."""

            def process_redirect(self, exc: Exception) -> Exception | str:
                return exc

        try:
            async with asyncio.timeout(CONNECT_S):
                return await ConnectHere(
                    self._url,
                    additional_headers=self._headers(),
                    max_size=LARGEST_FRAME,
                    open_timeout=None,
                    compression=None,
                    proxy=None,
                    user_agent_header="mivas",
                    logger=WIRE_LOG,
                )
        except InvalidStatus as error:
            status = error.response.status_code
            if status in (401, 403):
                raise self._unauthorized() from None
            lost = f"the call was refused with HTTP {status}"
        except TimeoutError:
            lost = f"nobody picked up in {CONNECT_S:g} s"
        except (OSError, InvalidHandshake, EOFError) as error:
            lost = f"can't connect ({type(error).__name__})"
        self._line.sink.agent_lost(lost)
        return None

    def _headers(self) -> dict[str, str]:
        remote = self._line.remote
        headers = {CALL_ID_HEADER: remote.call_id if remote is not None else f"call_{uuid4().hex[:12]}"}
        if remote is not None:
            headers[TOOLS_URL_HEADER] = remote.tools_url
        if self._authorization is not None:
            headers["Authorization"] = self._authorization
        return headers

    def _unauthorized(self) -> InputError:
        mend = "correct" if self._authorization is not None else "set"
        return InputError("the agent admits nobody with these credentials", self._url, f"{mend} {USER} and {PASSWORD}")

    def _take(self, message: str | bytes) -> None:
        self._arrived = True
        if isinstance(message, bytes):
            self._sound.arrive(message)
            if self._sound.queued_ms > AHEAD_MS:
                self._note_once("agent_ahead", f"sent over {AHEAD_MS} ms of sound ahead of its being played")
            if self._sound.dropped_ms:
                self._note_once("sound_dropped", f"sent over {LONGEST_AHEAD_MS} ms ahead; what came then was dropped")
            return
        if not self._texts.allows(asyncio.get_running_loop().time()):
            self._note_once("text_flood", "sent more text frames than are read")
            return
        match read_message(message):
            case Mark(name=name):
                self._sound.mark(name)
            case SessionError(code=code, message=text):
                self._note_once("session_error", f"{code}: {text}")

    def _never_admitted(self) -> bool:
        """Whether a close now means that the agent takes nobody with these credentials."""
        assert self._accepted_s is not None
        return not self._arrived and asyncio.get_running_loop().time() - self._accepted_s <= ADMITTED_S

    def _note_once(self, code: str, text: str) -> None:
        if code not in self._noted:
            self._noted.add(code)
            self._line.desk.note(code, text)

    def _closed(self, code: int) -> None:
        """Any close is a hang-up, but for one that says there is no agent (runtime.md 8.5)."""
        if self._closing:
            return
        if code == POLICY and self._never_admitted():
            raise self._unauthorized()
        if code == FAILURE:
            self._line.sink.agent_lost(f"the agent broke (close {code})")
            return
        if code != NORMAL:
            self._line.desk.note("odd_close", f"the agent's end was closed with {code}")
        self._over = "hung up" if code == NORMAL else f"connection closed with {code}"
