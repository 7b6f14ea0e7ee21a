"""A phrase table held against its pack: every tool, argument and sentence it names exists and fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import TemplateSyntaxError
from jsonschema import Draft202012Validator

from mivas.pack import Node, Pack
from mivas.reflex._sentences import parse, parse_expression
from mivas.reflex._table import Call, Confirm, Fill, Speak, Step, Table


def table_findings(table: Table, pack: Pack) -> list[str]:
    """What is wrong with a table for that pack, a line each; empty: nothing."""
    nodes = {node.id: node for node in pack.blueprint.nodes}
    found = list(_sentence_findings(table))
    for node_id, desk in table.desks.items():
        node = nodes.get(node_id)
        if node is None:
            found.append(f"desks.{node_id}: the blueprint has no such agent")
            continue
        forms = {f"forms.{name}": form for name, form in table.forms_at(node_id).items()}
        forms |= {"first": desk.first} if desk.first is not None else {}
        for name, form in forms.items():
            for at, step in enumerate(form.steps):
                if isinstance(step, Call):
                    place = f"desks.{node_id}.{name}.steps.{at}"
                    found += _call_findings(place, step.call, step.arguments, node, table, pack)
        for at, route in enumerate(desk.routes):
            place = f"desks.{node_id}.routes.{at}"
            found += _call_findings(place, route.handoff, route.arguments, node, table, pack)
            if route.handoff not in {tool.name for tool in node.tools if tool.kind == "handoff"}:
                found.append(f"{place}: {route.handoff} is no transfer")
    return [*found, *_unserved(table)]


def _call_findings(
    place: str, tool: str, arguments: Mapping[str, Any], node: Node, table: Table, pack: Pack
) -> Iterator[str]:
    if tool not in {one.name for one in node.tools}:
        yield f"{place}: {node.id} has no tool {tool}"
        return
    schema = pack.tool_schemas[tool]
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in arguments:
            yield f"{place}: {tool} needs {name}"
    for name, given in arguments.items():
        if name not in properties:
            yield f"{place}: {tool} takes no {name}"
            continue
        for value in _possible_values(given, table):
            if not Draft202012Validator(properties[name]).is_valid(value):
                yield f"{place}: {tool} takes no {value!r} as {name}"


def _possible_values(given: Any, table: Table) -> list[Any]:
    """What an argument may be; none for an expression that isn't just a slot."""
    if not (isinstance(given, str) and given.startswith("=")):
        return [given]
    slot = table.slots.get(given[1:].strip())
    if slot is None:
        return []
    return [option.value for option in slot.options] or [slot.example]


def _sentence_findings(table: Table) -> Iterator[str]:
    for place, text in _templates(table):
        try:
            parse(text)
        except TemplateSyntaxError as error:
            yield f"{place}: {error.message} in {text!r}"
    for place, text in _expressions(table):
        try:
            parse_expression(text)
        except TemplateSyntaxError as error:
            yield f"{place}: {error.message} in {text!r}"


def _templates(table: Table) -> Iterator[tuple[str, str]]:
    for name, slot in table.slots.items():
        yield from ((f"slots.{name}", text) for text in [*slot.ask, *([slot.spell] if slot.spell else [])])
    for place, form in table.forms():
        for step in form.steps:
            yield from ((place, text) for text in _said_by(step))


def _said_by(step: Step) -> list[str]:
    if isinstance(step, Fill):
        return step.ask
    if isinstance(step, Confirm):
        return [step.say]
    if isinstance(step, Speak):
        return [one.say for one in step.say]
    before = [step.before] if step.before else []
    return [*before, *(one.say for one in step.say), *(one.say for one in step.refused)]


def _expressions(table: Table) -> Iterator[tuple[str, str]]:
    for place, form in table.forms():
        for step in form.steps:
            if isinstance(step, Call | Speak):
                yield from ((place, one.when) for one in step.say if one.when)
            if isinstance(step, Call):
                yield from ((place, text) for text in (step.when, *(one.when for one in step.refused)) if text)
                yield from ((place, text) for text in _computed(step.arguments))
    for node, desk in table.desks.items():
        for route in desk.routes:
            yield from ((f"desks.{node}.routes", text) for text in [route.when, *_computed(route.arguments)] if text)


def _computed(arguments: Mapping[str, Any]) -> list[str]:
    return [given[1:] for given in arguments.values() if isinstance(given, str) and given.startswith("=")]


def _unserved(table: Table) -> Iterator[str]:
    served = {name for node in table.desks for name in table.forms_at(node)}
    for name in table.intents:
        if name not in served:
            yield f"intents.{name}: no desk has a form for it"
