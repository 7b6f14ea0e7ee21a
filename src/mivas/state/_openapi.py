"""The OpenAPI document: every route, every status, so that a client or a fuzzer needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

Schema = Mapping[str, Any]

_DETAIL = {
    "type": "object",
    "properties": {"detail": {"type": "string"}},
    "required": ["detail"],
    "additionalProperties": False,
}
_ID = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
_TEXT = {"type": "string", "minLength": 1}

_REASONS = {
    400: "Missing or bad call id, key or field",
    401: "Operator token needed",
    404: "Unknown",
    409: "The Idempotency-Key was used for another tool call",
    410: "The call is over",
    413: "Body too long",
    422: "Body of the wrong shape",
    500: "The call's database or snapshot can't be used",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteDoc:
    """What the document says about one route."""

    operation_id: str
    summary: str
    answer: Schema
    success: int = 200
    failures: Sequence[int] = ()
    parameters: Sequence[Schema] = ()
    body: Schema | None = None
    guarded: bool = False
    """Asks for the operator token off loopback."""
    extra: dict[str, Any] = field(init=False)
    responses: dict[int | str, dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        extra: dict[str, Any] = {"parameters": list(self.parameters)}
        if self.body is not None:
            extra["requestBody"] = {"required": True, "content": _content(self.body)}
        responses: dict[int | str, dict[str, Any]] = {
            status: {"description": _REASONS[status], "content": _content(_DETAIL)} for status in self.failures
        }
        responses[self.success] = {"description": "Done", "content": _content(self.answer)}
        object.__setattr__(self, "extra", extra)
        object.__setattr__(self, "responses", responses)


def document(app: FastAPI, tools: Sequence[str], *, guarded: bool, shared: bool) -> dict[str, Any]:
    """The document of an application, with the pack's tools as the names a client may post.

    Args:
        guarded: the operator's routes ask for the token.
        shared: a request may leave the call id out.
    """
    found = get_openapi(title=app.title, version=app.version, routes=app.routes)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            for parameter in operation["parameters"]:
                if path.endswith("/tools/{name}") and parameter["name"] == "name":
                    parameter["schema"] = {"type": "string", "enum": list(tools)}
                if parameter["name"] == "X-Mivas-Call-Id":
                    parameter["required"] = not shared
            if guarded and _GUARDED[method.upper(), path]:
                operation["security"] = [{"operator": []}]
                operation["responses"]["401"] = {"description": _REASONS[401], "content": _content(_DETAIL)}
    if guarded:
        found.setdefault("components", {})["securitySchemes"] = {"operator": {"type": "http", "scheme": "bearer"}}
    return found


def _content(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _object(**properties: Schema) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _in_path(name: str, schema: Schema) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": schema}


# The alias `?call_id=` stands in words only: a document can't say "one of the two parameters".
_CALL_PARAMETERS = (
    {
        "name": "X-Mivas-Call-Id",
        "in": "header",
        "description": "The call. Without this header the query parameter call_id is read in its place.",
        "schema": _ID,
    },
)
_TOOL_PARAMETERS = (
    _in_path("name", _TEXT),
    {"name": "X-Mivas-Node", "in": "header", "description": "Acting node; only logged.", "schema": {"type": "string"}},
    {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A repeat with the same tool and body gets the stored answer.",
        "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,198}[!-~])?$"},
    },
)
_TOOL_BODY = {"type": "object", "properties": {"arguments": {"type": "object"}}}
_TOKEN = _in_path("token", _TEXT)

DOCS: Mapping[tuple[str, str], RouteDoc] = {
    ("GET", "/health"): RouteDoc(
        operation_id="health", summary="Is the service up?", answer=_object(status={"const": "ok"})
    ),
    ("POST", "/tools/{name}"): RouteDoc(
        operation_id="call_tool",
        summary="Run one tool in a call; a refusal is a 200 too",
        parameters=(*_CALL_PARAMETERS, *_TOOL_PARAMETERS),
        body=_TOOL_BODY,
        answer={"type": "object"},
        failures=(400, 404, 409, 413, 422, 500),
    ),
    ("GET", "/state"): RouteDoc(
        operation_id="state",
        summary="Every table of a call, rows by id",
        parameters=_CALL_PARAMETERS,
        answer={"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object"}}},
        failures=(400, 500),
        guarded=True,
    ),
    ("POST", "/snapshot"): RouteDoc(
        operation_id="freeze",
        summary="Keep the final state of a call",
        body=_object(call_id=_ID, state={"type": "object"}),
        answer=_object(ok={"const": True}, call_id=_ID),
        failures=(400, 413, 500),
        guarded=True,
    ),
    ("GET", "/snapshot/{id:path}"): RouteDoc(
        operation_id="snapshot",
        summary="The final state of a call",
        parameters=(_in_path("id", _ID),),
        answer={"type": "object"},
        failures=(400, 404, 500),
        guarded=True,
    ),
    ("POST", "/bind"): RouteDoc(
        operation_id="bind",
        summary="Say which call a provider's call id belongs to",
        body=_object(provider_call_id=_TEXT, sim_id=_TEXT),
        answer=_object(ok={"const": "true"}, provider_call_id=_TEXT, sim_id=_TEXT),
        failures=(400, 413),
        guarded=True,
    ),
    ("GET", "/bind/{provider_call_id:path}"): RouteDoc(
        operation_id="bound",
        summary="The call of a provider's call id",
        parameters=(_in_path("provider_call_id", _TEXT),),
        answer=_object(provider_call_id=_TEXT, sim_id=_TEXT),
        failures=(404,),
        guarded=True,
    ),
    ("POST", "/calls/{token}/tools/{name}"): RouteDoc(
        operation_id="call_tool_remotely",
        summary="Run one tool in the token's call",
        parameters=(_TOKEN, *_TOOL_PARAMETERS),
        body=_TOOL_BODY,
        answer={"type": "object"},
        failures=(400, 404, 409, 410, 413, 422, 500),
    ),
    ("POST", "/calls/{token}/tool_calls"): RouteDoc(
        operation_id="report_tool_calls",
        summary="Report tool calls of the token's call; an empty list says that the report is complete",
        parameters=(_TOKEN,),
        body={
            "type": "array",
            "items": _object(
                name=_TEXT,
                start_offset_ms={"type": "number", "minimum": 0, "exclusiveMaximum": 2**53},
                parameters={"type": "object"},
                output={},
            ),
        },
        success=202,
        answer=_object(ok={"const": True}),
        failures=(404, 410, 413, 422),
    ),
}

_GUARDED = {(method, path.replace(":path", "")): doc.guarded for (method, path), doc in DOCS.items()}


def is_operators_path(path: str) -> bool:
    """Whether a path is one of the operator's or below one.

    >>> is_operators_path("/snapshot/42"), is_operators_path("/state"), is_operators_path("/tools/state")
    (True, True, False)
    """
    return path.split("/", 2)[1:2] in _OPERATORS


_OPERATORS = [[path.split("/")[1]] for (_, path), doc in DOCS.items() if doc.guarded]
