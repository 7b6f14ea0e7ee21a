"""`mivas tasks`: the cases of a suite as files: build their expected states, check them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mivas.errors import InputError

if TYPE_CHECKING:
    from mivas.pack import Finding, Pack, Suite
    from mivas.probe import BuiltState

_PATH = click.Path(path_type=Path)
_TASKS = click.option("--tasks", type=_PATH, help="Another suite than the pack's own.")


@click.group()
def command() -> None:
    """Build and check the cases of a suite."""


@command.command("build")
@click.argument("pack_name", metavar="PACK")
@_TASKS
@click.option("--only", metavar="GLOB,..", help="Cases by id.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a state differs.")
@click.pass_context
def build(ctx: click.Context, pack_name: str, tasks: Path | None, only: str | None, check: bool) -> None:
    """Write the exp_db_state of each case of PACK: what its solution leaves behind.

    Exit 1 when a solution fails its own lock, or a step is answered otherwise than it expects: that case isn't written.
    """
    from mivas.cli._reference import suite_name
    from mivas.pack import load_pack, load_suite
    from mivas.probe import build_states
    from mivas.run import SuiteSource

    pack = load_pack(pack_name)
    suite = load_suite(pack, tasks, suite_name(tasks))
    folder = tasks if tasks is not None else pack.folder / "tasks"
    task_ids = chosen_cases(suite, only, str(folder))
    if not folder.is_dir() or not all((folder / task_id / "task.json").is_file() for task_id in task_ids):
        raise InputError("isn't a folder of <task_id>/task.json", where=str(folder), mend="give one: it is written to")
    source = SuiteSource(tasks.resolve(), suite.name) if tasks is not None else None
    faults = 0
    for built in build_states(pack_name, source, frozenset(task_ids)):
        for line in _settled(built, folder / built.task_id / "task.json", check=check):
            faults += not line.startswith("wrote ")
            click.echo(line)
    click.echo(f"{len(task_ids)} case{'' if len(task_ids) == 1 else 's'}, {faults} to mend", err=True)
    ctx.exit(1 if faults else 0)


def _settled(built: BuiltState, file: Path, *, check: bool) -> Iterator[str]:
    """Write the state, or say why not."""
    from mivas.suite import task_text

    for complaint in built.complaints:
        yield f"{file}: the solution proves nothing: {complaint}"
    if built.complaints or not built.differs:
        return
    if check:
        yield f"{file}: exp_db_state differs from what the solution leaves behind"
        return
    try:
        task = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(task_text(task | {"exp_db_state": built.state}), encoding="utf-8")
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror})", where=str(file), mend="mend its permissions") from None
    yield f"wrote {file}"


@command.command("lint")
@click.argument("pack_name", metavar="PACK")
@_TASKS
@click.option("--release", is_flag=True, help="Also ask for the counts of a released suite.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def lint_tasks(ctx: click.Context, pack_name: str, tasks: Path | None, release: bool, as_json: bool) -> None:
    """Check every file of the cases of PACK, and the cases against each other. Exit 1 when one has a defect."""
    from mivas.cli._reference import suite_name
    from mivas.pack import load_pack, load_suite

    pack = load_pack(pack_name)
    suite = load_suite(pack, tasks, suite_name(tasks))
    for warning in suite.warnings:
        click.echo(f"warning: {warning}", err=True)
    findings = findings_of(pack, suite, release=release or None)
    if as_json:
        rows = [{"where": found.where, "what": found.what, "mend": found.mend} for found in findings]
        click.echo(json.dumps({"pack": pack.id, "suite": suite.name, "cases": len(suite.tasks), "findings": rows}))
    else:
        for found in findings:
            click.echo(str(found))
        click.echo(f"{len(findings)} finding{'' if len(findings) == 1 else 's'} in {len(suite.tasks)} cases")
    ctx.exit(1 if findings else 0)


def findings_of(pack: Pack, suite: Suite, *, release: bool | None = None) -> list[Finding]:
    """Every defect of a suite's cases: single files, callers' programs, and the cases together."""
    from mivas.cli.packs import program_faults
    from mivas.pack import lint
    from mivas.suite import suite_findings

    of_the_pack = lint(pack)
    return [
        *(found for found in lint(pack, suite) if found not in of_the_pack),
        *program_faults(suite),
        *suite_findings(pack, suite, release=release),
    ]


def chosen_cases(suite: Suite, only: str | None, where: str) -> list[str]:
    """Ids of the cases that the globs of `--only` name, in suite order. Raises InputError when none is left."""
    from fnmatch import fnmatchcase

    globs = [part.strip() for part in only.split(",") if part.strip()] if only is not None else ["*"]
    chosen = [task_id for task_id in suite.tasks if any(fnmatchcase(task_id, glob) for glob in globs)]
    if not chosen:
        raise InputError("no case is left", where="--only" if suite.tasks else where, mend="widen the choice")
    return chosen
