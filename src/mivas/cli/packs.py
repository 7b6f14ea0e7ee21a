"""`mivas packs`: everything about packs that needs no call: list, lint, graph, schema, tasks."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mivas.errors import InputError, MivasError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.table import Table

    from mivas.pack import Finding, Pack, Suite, Task

_SUMMARY_HEADS = ("pack", "title", "version", "suite", "hash", "cases", "nodes", "tools")
_SUMMARY_KEYS = ("title", "pack_version", "suite", "suite_hash", "cases", "nodes", "tools")
_WRAPPED = ("title", "path", "writes")
_SHORT_HASH = 8
_CASES = "*"
"""What `--prompt` stands for when no node is named."""
_PATH = click.Path(path_type=Path)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
_TASKS = click.option("--tasks", "tasks", type=_PATH, help="Another suite: folder, tasks.jsonl or dataset folder.")


@click.group()
def command() -> None:
    """Look at packs: the worlds that callers phone."""


@command.command("list")
@_JSON
def list_packs(as_json: bool) -> None:
    """List the installed packs, a broken one with what is wrong."""
    from mivas.pack import known_packs

    rows = [_summary(name) for name in known_packs()]
    if as_json:
        _print_json(rows)
    else:
        _print_table(_table(_SUMMARY_HEADS, map(_summary_cells, rows)))
        for row in rows:
            if "error" in row:
                click.echo(f"broken: {row['error']}", err=True)


def _summary(name: str) -> dict[str, Any]:
    from mivas.pack import load_pack, load_suite

    try:
        pack = load_pack(name)
        suite = load_suite(pack)
    except MivasError as error:
        return {"id": name, **dict.fromkeys(_SUMMARY_KEYS), "error": str(error)}
    return {
        "id": pack.id,
        "title": pack.title,
        "pack_version": pack.version,
        "suite": suite.name,
        "suite_hash": suite.hash,
        "cases": len(suite.tasks),
        "nodes": len(pack.blueprint.nodes),
        "tools": len(pack.tools),
    }


@command.command("lint")
@click.argument("pack_names", metavar="[PACK]...", nargs=-1)
@_TASKS
@_JSON
def lint_packs(pack_names: tuple[str, ...], tasks: Path | None, as_json: bool) -> None:
    """Check PACK, its generated files and its tasks; without PACK all installed ones. Exit 1 when one has a defect."""
    from mivas.pack import known_packs

    if tasks is not None and len(pack_names) != 1:
        raise InputError(
            "belongs to one pack", where="--tasks", mend="name that pack: mivas packs lint PACK --tasks PATH"
        )
    findings: list[tuple[str, Finding]] = []
    for name in pack_names:
        findings += _pack_findings(name, tasks)
    for name in () if pack_names else known_packs():
        try:
            findings += _pack_findings(name, None)
        except MivasError as error:  # one broken pack keeps no other from being checked
            findings.append((name, _as_finding(name, error)))
    if as_json:
        _print_json(
            [{"pack": name, "where": found.where, "what": found.what, "mend": found.mend} for name, found in findings]
        )
    else:
        for name, found in findings:
            click.echo(f"{name}/{found}")
        click.echo(f"{len(findings)} finding{'' if len(findings) == 1 else 's'}")
    raise click.exceptions.Exit(1 if findings else 0)


def _pack_findings(name: str, tasks: Path | None) -> list[tuple[str, Finding]]:
    from mivas.cli._reference import suite_name
    from mivas.pack import lint, load_pack, load_suite

    pack = load_pack(name)
    suite = load_suite(pack, tasks, suite_name(tasks))
    _warn(suite)
    return [(pack.id, found) for found in (*_handler_drift(pack), *lint(pack, suite), *program_faults(suite))]


def _as_finding(name: str, error: MivasError) -> Finding:
    """What kept a pack from being read, its path relative to the pack as in every finding."""
    from mivas.pack import Finding, pack_folder

    try:
        where = error.where.removeprefix(f"{pack_folder(name)}/")
    except MivasError:
        where = error.where
    return Finding(where=where, what=error.what, mend=error.mend)


def program_faults(suite: Suite) -> Iterator[Finding]:
    """What is wrong with the callers' programs, proven against their tasks."""
    from mivas.caller import check_program
    from mivas.pack import Finding

    for task in suite.tasks.values():
        if task.caller is not None:
            for fault in check_program(task.caller, task):
                yield Finding(
                    where=f"{task.task_id}/caller.json",
                    what=fault,
                    mend="correct the program; docs/caller.md says what is checked",
                )


def _handler_drift(pack: Pack) -> Iterator[Finding]:
    """What only the handlers can tell: is tools.json theirs, and do they answer exactly the posted tools?"""
    from mivas.pack import Finding
    from mivas.state import catalogue_text, load_toolset

    toolset = load_toolset(pack)
    if (pack.folder / "tools.json").read_text(encoding="utf-8") != catalogue_text(toolset, pack.envelope):
        yield Finding(where="tools.json", what="differs from tools.py", mend=f"run `{pack.refresh_command}`")
    answered = {tool.name for tool in toolset.tools if tool.handler is not None}
    for name in sorted(pack.posted_tools - answered):
        yield Finding(where="tools.py", what=f"no handler answers {name}", mend="write it with @tool")
    for name in sorted(answered - pack.posted_tools):
        yield Finding(
            where="tools.py", what=f"{name} is answered, but never posted", mend="advertise it without handler"
        )


@command.command("graph")
@click.argument("pack_name", metavar="PACK")
@click.option("--png", type=_PATH, help="Draw a picture into this file: .png, .svg or .pdf.")
@click.option("--write", is_flag=True, help="Refresh the pack's generated files: tools, prompts, diagram, picture.")
@_JSON
def graph(pack_name: str, png: Path | None, write: bool, as_json: bool) -> None:
    """Print the graph of PACK as Mermaid source."""
    from mivas.pack import draw_png, load_pack, mermaid

    if write:
        _refresh(pack_name)
    pack = load_pack(pack_name)
    if png is not None:
        draw_png(pack, png)
        click.echo(f"wrote {png}", err=True)
    if as_json:
        edges = [*pack.blueprint.edges(), *pack.blueprint.human_exits()]
        arrows = [{"from": edge.source, "tool": edge.tool, "to": edge.target} for edge in edges]
        _print_json({"pack": pack.id, "entry": pack.blueprint.entry.id, "edges": arrows, "mermaid": mermaid(pack)})
    else:
        click.echo(mermaid(pack), nl=False)


def _refresh(pack_name: str) -> None:
    """Write every generated file, in the order in which they need each other: a pack loads only with its prompts."""
    from mivas.pack import draw_png, load_pack, mermaid, pack_folder, write_prompts
    from mivas.state import catalogue_text, load_toolset

    folder = pack_folder(pack_name)
    for path in write_prompts(folder):
        click.echo(f"wrote {path}", err=True)
    with _catalogue_to_start_from(folder / "tools.json"):
        pack = load_pack(pack_name)
        catalogue = catalogue_text(load_toolset(pack), pack.envelope)
    diagram, picture = folder / "agent_blueprint.mmd", folder / "agent_blueprint.png"
    redraw = not picture.is_file() or _differs(diagram, mermaid(pack))
    _write(folder / "tools.json", catalogue)
    _write(diagram, mermaid(pack))
    if redraw:  # the same graph gives other bytes with another matplotlib, so an unchanged one isn't drawn again
        draw_png(pack, picture)
        click.echo(f"wrote {picture}", err=True)


@contextmanager
def _catalogue_to_start_from(path: Path) -> Iterator[None]:
    """A pack loads only with a catalogue: lend an empty one where none is, and take it back when what follows fails."""
    before = _content(path)
    if before.strip():
        yield
        return
    existed = path.exists()
    _put(path, '{"tools": []}\n')
    try:
        yield
    except BaseException:
        if existed:
            _put(path, before)
        else:
            path.unlink()
        raise


def _write(path: Path, text: str) -> None:
    if _differs(path, text):
        _put(path, text)
        click.echo(f"wrote {path}", err=True)


def _differs(path: Path, text: str) -> bool:
    return not path.is_file() or _content(path) != text


def _content(path: Path) -> str:
    """Text of a generated file, "" when it isn't there yet; bytes that are none were never generated."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _unusable(path, "read", error) from None


def _put(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _unusable(path, "written", error) from None


def _unusable(path: Path, how: str, error: OSError) -> InputError:
    return InputError(
        f"can't be {how} ({error.strerror})", where=str(path), mend="move it away or mend its permissions"
    )


@command.command("tasks")
@click.argument("pack_name", metavar="PACK")
@_TASKS
@click.option("--only", metavar="GLOB,..", help="Cases by id.")
@click.option(
    "--prompt",
    is_flag=False,
    flag_value=_CASES,
    metavar="[NODE]",
    help="Print the cases as one text to replicate them from; with NODE the prompt that NODE runs on.",
)
@click.option("--coverage", is_flag=True, help="Tell instead what the cases touch of the pack, and what none does.")
@_JSON
def tasks_of(
    pack_name: str, tasks: Path | None, only: str | None, prompt: str | None, coverage: bool, as_json: bool
) -> None:
    """List the cases of PACK."""
    from mivas.cli._reference import suite_name
    from mivas.cli.tasks import chosen_cases
    from mivas.pack import load_pack, load_suite

    pack = load_pack(pack_name)
    if prompt not in (None, _CASES):
        _print_prompt(pack, str(prompt), as_json)
        return
    suite = load_suite(pack, tasks, suite_name(tasks))
    _warn(suite)
    task_ids = chosen_cases(suite, only, str(tasks or pack.id)) if only is not None else list(suite.tasks)
    if prompt == _CASES:
        _print_cases(pack, suite, task_ids, as_json)
        return
    if coverage:
        _print_coverage(pack, suite, as_json)
        return
    rows = [_case(pack, suite.tasks[task_id]) for task_id in task_ids]
    if as_json:
        _print_json({"pack": pack.id, "suite": suite.name, "suite_hash": suite.hash, "tasks": rows})
        return
    _print_table(_table(("case", "difficulty", "path", "calls", "writes"), map(_case_cells, rows)))
    click.echo(f"{len(rows)} case{'' if len(rows) == 1 else 's'}, suite {suite.name} {suite.hash}", err=True)


def _print_coverage(pack: Pack, suite: Suite, as_json: bool) -> None:
    from mivas.cli._coverage import coverage_table
    from mivas.cli._tables import plain_console
    from mivas.probe import coverage_of

    covered = coverage_of(pack, suite)
    if as_json:
        kinds = {kind: {"count": list(one.count), "untouched": list(one.missing)} for kind, one in covered.items()}
        _print_json({"pack": pack.id, "suite": suite.name, "coverage": kinds})
    else:
        plain_console().print(coverage_table(covered, f"coverage of {pack.id} by {suite.name}"))


def _print_cases(pack: Pack, suite: Suite, task_ids: Iterable[str], as_json: bool) -> None:
    from mivas.report.site import replication_prompt

    text = replication_prompt(pack, [suite.tasks[task_id] for task_id in task_ids])
    if as_json:
        _print_json({"pack": pack.id, "suite": suite.name, "suite_hash": suite.hash, "prompt": text})
    else:
        click.echo(text, nl=False)


def _print_prompt(pack: Pack, node: str, as_json: bool) -> None:
    if node not in pack.blueprint.by_id:
        raise UnknownName(f"no node {node!r}", where="--prompt", mend=f"choose from {', '.join(pack.blueprint.by_id)}")
    text = pack.blueprint.by_id[node].instructions
    if as_json:
        _print_json({"pack": pack.id, "node": node, "prompt": text})
    else:
        click.echo(text)


def _case(pack: Pack, task: Task) -> dict[str, Any]:
    from mivas.pack import expected_writes

    return {
        "task_id": task.task_id,
        "title": task.file.task_name.partition(":")[2].strip(),
        "difficulty": task.file.metadata.difficulty,
        "audio_condition": task.file.metadata.audio_condition,
        "path": list(task.expected_path),
        "calls": len(task.expected_calls),
        "writes": expected_writes(pack, task),
    }


def _case_cells(row: dict[str, Any]) -> list[str]:
    writes = row["writes"]
    told = "-" if writes is None else ", ".join(f"{table} {count}" for table, count in writes.items()) or "none"
    return [row["task_id"], row["difficulty"], " > ".join(row["path"]) or "none", str(row["calls"]), told]


@command.command("schema")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document; without NAME all schemas by name.")
def schema(name: str | None, as_json: bool) -> None:
    """Print the JSON Schema of a file (NAME), or the names of all."""
    from mivas.pack import json_schemas

    schemas = json_schemas()
    if name is not None:
        if name not in schemas:
            raise UnknownName(f"no schema {name!r}", where="NAME", mend=f"choose from {', '.join(schemas)}")
        _print_json(schemas[name])
    elif as_json:
        _print_json(schemas)
    else:
        click.echo("\n".join(schemas))


def _warn(suite: Suite) -> None:
    for line in suite.warnings:
        click.echo(f"warning: {line}", err=True)


def _print_json(document: object) -> None:
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _summary_cells(row: dict[str, Any]) -> list[str]:
    if "error" in row:
        return [row["id"], "broken", *["-"] * (len(_SUMMARY_KEYS) - 1)]
    return [str(value)[:_SHORT_HASH] if key == "suite_hash" else str(value) for key, value in row.items()]


def _table(heads: Iterable[str], rows: Iterable[list[str]]) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(head, no_wrap=head not in _WRAPPED)
    for row in rows:
        table.add_row(*row)
    return table


def _print_table(table: Table) -> None:
    from rich.console import Console

    Console().print(table, markup=False)
