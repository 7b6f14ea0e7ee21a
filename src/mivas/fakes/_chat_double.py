"""The scripted endpoint: an HTTP server on loopback that answers request by request and keeps what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from mivas.fakes._chat_request import ChatRequest
from mivas.fakes._chat_script import BreakOff, Garbage, Refuse, Reply, Stall, Step, chunk, chunks, completion
from mivas.fakes._script import InOrder, NoStep, Script

MODEL = "double"


class ScriptNotFollowed(AssertionError):
    """Steps were left over, or a request came for which the script has none."""


class ChatDouble:
    """An OpenAI-compatible endpoint that follows a script: steps in the order requests arrive, or any other Script.

    A context manager. On leaving it raises ScriptNotFollowed for steps left over and for requests the script had
    nothing for; an exception from inside passes unchanged.

    Args:
        port: of 127.0.0.1; 0 takes a free one.
    Raises OSError when the port is taken.

    >>> with ChatDouble([]) as double:
    ...     double.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, script: Sequence[Step] | Script, *, port: int = 0) -> None:
        self.requests: list[ChatRequest] = []
        """Completions asked for, retries included."""
        self._resumed = threading.Event()
        self._script: Script = InOrder(script) if isinstance(script, Sequence) else script
        self._unforeseen: list[str] = []
        self._arrival = threading.Condition()
        self._server = _Server(("127.0.0.1", port), _Handler)
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
        complaint = self._script.complaint() or next(iter(self._unforeseen), None)
        if complaint is not None:
            raise ScriptNotFollowed(complaint)

    def take(self, request: ChatRequest) -> tuple[int, Step]:
        """Keep a request and give the number and the step that answers it."""
        with self._arrival:
            number = len(self.requests)
            self.requests.append(request)
            self._arrival.notify_all()
            try:
                return number, self._script.step(request)
            except NoStep as error:
                self._unforeseen.append(str(error))
                return number, error.refusal

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
