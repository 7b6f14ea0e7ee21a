"""The scripted endpoint: an HTTP server on loopback that answers request by request and keeps what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from mivas.fakes._chat_script import BreakOff, Garbage, Refuse, Reply, Stall, Step, chunk, chunks, completion

MODEL = "double"


class ScriptNotFollowed(AssertionError):
    """Steps were left over, or a request came for which the script has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One request for a completion, as it arrived."""

    body: Mapping[str, Any]
    authorization: str | None = field(repr=False)

    @property
    def prompt(self) -> str | None:
        """The system message at the head; None when there is none."""
        first = self.body["messages"][0] if self.body["messages"] else {}
        return str(first["content"]) if first.get("role") == "system" else None

    @property
    def history(self) -> list[dict[str, Any]]:
        """All messages after the prompt."""
        messages: list[dict[str, Any]] = self.body["messages"]
        return messages[1:] if self.prompt is not None else messages

    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        """Advertised functions by name, in order."""
        return {tool["function"]["name"]: tool["function"] for tool in self.body.get("tools", ())}


class ChatDouble:
    """An OpenAI-compatible endpoint that follows a script, step by step in the order requests arrive.

    A context manager. On leaving it raises ScriptNotFollowed unless every step was used and no request was too many;
    an exception from inside passes unchanged.

    >>> with ChatDouble([]) as double:
    ...     double.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, script: Sequence[Step]) -> None:
        self.requests: list[ChatRequest] = []
        """Completions asked for, retries included."""
        self._resumed = threading.Event()
        self._script = tuple(script)
        self._surplus = 0
        self._arrival = threading.Condition()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.double = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, name="chat double", daemon=True
        )

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def wait_for(self, requests: int, timeout_s: float = 20) -> bool:
        """Block until that many requests have come in all; False when they don't in time."""
        with self._arrival:
            return self._arrival.wait_for(lambda: len(self.requests) >= requests, timeout_s)

    def resume(self) -> None:
        """Let every `Stall` go on, now and later."""
        self._resumed.set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resumed.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if kind is not None:
            return
        if self._surplus:
            raise ScriptNotFollowed(f"{self._surplus} requests more than the script's {len(self._script)} steps")
        if len(self.requests) < len(self._script):
            unused = self._script[len(self.requests)]
            raise ScriptNotFollowed(f"{len(self.requests)} of {len(self._script)} steps were used; next: {unused}")

    def take(self, request: ChatRequest) -> tuple[int, Step]:
        """Keep a request and give the number and the step that answers it."""
        with self._arrival:
            number = len(self.requests)
            self.requests.append(request)
            self._arrival.notify_all()
            if number < len(self._script):
                return number, self._script[number]
            self._surplus += 1
            return number, Refuse(status=400, message="the script has no step left")

    def settled(self, step: Step) -> Reply | Refuse | BreakOff | Garbage:
        """Wait out a stall."""
        if not isinstance(step, Stall):
            return step
        self._resumed.wait()
        return step.reply


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client may keep its connection; daemons end with the process
    double: ChatDouble

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests: not worth a traceback."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # small pieces would wait 40 ms each for an acknowledgement

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "mivas"}
            self._json(200, {"object": "list", "data": [model]})
        else:
            self._error(404, f"nothing at {self.path}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/v1/chat/completions":
            self._error(404, f"nothing at {self.path}")
            return
        try:
            body = json.loads(raw)
            body["messages"][0:]
        except (ValueError, LookupError, TypeError):
            self._error(400, "the body holds no messages")
            return
        double = cast(_Server, self.server).double
        number, step = double.take(ChatRequest(body=body, authorization=self.headers.get("authorization")))
        self._answer(double.settled(step), body, number)

    def _answer(self, step: Reply | Refuse | BreakOff | Garbage, request: dict[str, Any], number: int) -> None:
        streamed = bool(request.get("stream"))
        match step:
            case Refuse():
                self._error(step.status, step.message, step.retry_after_ms)
            case Reply() if streamed:
                lines = (json.dumps(one) for one in chunks(step, request, number))
                self._stream((*lines, "[DONE]"))
            case Reply():
                self._json(200, completion(step, request, number))
            case BreakOff() if streamed:
                self._stream([json.dumps(chunk(request, number, {"content": step.text}))], whole=False)
            case BreakOff():
                self.close_connection = True
            case Garbage() if streamed:
                self._stream([step.text, "[DONE]"])
            case Garbage():
                self._send(200, step.text.encode(), {})

    def _stream(self, lines: Iterable[str], *, whole: bool = True) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for line in lines:
            data = f"data: {line}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        if whole:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def _error(self, status: int, message: str, retry_after_ms: int | None = None) -> None:
        headers = {}
        if retry_after_ms is not None:
            headers = {"retry-after-ms": str(retry_after_ms), "retry-after": str(-(-retry_after_ms // 1000))}
        self._json(status, {"error": {"message": message, "type": "scripted", "code": None}}, headers)

    def _json(self, status: int, body: dict[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), headers or {})

    def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: requests are kept, not printed."""
