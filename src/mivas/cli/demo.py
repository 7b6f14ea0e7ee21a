"""`mivas demo`: the main job with no key and no network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mivas.run import RunOptions, RunResult

TEXT_RUNS = (
    ("oracle", "it knows the answers, so every case passes"),
    ("nop", "it does nothing, so you see what a fail looks like"),
)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the run folders.  [default: runs]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: a list, one entry a run.")
def command(out: Path | None, as_json: bool) -> None:
    """Run every pack offline: all of its cases in text, with an agent that knows the answer and with one that does
    nothing; then a case of each pack as a spoken call over a telephone line, recorded.
    """
    import json

    from mivas.cli.run import result_document
    from mivas.pack import known_packs, load_pack
    from mivas.run import RunOptions, suite_for

    suites = {name: suite_for(load_pack(name), None) for name in known_packs()}
    packs = tuple(name for name, suite in suites.items() if suite.tasks)
    documents: list[dict[str, Any]] = []
    for harness, meaning in TEXT_RUNS:
        result = _run(RunOptions(packs=packs, harness=harness), f"{harness}: {meaning}", out, as_json)
        documents.append(result_document(result))
    first = tuple(dict.fromkeys(next(iter(suites[name].tasks)) for name in packs))
    options = RunOptions(packs=packs, harness="oracle", mode="voice", only=first, concurrency=2)
    options = options.model_copy(update={"tier": _tier(as_json)})
    spoken = _run(options, "spoken: a case of each pack over a telephone line", out, as_json)
    documents.append(result_document(spoken))
    if as_json:
        click.echo(json.dumps(documents))
        return
    for record in spoken.records:
        click.echo(f"listen: {spoken.root / record['files']['audio']}")
    click.echo(f"the same call, word by word and tool by tool: {spoken.root / spoken.records[0]['files']['events']}")
    click.echo(f"look at it: {sys.argv[0]} report {spoken.root}")
    click.echo(f"your own run: {sys.argv[0]} run healthcare --harness NAME --mode voice --trials 5")


def _run(options: RunOptions, title: str, out: Path | None, as_json: bool) -> RunResult:
    from datetime import UTC, datetime

    from mivas.cli.run import print_result, progress_bar, unused_folder
    from mivas.run import LocalBackend, folder_name, start_run

    if not as_json:
        click.echo(f"\n{title}")
    now = datetime.now(UTC)
    root = unused_folder((out or Path("runs")) / folder_name(now, options.harness, options.packs))
    with progress_bar(as_json) as watch:
        result = start_run(options, root, LocalBackend(), started_utc=now, command="mivas demo", watch=watch)
    if not as_json:
        print_result(result)
    return result


def _tier(as_json: bool) -> str:
    """Acoustic where ears are installed; else words are passed, and it is said."""
    from mivas.speech import WeightsMissing, load_ears

    try:
        load_ears("whisper")
    except WeightsMissing as error:
        click.echo(f"{error}; words are passed beside the sound instead", err=as_json)
        return "voiced-text"
    return "acoustic"
