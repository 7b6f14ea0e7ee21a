"""`mivas compare`: two runs side by side, paired by task. Source: cli.md, docs/statistics.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.table import Table

    from mivas.score import Change, Comparison, DifferingCondition, RunRows, ScopeComparison

SEED = 0
"""Of bootstrap and permutations: the same two folders always give the same figures."""
MOST_TASKS = 8
"""Tasks named in a line; the rest are counted, and `--json` lists all."""


@click.command("compare")
@click.argument("folder_a", metavar="A", type=click.Path(path_type=Path))
@click.argument("folder_b", metavar="B", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
def command(folder_a: Path, folder_b: Path, as_json: bool) -> None:
    """Compare the finished runs in folders A and B, task by task.

    Differences are B minus A. Runs of different suites, packs or verifiers are refused.
    """
    import json

    from mivas.score import check_comparable, compare, differing_conditions, import_statistics

    a, b = _run(folder_a), _run(folder_b)
    check_comparable(a, b)
    import_statistics()  # seconds: not before it is clear that there is something to compare
    import numpy as np

    k = min(_trials(a), _trials(b))
    comparison = compare(a.rows, b.rows, k=k, rng=np.random.default_rng(SEED))
    differing = differing_conditions(a, b)
    if as_json:
        click.echo(json.dumps(_document(a, b, comparison, differing)))
    else:
        _show(a, b, comparison, differing)


def _run(folder: Path) -> RunRows:
    from mivas.run import read_run
    from mivas.score import RunRows

    run = read_run(folder)
    return RunRows(name=str(folder), manifest=run.manifest, rows=tuple(run.verdicts.values()))


def _trials(run: RunRows) -> int:
    from mivas.errors import InputError

    trials = run.manifest.get("trials")
    if not isinstance(trials, int) or trials < 1:
        raise InputError("run.json doesn't say how many trials", where=run.name, mend="give the folder of a run")
    return trials


def _document(
    a: RunRows, b: RunRows, comparison: Comparison, differing: Sequence[DifferingCondition]
) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "a": a.name,
        "b": b.name,
        "k": comparison.k,
        "differing": [asdict(one) for one in differing],
        "overall": _scope_document(comparison.overall),
        "packs": {pack: _scope_document(one) for pack, one in comparison.packs.items()},
        "only_in_a": list(comparison.only_in_a),
        "only_in_b": list(comparison.only_in_b),
        "unscored": list(comparison.unscored),
    }


def _scope_document(scope: ScopeComparison) -> dict[str, Any]:
    from dataclasses import asdict

    return {"pass_at_1": asdict(scope.pass_at_1), "pass_hat_k": asdict(scope.pass_hat_k)}


def _show(a: RunRows, b: RunRows, comparison: Comparison, differing: Sequence[DifferingCondition]) -> None:
    from mivas.cli._tables import plain_console

    console = plain_console()
    for letter, run in (("A", a), ("B", b)):
        console.print(f"{letter}: {_harness(run)}, {run.name}", soft_wrap=True)
    console.print(_table(comparison))
    for where, figure, change in _changes(comparison):
        console.print(f"{where}, {figure}: {change.sentence}")
    for line in _notes(comparison, differing):
        console.print(line)


def _harness(run: RunRows) -> str:
    entry = run.manifest.get("harness")
    return str(entry.get("name")) if isinstance(entry, dict) else "unknown harness"


def _changes(comparison: Comparison) -> Iterator[tuple[str, str, Change]]:
    """(where, figure, change) of every row."""
    scopes = list(comparison.packs.items())
    if len(scopes) > 1:
        scopes.append(("all packs", comparison.overall))
    for where, scope in scopes:
        yield where, "pass@1", scope.pass_at_1
        if comparison.k > 1:
            yield where, f"pass^{comparison.k}", scope.pass_hat_k


def _table(comparison: Comparison) -> Table:
    from rich import box
    from rich.table import Table

    from mivas.cli._tables import percent

    # No padding: eight columns and the longest pack's name must fit 80 characters.
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("pack", no_wrap=True)
    table.add_column("figure", no_wrap=True)
    for heading in ("A", "B", "B-A", "95 % interval", "p", "tasks"):
        table.add_column(heading, justify="right", no_wrap=True)
    for where, figure, change in _changes(comparison):
        ends = change.interval and f"{_points(change.interval.low)} .. {_points(change.interval.high)}"
        p = "-" if change.p is None else "<0.001" if change.p < 0.001 else f"{change.p:.3f}"
        table.add_row(
            where, figure, percent(change.a), percent(change.b), _points(change.difference), ends or "-", p,
            str(change.tasks),
        )  # fmt: skip
    return table


def _points(share: float | None) -> str:
    """A difference in points; unknown is a dash."""
    return "-" if share is None else f"{share * 100:+.1f}"


def _notes(comparison: Comparison, differing: Sequence[DifferingCondition]) -> Iterator[str]:
    for tasks, told in (
        (comparison.only_in_a, "only in A, left out"),
        (comparison.only_in_b, "only in B, left out"),
        (comparison.unscored, "without a scored trial on one side, left out"),
    ):
        if tasks:
            more = f" and {len(tasks) - MOST_TASKS} more" if len(tasks) > MOST_TASKS else ""
            yield f"{len(tasks)} {'task' if len(tasks) == 1 else 'tasks'} {told}: {', '.join(tasks[:MOST_TASKS])}{more}"
    for one in differing:
        yield f"differs: {one.field}: {_shown(one.a)} in A, {_shown(one.b)} in B"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())
    return "-" if value is None else str(value)
