"""`mivas rescore`: scores a finished run again from its evidence. Source: cli.md, decision 0008."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mivas.cli._types import Share

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from mivas.run import Rescored, VerdictChange

MOST_ROWS = 40
"""Flips shown one by one; the rest are counted, and `--json` lists all."""


@click.command("rescore")
@click.argument("root", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--tasks", type=click.Path(path_type=Path), help="Judge by these tasks, even when the run had others.")
@click.option("--dry-run", is_flag=True, help="Say what would change and write nothing.")
@click.option("--fail-under", type=Share(), metavar="X", help="Exit 1 when pass@1 is below X.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
@click.pass_context
def command(
    ctx: click.Context, root: Path, tasks: Path | None, dry_run: bool, fail_under: float | None, as_json: bool
) -> None:
    """Score the finished run in folder RUN again, by the packs and the verifier installed now.

    Nothing is called and nothing plays: the verdict comes from the events, the state service's log and the final
    state of each call. The old verdicts are kept beside the new ones.
    """
    import json
    from datetime import UTC, datetime

    from mivas.cli._reference import suite_name
    from mivas.run import SuiteSource, rescore, try_rescore

    source = SuiteSource(tasks, suite_name(tasks)) if tasks is not None else None
    result = try_rescore(root, source) if dry_run else rescore(root, source, datetime.now(UTC))
    document = _document(result, dry_run)
    if as_json:
        click.echo(json.dumps(document))
    else:
        _show(result, dry_run)
    if fail_under is not None and not (document["pass_at_1"] or 0) >= fail_under:
        ctx.exit(1)


def _document(result: Rescored, dry_run: bool) -> dict[str, Any]:
    from mivas.score import summarise

    overall = summarise(result.verdicts).overall
    return {
        "run_dir": str(result.root),
        "dry_run": dry_run,
        "trials": len(result.verdicts),
        "identical": result.identical,
        "verifier_revision": {"old": list(result.old_revisions), "new": result.new_revision},
        "flipped": [_change(change) for change in result.flipped],
        "otherwise_changed": [_change(change) for change in result.otherwise_changed],
        "kept": [{"key": key, "why": why} for key, why in result.kept.items()],
        "old_verdicts": result.old_file,
        "marks": dict(overall.marks),
        "pass_at_1": overall.pass_at_1,
    }


def _change(change: VerdictChange) -> dict[str, Any]:
    return {
        "key": change.key,
        "old_mark": change.old_mark,
        "new_mark": change.new_mark,
        "appeared": list(change.appeared),
        "disappeared": list(change.disappeared),
        "fields": list(change.fields),
    }


def _show(result: Rescored, dry_run: bool) -> None:
    from mivas.cli._tables import plain_console

    console = plain_console()
    changes = (*result.flipped, *result.otherwise_changed)
    if changes:
        console.print(_table(changes[:MOST_ROWS]))
        if len(changes) > MOST_ROWS:
            console.print(f"and {len(changes) - MOST_ROWS} more, see --json")
    for key, why in result.kept.items():
        console.print(f"kept {key}: {why}", soft_wrap=True)
    for line in _summary(result, dry_run):
        console.print(line, soft_wrap=True)


def _table(changes: Iterable[VerdictChange]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("trial", overflow="fold")
    for heading in ("was", "is"):
        table.add_column(heading, no_wrap=True)
    table.add_column("rule", overflow="fold")
    for change in changes:
        table.add_row(change.key, change.old_mark, change.new_mark, _rule(change))
    return table


def _rule(change: VerdictChange) -> str:
    """Reasons that came with `+`, that went with `-`; the parts of the verdict where no reason moved."""
    moved = [f"+{code}" for code in dict.fromkeys(change.appeared)]
    moved += [f"-{code}" for code in dict.fromkeys(change.disappeared)]
    return ", ".join(moved) or f"in {', '.join(change.fields)}"


def _summary(result: Rescored, dry_run: bool) -> Iterable[str]:
    yield (
        f"{len(result.verdicts)} trials: {len(result.flipped)} flipped, {len(result.otherwise_changed)} changed "
        f"otherwise, {len(result.kept)} kept for want of evidence"
    )
    yield f"verifier: {', '.join(result.old_revisions)} then, {result.new_revision} now"
    if result.identical:
        yield "verdicts.jsonl is byte for byte what it was"
    elif dry_run:
        yield "nothing written (--dry-run)"
    else:
        yield f"verdicts.jsonl rewritten; the old one is {result.root / str(result.old_file)}"
