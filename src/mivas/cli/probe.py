"""`mivas probe`: is a suite sound? Every case attained, every cheat caught by its gate, every floor failed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from mivas.pack import Pack, Suite
    from mivas.probe import ProbeReport, Watch

MATRIX_WIDTH = 100
"""Columns that eleven saboteurs need; the other tables fit 80."""
_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("pack_name", metavar="PACK")
@click.option("--tasks", type=_PATH, help="Another suite than the pack's own.")
@click.option("--only", metavar="GLOB,..", help="Cases by id.")
@click.option("--survivors", type=_PATH, help="The list of what may survive, with rule numbers.")
@click.option("--picture", type=_PATH, help="Draw the coverage into this file: .png, .svg or .pdf.")
@click.option("--workers", type=click.IntRange(1), help="Processes; default: one a core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def command(
    ctx: click.Context,
    pack_name: str,
    tasks: Path | None,
    only: str | None,
    survivors: Path | None,
    picture: Path | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Prove the suite of PACK: oracle, saboteurs and floor agents over every case. Exit 1 when it isn't sound."""
    import json

    from mivas.cli._coverage import check_drawable, draw_coverage_into
    from mivas.cli._logging import warn_on_stderr
    from mivas.cli._reference import suite_name
    from mivas.cli.tasks import chosen_cases
    from mivas.pack import load_pack, load_suite
    from mivas.probe import ProbeReport, probe, read_survivors, survivors_path
    from mivas.run import SuiteSource

    warn_on_stderr()
    pack = load_pack(pack_name)
    suite = load_suite(pack, tasks, suite_name(tasks))
    if picture is not None:
        check_drawable(picture)
    task_ids = chosen_cases(suite, only, str(tasks or pack.id))
    listed = read_survivors(survivors or survivors_path(pack, suite, tasks), required=survivors is not None)
    source = SuiteSource(tasks.resolve(), suite.name) if tasks is not None else None
    with _progress_bar(quiet=as_json) as watch:
        cases = probe(pack_name, source, task_ids, workers or len(os.sched_getaffinity(0)), watch)
    report = ProbeReport(pack=pack, suite=suite, cases=tuple(cases), accepted=listed, notes=_notes(pack, suite))
    if picture is not None:
        draw_coverage_into(picture, report.coverage, f"{pack.id}, {suite.name}")
    if as_json:
        click.echo(json.dumps(report.document(), ensure_ascii=False))
    else:
        print_report(report)
    ctx.exit(1 if report.problems else 0)


def _notes(pack: Pack, suite: Suite) -> tuple[str, ...]:
    """What the checks of files say. A suite without solutions is foreign: its findings are named by `tasks lint`."""
    from mivas.cli.tasks import findings_of

    proven = any(task.solution is not None for task in suite.tasks.values())
    return tuple(str(found) for found in findings_of(pack, suite)) if proven else ()


@contextmanager
def _progress_bar(*, quiet: bool) -> Iterator[Watch]:
    """A bar on stderr that counts cases; silent where nobody looks at a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda case, total: bar.update(task, advance=1, total=total, description=f"proven {case.task_id}")


def print_report(report: ProbeReport) -> None:
    """Print matrix, summary, floors, coverage and problems."""
    from mivas.cli._coverage import coverage_table
    from mivas.cli._tables import plain_console

    document = report.document()
    console, wide = plain_console(), plain_console()
    wide.width = max(wide.width, MATRIX_WIDTH)
    wide.print(_matrix(report))
    console.print(_SIGNS)
    held = document["necessary"]
    console.print(f"\nattainable {document['attainable']} of {document['cases']}", end="")
    console.print(f", necessary {held['held']} of {held['tested']} facts" if held["tested"] else "")
    console.print(_saboteurs(document))
    console.print(_floors(document))
    console.print(coverage_table(report.coverage, f"coverage of {report.pack.id} by {report.suite.name}"))
    for one in report.accepted:
        if (one.case, one.saboteur) in {(case, name) for case, name, _ in report.survivors}:
            console.print(f"accepted: {one.case} {one.saboteur}, rule {one.rule}: {one.why}", soft_wrap=True)
    if report.problems:
        console.print(f"\nnot sound, {len(report.problems)} problem{'' if len(report.problems) == 1 else 's'}:")
    for problem in report.problems:
        console.print(f"  {problem}", soft_wrap=True)


_SIGNS = (
    "T H D: gates that killed it · passes: as it should, extra hops noted\n"
    "! survives, with the gates that missed it · blank: no place for it"
)


def _matrix(report: ProbeReport) -> Table:
    from rich import box
    from rich.table import Table

    from mivas.probe import FAULTS

    table = Table(title=f"{report.pack.id}, suite {report.suite.name}", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("case", no_wrap=True)
    for name in FAULTS:
        table.add_column(name.replace("-", "\n"), no_wrap=True, vertical="bottom")
    for task_id, cells in report.matrix():
        table.add_row(task_id, *cells.values())
    return table


def _saboteurs(document: dict[str, dict[str, dict[str, object]]]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("saboteur", no_wrap=True)
    for head in ("applicable", "killed", "survived"):
        table.add_column(head, justify="right")
    table.add_column("by gate")
    for name, one in document["saboteurs"].items():
        survived, gates = one["survived"], one["killed_by"]
        assert isinstance(survived, list)
        assert isinstance(gates, dict)
        told = " ".join(f"{letter} {count}" for letter, count in gates.items())
        table.add_row(name, str(one["applicable"]), str(one["killed"]), str(len(survived)), told)
    return table


def _floors(document: dict[str, dict[str, dict[str, object]]]) -> Table:
    from rich import box
    from rich.table import Table

    silent = len(document["expects_nothing"])
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("floor", no_wrap=True)
    table.add_column("passes", justify="right")
    table.add_column(f"cases ({silent} that expect nothing left out)", overflow="fold")
    for name, one in document["floors"].items():
        task_ids = one["task_ids"]
        assert isinstance(task_ids, list)
        table.add_row(name, str(one["passes"]), ", ".join(task_ids))
    return table
