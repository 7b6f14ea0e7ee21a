"""`mivas sweep`: how pass rate, word error and slot accuracy fall as the line gets worse."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mivas.run import Axis, Dose

PICTURE, DATA = "sweep.svg", "sweep.json"


@click.command()
@click.argument("packs", metavar="PACK...", nargs=-1, required=True)
@click.option("--condition", required=True, metavar="AXIS", help="What varies, such as snr=30:0:5 or loss=0:20:5.")
@click.option("--harness", envvar="HARNESS", default="reflex", show_default=True, metavar="NAME", help="Who answers.")
@click.option("--only", metavar="GLOB,..", help="Task ids to run.")
@click.option("--difficulty", metavar="LEVEL,..", help="easy, medium, hard.")
@click.option("--trials", type=click.IntRange(min=1), default=1, show_default=True, help="Calls per task and dose.")
@click.option("--concurrency", type=click.IntRange(min=1), default=1, show_default=True, help="Calls at once.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same for every dose: calls are paired.")
@click.option("--manner", metavar="NAME", help="How the caller takes turns.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder.  [default: runs/<utc>-sweep-<axis>]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def command(packs: tuple[str, ...], condition: str, **given: Any) -> None:
    """Run the same calls over lines that get worse step by step, and draw what that does."""
    import json
    import shlex
    import sys
    from datetime import UTC, datetime

    from mivas.cli.run import progress_bar, unused_folder
    from mivas.run import LocalBackend, RunOptions, parse_axis, sweep

    axis = parse_axis(condition)
    values = {name: given[name] for name in ("harness", "trials", "concurrency", "seed")}
    values |= {"manner": given["manner"]} if given["manner"] else {}
    for name in ("only", "difficulty"):
        if given[name]:
            values[name] = tuple(part.strip() for part in given[name].split(",") if part.strip())
    options = RunOptions(packs=packs, mode="voice", **values)
    now = datetime.now(UTC)
    root = unused_folder(given["out"] or Path("runs") / f"{now:%Y%m%dT%H%M%SZ}-sweep-{axis.name}")
    with progress_bar(given["as_json"]) as watch:
        doses = sweep(
            axis,
            options,
            root,
            LocalBackend(),
            started_utc=now,
            command=shlex.join(["mivas", *sys.argv[1:]]),
            watch=watch,
            told=lambda _: None,
        )
    document = sweep_document(axis, doses, options.harness)
    (root / DATA).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    picture = _drawn(document, root / PICTURE)
    if given["as_json"]:
        click.echo(json.dumps(document))
        return
    _print(document)
    click.echo(f"figures: {root / DATA}" + (f", drawn: {picture}" if picture else ""))


def sweep_document(axis: Axis, doses: tuple[Dose, ...], harness: str) -> dict[str, Any]:
    """What `--json` prints and `sweep.json` keeps."""
    from mivas.score import wilson_interval

    rows = []
    for one in doses:
        interval = wilson_interval(passes=one.passes, trials=one.scored) if one.scored else None
        rows.append(
            {
                "dose": one.dose,
                "condition": one.condition,
                "run_dir": one.run_dir,
                "trials": one.trials,
                "scored": one.scored,
                "pass_rate": one.passes / one.scored if one.scored else None,
                "interval": [interval.low, interval.high] if interval else None,
                "agent_hearing": dict(one.agent_hearing),
                "caller_hearing": dict(one.caller_hearing),
                "response_latency_ms_median": _median(one.response_latency_ms),
                "lost_since_first": _lost(doses[0], one),
                "by_voice": {voice: {"passes": p, "scored": n} for voice, (p, n) in one.by_voice.items()},
            }
        )
    return {"axis": axis.name, "rest": axis.rest, "harness": harness, "doses": rows}


def _lost(first: Dose, other: Dose) -> dict[str, int]:
    """Paired: trials that passed at the first dose and fail here, and the other way round."""
    both = first.passed.keys() & other.passed.keys()
    return {
        "pairs": len(both),
        "lost": sum(first.passed[key] and not other.passed[key] for key in both),
        "gained": sum(other.passed[key] and not first.passed[key] for key in both),
    }


def _median(values: Any) -> float | None:
    from statistics import median

    return median(values) if values else None


def _print(document: dict[str, Any]) -> None:
    from rich import box
    from rich.table import Table

    from mivas.cli._tables import plain_console

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=f"{document['harness']}, by {document['axis']}")
    names = (document["axis"], "pass", "95 %", "word error", "slots", "cut turns", "latency", "lost", "gained")
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for row in document["doses"]:
        hearing = row["agent_hearing"]
        low, high = row["interval"] or (None, None)
        table.add_row(
            f"{row['dose']:g}",
            _percent(row["pass_rate"]),
            f"{_percent(low)}-{_percent(high)}",
            *(_percent(hearing[name]) for name in ("word_error", "slot_accuracy", "cut_turns")),
            f"{row['response_latency_ms_median'] or 0:.0f} ms",
            str(row["lost_since_first"]["lost"]),
            str(row["lost_since_first"]["gained"]),
        )
    plain_console().print(table)


def _percent(share: float | None) -> str:
    return "not measured" if share is None else f"{100 * share:.1f} %"


def _drawn(document: dict[str, Any], path: Path) -> Path | None:
    """The curves as a picture; None where nothing to draw with is installed."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return None
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    rows = [row for row in document["doses"] if row["pass_rate"] is not None]
    at = [row["dose"] for row in rows]
    rates = [row["pass_rate"] for row in rows]
    spread = [
        [row["pass_rate"] - row["interval"][0] for row in rows],
        [row["interval"][1] - row["pass_rate"] for row in rows],
    ]
    axes.errorbar(at, rates, yerr=spread, marker="o", capsize=3, label="pass rate, 95 % interval")
    for name, label in (("word_error", "agent's word error"), ("slot_accuracy", "facts heard by the agent")):
        axes.plot(at, [row["agent_hearing"][name] for row in rows], marker=".", linestyle="--", label=label)
    axes.set_xlabel(document["axis"])
    axes.set_ylim(-0.02, 1.02)
    if len(at) > 1 and at[0] > at[-1]:
        axes.invert_xaxis()
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    axes.set_title(f"{document['harness']} as {document['axis']} varies")
    figure.savefig(path, metadata={"Date": None})
    return path
