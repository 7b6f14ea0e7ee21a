"""What a request says, checked once: call id, keys, token and body (runtime.md 3.2-3.6)."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.types import Receive, Scope

from mivas.state._store import clean_call_id

MAX_BODY_BYTES = 16 * 1024 * 1024  # a whole state is far below 1 MB; more is a mistake or an attack on memory
MAX_KEY_CHARACTERS = 200

MISSING_ID = "missing X-Mivas-Call-Id"
BAD_ID = "X-Mivas-Call-Id must be 1 to 64 letters, digits, _ or -"

_CALL_ID, _NODE, _KEY, _AUTHORIZATION = b"x-mivas-call-id", b"x-mivas-node", b"idempotency-key", b"authorization"


class Rejection(Exception):
    """A request that is answered with a failure status and `{"detail": text}`."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)
        self.status, self.text = status, text


class CallHeaders:
    """The headers of a tool call or of `/state`, read in one pass.

    Raises Rejection 400 for two different call ids in one request.
    """

    __slots__ = ("_query", "call_id_text", "key_text", "node")

    def __init__(self, scope: Scope) -> None:
        self.call_id_text: str | None = None
        self.node: str | None = None
        self.key_text: str | None = None
        for name, value in scope["headers"]:
            if name == _CALL_ID:
                self.call_id_text = _only(self.call_id_text, value.decode("latin-1"), "X-Mivas-Call-Id")
            elif name == _NODE:
                self.node = value.decode("utf-8", "replace")
            elif name == _KEY:
                self.key_text = _only(self.key_text, value.decode("latin-1"), "Idempotency-Key")
        self._query: bytes = scope["query_string"]

    def call_id(self, shared: bool) -> str | None:
        """The clean id; None means the shared database. The header wins over `?call_id=`, which is then not read.

        An id that is there but blank is a bad id also in shared mode. Raises Rejection 400.
        """
        text = self.call_id_text
        if text is None and self._query:
            for name, value in parse_qsl(self._query.decode("latin-1"), keep_blank_values=True):
                if name == "call_id":
                    text = _only(text, value, "call_id")
        if text is None:
            if shared:
                return None
            raise Rejection(400, MISSING_ID)
        return checked_call_id(text)

    def idempotency_key(self) -> str | None:
        """The key, or None without one. Raises Rejection 400."""
        key = self.key_text
        if key is not None and not (0 < len(key) <= MAX_KEY_CHARACTERS and key.isascii() and key.isprintable()):
            raise Rejection(400, f"Idempotency-Key must be 1 to {MAX_KEY_CHARACTERS} printable ASCII characters")
        return key


def checked_call_id(text: str) -> str:
    """The clean id in `text`. Raises Rejection 400."""
    call_id = clean_call_id(text)
    if call_id is None:
        raise Rejection(400, BAD_ID)
    return call_id


def is_operator(scope: Scope, token: str) -> bool:
    """Whether the request carries the operator token. Compared in constant time."""
    given = b""
    for name, value in scope["headers"]:
        if name == _AUTHORIZATION:
            given = value
    scheme, _, credentials = given.partition(b" ")
    # Both comparisons run whatever the first one says.
    return (scheme.lower() == b"bearer") & compare_digest(credentials.strip(), token.encode())


async def json_body(receive: Receive, status: int, complaint: str) -> Any:
    """The body as JSON. Raises Rejection: `status` with `complaint` when it is none, 413 when it is too long."""
    try:
        return orjson.loads(await _body(receive))
    except ValueError:
        raise Rejection(status, complaint) from None


async def tool_arguments(receive: Receive) -> dict[str, Any]:
    """`arguments` of a tool call, empty when left out. Raises Rejection 422 (runtime.md 3.6) or 413."""
    complaint = 'body must be a JSON object {"arguments": object}'
    body = await json_body(receive, 422, complaint)
    arguments = body.get("arguments", {}) if isinstance(body, dict) else None
    if not isinstance(arguments, dict):
        raise Rejection(422, complaint)
    return arguments


async def _body(receive: Receive) -> bytes:
    body = b""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Rejection(400, "connection closed before the body was whole")
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            raise Rejection(413, f"body is longer than {MAX_BODY_BYTES} bytes")
        more = message.get("more_body", False)
    return body


def _only(earlier: str | None, value: str, name: str) -> str:
    if earlier is not None and earlier != value:
        raise Rejection(400, f"two different values for {name}")
    return value
