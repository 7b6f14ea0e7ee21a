"""Is a pack sound: do its files agree with each other and with what is generated from them?

Source: formats.md 1 and 4, runtime.md 7.1. Whether `tools.json` follows from the handlers is checked by the command,
since a pack's data knows no handler.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from mivas.errors import PackError
from mivas.pack._blueprint import END_CALL
from mivas.pack._database import table_columns
from mivas.pack._drawing import mermaid
from mivas.pack._files import BlueprintFile
from mivas.pack._finding import Finding
from mivas.pack._input_schema import argument_keys
from mivas.pack._lint_tasks import task_findings
from mivas.pack._pack import Pack
from mivas.pack._prompt_check import prompt_findings
from mivas.pack._prompts import GENERATED, SOURCES, generated_prompts
from mivas.pack._reading import read_model
from mivas.pack._scoring import ScoringFile
from mivas.pack._tasks import Suite

BLUEPRINT, CATALOGUE, SCORING = "agent_blueprint.json", "tools.json", "scoring.json"


def lint(pack: Pack, suite: Suite | None = None) -> list[Finding]:
    """Every defect of a pack's files, and of a suite's tasks when one is given. Empty when all is well."""
    if unusable := list(_unusable_schemas(pack)):
        return unusable  # every check of an argument asks them
    columns, broken = _columns(pack)
    findings = [
        *broken,
        *_catalogue(pack),
        *_input_schemas(pack),
        *_prompts(pack),
        *prompt_findings(pack),
        *_reachable(pack),
        *_pictures(pack),
        *_human_tools(pack),
        *_hidden_tables(pack, columns),
        *_scoring(pack, columns),
    ]
    if suite is not None:
        for task in suite.tasks.values():
            findings += task_findings(pack, suite, task, columns)
    return findings


def _catalogue(pack: Pack) -> Iterator[Finding]:
    entries = {tool.name for node in pack.blueprint.nodes for tool in node.tools}
    for node in pack.blueprint.nodes:
        for name, times in Counter(tool.name for tool in node.tools).items():
            if name not in pack.tools:
                yield Finding(
                    where=f"{BLUEPRINT} {node.id}",
                    what=f"tool {name} isn't in {CATALOGUE}",
                    mend="add it to tools.py and regenerate, or delete the entry",
                )
            if times > 1:
                yield Finding(
                    where=f"{BLUEPRINT} {node.id}", what=f"tool {name} stands {times} times", mend="keep one entry"
                )
    for name in pack.tools:
        if name not in entries:
            yield Finding(where=CATALOGUE, what=f"no agent has tool {name}", mend=f"give it to one in {BLUEPRINT}")


def _unusable_schemas(pack: Pack) -> Iterator[Finding]:
    from jsonschema import Draft202012Validator

    for name, schema in pack.tool_schemas.items():
        for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema):
            spot = ".".join(["inputSchema", *map(str, error.absolute_path)])
            yield Finding(
                where=f"{CATALOGUE} {name}.{spot}", what="is no JSON Schema", mend=f"run `{pack.refresh_command}`"
            )


def _input_schemas(pack: Pack) -> Iterator[Finding]:
    for name, schema in pack.tool_schemas.items():
        for key, declared in schema.get("properties", {}).items():
            where = f"{CATALOGUE} {name}.{key}"
            if not declared.get("description"):
                yield Finding(where=where, what="has no description", mend="describe the argument in tools.py")
            if declared.get("type") == "array" and "items" not in declared:
                yield Finding(where=where, what="is an array of nobody knows what", mend="type its items in tools.py")


def _prompts(pack: Pack) -> Iterator[Finding]:
    agents = read_model(BlueprintFile, pack.folder / BLUEPRINT).agents
    users = Counter(agent.system_prompt for agent in agents)
    generated = generated_prompts(pack.folder)
    present = {f"{GENERATED}/{path.name}" for path in (pack.folder / GENERATED).glob("*.md")}
    for prompt, agents_using in users.items():
        if agents_using > 1:
            yield Finding(
                where=f"{BLUEPRINT} {prompt}", what=f"is used by {agents_using} agents", mend="give each agent its own"
            )
        if prompt not in generated:
            yield Finding(where=prompt, what=f"has no source in {SOURCES}/", mend="write the source and regenerate")
        elif (pack.folder / prompt).read_text(encoding="utf-8") != generated[prompt]:
            yield Finding(
                where=prompt, what=f"differs from its sources in {SOURCES}/", mend=f"run `{pack.refresh_command}`"
            )
    for orphan in sorted((present | set(generated)) - set(users)):
        yield Finding(
            where=orphan, what="belongs to no agent", mend=f"delete it and its source, or name it in {BLUEPRINT}"
        )


def _reachable(pack: Pack) -> Iterator[Finding]:
    for node in pack.blueprint.nodes:
        if pack.blueprint.route(pack.blueprint.entry.id, node.id) is None:
            yield Finding(
                where=f"{BLUEPRINT} {node.id}",
                what=f"can't be reached from {pack.blueprint.entry.id}",
                mend="add a handoff to it or delete the agent",
            )


def _pictures(pack: Pack) -> Iterator[Finding]:
    diagram, picture = pack.folder / "agent_blueprint.mmd", pack.folder / "agent_blueprint.png"
    if not diagram.is_file() or diagram.read_text(encoding="utf-8", errors="replace") != mermaid(pack):
        yield Finding(where=diagram.name, what="doesn't show this blueprint", mend=f"run `{pack.refresh_command}`")
    if not picture.is_file():
        yield Finding(where=picture.name, what="is missing", mend=f"run `{pack.refresh_command}`")


def _human_tools(pack: Pack) -> Iterator[Finding]:
    found = {tool.name for node in pack.blueprint.nodes for tool in node.tools if tool.kind == "human"}
    if found != pack.human_tools:
        yield Finding(
            where="pack.json human_tools",
            what=f"says {_listed(pack.human_tools)}, but session tools beside {END_CALL} are {_listed(found)}",
            mend="make the two agree",
        )


def _hidden_tables(pack: Pack, columns: Mapping[str, frozenset[str]] | None) -> Iterator[Finding]:
    where = "pack.json hidden_tables"
    for table in sorted(pack.hidden_tables):
        if columns is not None and table not in columns:
            yield Finding(where=where, what=f"unknown table {table}", mend="name a table of db/schema.sql")
        if table in pack.scoring.tables:
            yield Finding(where=where, what=f"{table} is scored", mend=f"show it, or drop it from {SCORING} tables")


def _scoring(pack: Pack, columns: Mapping[str, frozenset[str]] | None) -> Iterator[Finding]:
    file = read_model(ScoringFile, pack.folder / SCORING)
    yield from _scoring_tools(pack, file)
    if columns is not None:
        yield from _scoring_tables(file, columns)
        yield from _scoring_keys(pack, file, columns)


def _scoring_tools(pack: Pack, file: ScoringFile) -> Iterator[Finding]:
    named = {
        "transfer_set": file.transfer_set,
        "forbidden_unless_expected": file.forbidden_unless_expected,
        "order.identity": file.order.identity,
        "order.before": [name for pair in file.order.before for name in pair],
        "equality": [entry.tool for entry in file.equality if entry.tool is not None],
    }
    for spot, names in named.items():
        for name in sorted(set(names) - set(pack.tools)):
            yield Finding(where=f"{SCORING} {spot}", what=f"unknown tool {name}", mend=f"name a tool of {CATALOGUE}")


def _scoring_tables(file: ScoringFile, columns: Mapping[str, frozenset[str]]) -> Iterator[Finding]:
    mend = "name a table or column of db/schema.sql"
    for table, rule in file.tables.items():
        if table not in columns:
            yield Finding(where=f"{SCORING} tables", what=f"unknown table {table}", mend=mend)
            continue
        for column in sorted(set(rule.drop) - columns[table]):
            yield Finding(where=f"{SCORING} tables.{table}.drop", what=f"unknown column {column}", mend=mend)
    for spot in file.json_columns:
        table, _, column = spot.partition(".")
        if column not in columns.get(table, frozenset()):
            yield Finding(where=f"{SCORING} json_columns", what=f"unknown column {spot}", mend=mend)
    for column in sorted(set(file.drop_columns) - frozenset().union(*columns.values())):
        yield Finding(where=f"{SCORING} drop_columns", what=f"no table has column {column}", mend=mend)


def _scoring_keys(pack: Pack, file: ScoringFile, columns: Mapping[str, frozenset[str]]) -> Iterator[Finding]:
    """Keys that steer a comparison must exist; `fact_keys` and `prose_keys` only sort names, so they may be general."""
    known = set().union(*columns.values(), *(argument_keys(schema) for schema in pack.tool_schemas.values()))
    named = {
        "skip_keys": file.skip_keys,
        "presence_keys": file.presence_keys,
        "equality": [entry.key for entry in file.equality if entry.match == "exact"],
    }
    for spot, keys in named.items():
        for key in sorted(set(keys) - known):
            yield Finding(where=f"{SCORING} {spot}", what=f"no argument or column {key}", mend="correct the key")
    for entry in file.equality:
        if entry.match == "suffix" and not any(key.endswith(entry.key) for key in known):
            yield Finding(
                where=f"{SCORING} equality", what=f"no argument or column ends in {entry.key}", mend="correct the key"
            )


def _columns(pack: Pack) -> tuple[Mapping[str, frozenset[str]] | None, list[Finding]]:
    """Columns of every table of the pack's schema; None and the reason when its SQL is broken."""
    try:
        return table_columns(pack), []
    except PackError as error:
        where = Path(error.where).relative_to(pack.folder).as_posix()
        return None, [Finding(where=where, what=error.what, mend=error.mend)]


def _listed(names: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(names)) or "none"
