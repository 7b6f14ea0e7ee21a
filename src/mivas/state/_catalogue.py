"""tools.json from the handlers: what agents are told, generated so that it can't drift (formats.md 1)."""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections import Counter
from types import ModuleType
from typing import Any

from pydantic import TypeAdapter

from mivas.errors import PackError
from mivas.pack import Envelope, Pack
from mivas.state._handlers import Refusal, Tool, Toolset

EXPORT = "TOOLS"


def load_toolset(pack: Pack) -> Toolset:
    """Import the pack's `tools.py` and return its `TOOLS`. Raises PackError when it is missing or broken."""
    path = pack.folder / "tools.py"
    try:
        module = importlib.import_module(f"{pack.module}.tools") if pack.module else _import_file(pack)
    except (Exception, SystemExit) as error:
        # A pack is foreign code: whatever its import raises is told as that pack's defect, an exit too.
        raise PackError(
            f"can't be imported: {type(error).__name__}: {error}", where=str(path), mend="mend the module"
        ) from error
    toolset = getattr(module, EXPORT, None)
    if not isinstance(toolset, Toolset):
        raise PackError("exports no TOOLS", where=str(path), mend=f"define {EXPORT} = Toolset(tools=(...), ...)")
    _check_toolset(toolset, str(path))
    return toolset


def _check_toolset(toolset: Toolset, where: str) -> None:
    """A pack's code is checked by nobody's types but ours."""
    tools: object = toolset.tools
    if not isinstance(tools, (tuple, list)):
        raise PackError(f"tools of {EXPORT} are no tuple", where=where, mend="write tools=(...)")
    for number, tool in enumerate(tools):
        if not isinstance(tool, Tool):
            raise PackError(
                f"tools.{number} of {EXPORT} is {_shown(tool)}, no tool",
                where=where,
                mend="write it with @tool or advertised()",
            )
    for name, times in Counter(tool.name for tool in tools).items():
        if times > 1:
            raise PackError(f"{EXPORT} has {times} tools called {name!r}", where=where, mend="keep one of them")
    if not isinstance(toolset.unexpected, Refusal):
        raise PackError(f"unexpected of {EXPORT} is no Refusal", where=where, mend="write Refusal(error_code, message)")


def _shown(value: object) -> str:
    return f"a {type(value).__name__}" if callable(value) else repr(value)[:60]


def _import_file(pack: Pack) -> ModuleType:
    name = f"_mivas_pack_{pack.id.replace('-', '_')}_{abs(hash(str(pack.folder))):x}"
    spec = importlib.util.spec_from_file_location(name, pack.folder / "tools.py")
    if spec is None or spec.loader is None:
        raise ImportError("no module there")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def catalogue(toolset: Toolset, envelope: Envelope) -> dict[str, Any]:
    """The `tools.json` object of a toolset. Raises PackError on a type that has no schema agents could follow."""
    return {"tools": [_entry(tool, envelope) for tool in toolset.tools]}


def catalogue_text(toolset: Toolset, envelope: Envelope) -> str:
    """The text of `tools.json` as checked in: two-space JSON and a final newline."""
    return json.dumps(catalogue(toolset, envelope), indent=2, ensure_ascii=False) + "\n"


def _entry(tool: Tool, envelope: Envelope) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": _schema(tool.input_type),
        "outputSchema": _envelope_schema(envelope) if tool.output_type is None else _schema(tool.output_type),
    }


def _envelope_schema(envelope: Envelope) -> dict[str, Any]:
    properties: dict[str, Any] = {envelope.ok: {"type": "boolean"}}
    if envelope.data is not None:
        properties[envelope.data] = {"type": ["object", "null"]}
    if envelope.error_code is not None:
        properties[envelope.error_code] = {"type": ["string", "null"]}
    properties[envelope.message] = {"type": ["string", "null"]}
    return {"type": "object", "properties": properties, "required": [envelope.ok]}


def _schema(typed_dict: type) -> dict[str, Any]:
    name, mend = getattr(typed_dict, "__name__", repr(typed_dict)), "use Literal and Annotated types in a TypedDict"
    try:
        schema = _tidied(TypeAdapter(typed_dict).json_schema())
    except Exception as error:
        # Pydantic has no common parent for what it raises on a type it doesn't know.
        raise PackError(f"type {name} has no schema: {error}", where="tools.py", mend=mend) from error
    if not isinstance(schema, dict) or "$defs" in schema:
        raise PackError(f"type {name} needs $defs, which providers can't follow", where="tools.py", mend=mend)
    schema.pop("description", None)  # a TypedDict's docstring is for readers of the code
    return schema


def _tidied(value: Any) -> Any:
    """Drop pydantic's generated titles, and spell a Literal of one value as an enum: providers don't know `const`.

    A property that is itself called "title" or "const" is a schema object and stays.
    """
    if isinstance(value, dict):
        kept = {key: _tidied(item) for key, item in value.items() if not (key == "title" and isinstance(item, str))}
        only = kept.get("const")
        return kept if not isinstance(only, str) else {"enum": [only]} | {k: v for k, v in kept.items() if k != "const"}
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    return value
