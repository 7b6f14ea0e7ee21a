"""The state service without a wire: runs tools, shows state, keeps the second witness of every call."""

from __future__ import annotations

import json
import logging
import sqlite3
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from mivas.pack import Envelope, Pack
from mivas.state._call import Call, CallMemory
from mivas.state._handlers import Refusal, Tool, Toolset, Unreadable
from mivas.state._log import LoggedCall, logged_calls
from mivas.state._store import CallStore
from mivas.state._template import state_columns

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the service answers to a tool call."""

    status: int
    """HTTP status: 200 for success and refusal alike, 404 unknown tool, 409 idempotency conflict, 422 no JSON."""
    body: bytes
    """JSON object: the pack's envelope, or `{"detail": text}`."""

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = orjson.loads(self.body)
        return value


class _LogFields(NamedTuple):
    """What the log keeps of a request beside the tool's name."""

    node: str | None
    key: str | None
    arguments: bytes


_EARLIER = "SELECT tool, arguments, output FROM _mivas_calls WHERE idempotency_key = ?"
_LOG = (
    "INSERT INTO _mivas_calls (at_utc, node, tool, arguments, output, idempotency_key, broke) "
    "VALUES (?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?)"
)


class StateService:
    """A pack's tools over the databases of many calls. Thread-safe; blocking (SQLite), a few dozen µs a call."""

    def __init__(
        self, pack: Pack, toolset: Toolset, store: CallStore, template: bytes, now_utc: Callable[[], datetime]
    ) -> None:
        self._pack = pack
        self._store = store
        self._now_utc = now_utc
        self._unexpected = toolset.unexpected
        self._handlers: dict[str, Tool] = {tool.name: tool for tool in toolset.tools if tool.handler is not None}
        self._selects = {
            table: (
                f"SELECT {', '.join(_quoted(name) for name, _ in columns)} FROM {_quoted(table)} ORDER BY {_order(columns)}",  # noqa: E501, S608
                tuple(name for name, _ in columns),
                tuple(index for index, (_, is_json) in enumerate(columns) if is_json),
            )
            for table, columns in state_columns(template).items()
            if table not in pack.hidden_tables
        }

    def call_tool(
        self,
        call_id: str | None,
        name: str,
        arguments: Mapping[str, Any],
        *,
        node: str | None = None,
        idempotency_key: str | None = None,
    ) -> Answer:
        """Run one tool in one transaction and log it.

        Args:
            call_id: a clean id, or None for the shared debug database.
            node: acting node for the log; None when unknown.
            idempotency_key: the provider's tool-call id; a repeat gets the stored answer (runtime.md 3.6).
        Raises: StateError when the call's database can't be used. No other exception for any arguments.
        """
        tool = self._handlers.get(name)
        if tool is None:
            return _detail(404, f"unknown tool {name!r}")
        try:
            request = _LogFields(node, idempotency_key, dump_json(arguments))
        except (TypeError, ValueError, RecursionError):
            return _detail(422, "arguments are nested too deeply, or hold what JSON can't")
        return self._store.use(call_id, lambda connection: self._answer_once(connection, tool, arguments, request))

    def state(self, call_id: str | None) -> dict[str, list[dict[str, Any]]]:
        """Every table of the pack, rows by id; a call never seen before equals the seed. Raises StateError."""
        return self._store.use(call_id, self._dump)

    def state_json(self, call_id: str | None) -> bytes:
        """`state` as the bytes of a JSON object. Raises StateError."""
        return dump_json(self.state(call_id))

    def database_image(self, call_id: str) -> bytes | None:
        """The call's database as the bytes of one file, or None for a call never touched. Raises StateError."""
        return self._store.image(call_id)

    @property
    def tool_names(self) -> tuple[str, ...]:
        """Tools the service answers, in catalogue order."""
        return tuple(self._handlers)

    @property
    def pack(self) -> Pack:
        """The pack whose world this is."""
        return self._pack

    def calls(self, call_id: str | None) -> list[LoggedCall]:
        """The service's own record of the call's industry calls, in order. Raises StateError."""
        return self._store.use(call_id, logged_calls)

    def release(self, call_id: str | None) -> None:
        """The call is over: its database becomes one closed file. Idempotent."""
        self._store.release(call_id)

    def close(self) -> None:
        """Close all databases. Idempotent."""
        self._store.close()

    def _answer_once(
        self,
        connection: sqlite3.Connection,
        tool: Tool,
        arguments: Mapping[str, Any],
        request: _LogFields,
    ) -> Answer:
        if request.key is not None:
            earlier = connection.execute(_EARLIER, (request.key,)).fetchone()
            if earlier is not None:
                return _repeated(earlier, tool.name, arguments)
        moment = self._now_utc()
        body, broke = self._run(connection, tool, arguments, moment)
        connection.execute(
            _LOG,
            (
                moment.isoformat(timespec="milliseconds"),
                request.node,
                tool.name,
                request.arguments,
                body,
                request.key,
                broke,
            ),
        )
        connection.execute("COMMIT")
        return Answer(status=200, body=body)

    def _run(
        self, connection: sqlite3.Connection, tool: Tool, arguments: Mapping[str, Any], moment: datetime
    ) -> tuple[bytes, str | None]:
        """Run the handler in a fresh transaction and leave one open for the log.

        Returns the enveloped answer, and what broke in the handler or None.
        """
        connection.execute("BEGIN IMMEDIATE")
        call = Call(
            connection=connection,
            memory=CallMemory(connection),
            scoring=self._pack.scoring,
            now=self._pack.clock or moment.replace(tzinfo=None),
            created_at=moment.isoformat(" ", "seconds")[:19],
        )
        try:
            return dump_json(_enveloped(self._pack.envelope, tool(call, arguments))), None
        except Unreadable:
            broke = None
        except Exception as error:
            # runtime.md 3.6: whatever breaks is a refusal to the agent; the operator is told what and where.
            broke = _what_broke(error)
            logger.warning("tool %s broke: %s", tool.name, broke, exc_info=logger.isEnabledFor(logging.DEBUG))
        connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        return dump_json(_enveloped(self._pack.envelope, self._unexpected)), broke

    def _dump(self, connection: sqlite3.Connection) -> dict[str, list[dict[str, Any]]]:
        state = {}
        for table, (sql, names, json_columns) in self._selects.items():
            rows = [dict(zip(names, row, strict=True)) for row in connection.execute(sql)]
            for index in json_columns:
                for row in rows:
                    row[names[index]] = _decoded(row[names[index]])
            state[table] = rows
        return state


def open_service(
    pack: Pack, toolset: Toolset, store_of: Callable[[bytes], CallStore], now_utc: Callable[[], datetime]
) -> StateService:
    """Build the template and the service over a store made from it. Raises PackError on bad SQL."""
    from mivas.state._template import build_template

    template = build_template(pack)
    return StateService(pack, toolset, store_of(template), template, now_utc)


def machine_now() -> datetime:
    """The machine's clock, for a service in real time."""
    return datetime.now(UTC)


def dump_json(value: object) -> bytes:
    """Compact JSON bytes; integers of any size. Raises TypeError or ValueError for what JSON can't hold."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _order(columns: tuple[tuple[str, bool], ...]) -> str:
    return "id" if any(name == "id" for name, _ in columns) else "rowid"


def _decoded(text: object) -> object:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return text


def _detail(status: int, text: str) -> Answer:
    return Answer(status=status, body=dump_json({"detail": text}))


def _repeated(earlier: tuple[str, str, str], name: str, arguments: Mapping[str, Any]) -> Answer:
    tool, body, output = earlier
    if tool != name or _canonical(json.loads(body)) != _canonical(arguments):
        return _detail(409, "this Idempotency-Key was used for another tool call; use a new key")
    return Answer(status=200, body=output.encode())


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _enveloped(envelope: Envelope, outcome: Mapping[str, Any] | Refusal) -> dict[str, Any]:
    """The pack's envelope around a success or a refusal (runtime.md 3.6; decision 0002 for flat envelopes)."""
    refusal = outcome if isinstance(outcome, Refusal) else None
    body: dict[str, Any] = {envelope.ok: refusal is None}
    if envelope.data is None:
        return body | ({envelope.message: refusal.message} if refusal else outcome)  # type: ignore[operator]
    body[envelope.data] = refusal.data if refusal else outcome
    if envelope.error_code is not None:
        body[envelope.error_code] = refusal.error_code if refusal else None
    body[envelope.message] = refusal.message if refusal else None
    return body


def _what_broke(error: Exception) -> str:
    """Class, text and innermost place of an exception, in one line.

    >>> try:
    ...     {}["date"]
    ... except KeyError as error:
    ...     print(_what_broke(error).split(" at ")[0])
    KeyError: 'date'
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{place}".split())
