"""`mivas check`: does a pair of pack and harness fit together? No provider is dialled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mivas.pack import CatalogueTool, Pack

# Values that no tool has to accept: a refusal in the right envelope is as good an answer.
_EXAMPLES = {"string": "example", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {}, "null": None}


class _Broken(Exception):
    """What doesn't fit, in one line."""


@click.command()
@click.argument("pack", metavar="[PACK]", envvar="INDUSTRY", default="control-industry")
@click.option(
    "--harness", metavar="NAME", envvar=["HARNESS", "VOICE_AGENT"], default="oracle", show_default=True,
    help="Harness to pair the pack with.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def command(ctx: click.Context, pack: str, harness: str, as_json: bool) -> None:
    """Check the wiring of PACK and a harness: agents, tool declarations, and one tool call over HTTP."""
    from mivas.cli._logging import warn_on_stderr
    from mivas.harness import load_harness
    from mivas.pack import load_pack
    from mivas.run import check_fits

    warn_on_stderr()
    check_fits(harness, load_harness(harness))
    loaded = load_pack(pack)
    try:
        agents, tools = _declarations(loaded)
        called = _call_one_tool(loaded)
    except _Broken as broken:
        if as_json:
            click.echo(json.dumps({"ok": False, "pack": loaded.id, "harness": harness, "error": str(broken)}))
        else:
            click.echo(f"mivas: {loaded.id} with {harness}: {broken}", err=True)
        ctx.exit(1)
    start = loaded.blueprint.entry.id
    if as_json:
        found = {"ok": True, "pack": loaded.id, "harness": harness, "start": start, "agents": agents, "tools": tools}
        click.echo(json.dumps(found | {"called": called}))
    else:
        click.echo(
            f"ok {loaded.id} with {harness}: start agent {start}; {len(agents)} agents: {', '.join(agents)}; "
            f"{len(tools)} tools: {', '.join(tools)}; called {called}"
        )


def _declarations(pack: Pack) -> tuple[list[str], list[str]]:
    """Ids of the agents, names of the tools they declare. Raises _Broken."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    tools: list[str] = []
    for node in pack.blueprint.nodes:
        if not node.instructions.strip():
            raise _Broken(f"agent {node.id} has an empty prompt")
        for tool in node.tools:
            declared = pack.tools.get(tool.name)
            if declared is None:
                raise _Broken(f"agent {node.id} has tool {tool.name}, which tools.json does not declare")
            try:
                Draft202012Validator.check_schema(declared.input_schema)
                Draft202012Validator.check_schema(declared.output_schema)
            except SchemaError as error:
                raise _Broken(f"a schema of tool {tool.name} is not valid: {error.message}") from None
            if tool.name not in tools:
                tools.append(tool.name)
    return [node.id for node in pack.blueprint.nodes], tools


def _call_one_tool(pack: Pack) -> str:
    """Post one tool to a fresh service in shared mode, return its name. Raises _Broken."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    import httpx
    from jsonschema import Draft202012Validator

    from mivas.state import load_toolset, running_service

    tool = _easiest(pack)
    with (
        TemporaryDirectory(prefix="mivas-check-") as folder,
        running_service(pack, Path(folder), shared=True) as running,
    ):
        answer = httpx.post(f"{running.url}/tools/{tool.name}", json={"arguments": _example(tool.input_schema)})
    if answer.status_code != 200:
        raise _Broken(f"tool {tool.name} answered {answer.status_code}: {answer.text}")
    if answer.json().get(pack.envelope.message) == load_toolset(pack).unexpected.message:
        raise _Broken(f"the handler of {tool.name} broke: see the warning above")
    for error in Draft202012Validator(tool.output_schema).iter_errors(answer.json()):
        raise _Broken(f"tool {tool.name} answered out of its outputSchema: {error.message}")
    return tool.name


def _easiest(pack: Pack) -> CatalogueTool:
    """The posted tool that needs the fewest arguments; the first in the catalogue when several do. Raises _Broken."""
    posted = [tool for tool in pack.tools.values() if tool.name in pack.posted_tools]
    if not posted:
        raise _Broken("no agent has a tool that the state service answers")
    return min(posted, key=lambda tool: len(tool.input_schema.get("required", ())))


def _example(schema: Any) -> Any:
    """A value for a schema, good enough to reach a handler."""
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _example(schema[key][0])
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _example(properties.get(name, {})) for name in schema.get("required", ())}
    return _EXAMPLES.get(kind, "example")
