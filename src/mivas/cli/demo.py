"""`mivas demo`: the main job with no key and no network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

TRIALS = 3


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the run folders.  [default: runs]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: a list, one entry a run.")
def command(out: Path | None, as_json: bool) -> None:
    """Run every pack that brings tasks, offline: once with an agent that knows the answer, once with one that does
    nothing, so that you see what a pass and a fail look like.
    """
    import json
    from datetime import UTC, datetime

    from mivas.cli.run import print_result, progress_bar, result_document, unused_folder
    from mivas.pack import known_packs, load_pack
    from mivas.run import LocalBackend, RunOptions, folder_name, start_run, suite_for

    packs = tuple(name for name in known_packs() if suite_for(load_pack(name), None).tasks)
    calls: list[Path] = []
    documents: list[dict[str, Any]] = []
    for harness, meaning in (("oracle", "it knows the answers, so every case passes"), ("nop", "it does nothing")):
        if not as_json:
            click.echo(f"\n{harness}: {meaning}")
        options = RunOptions(packs=packs, harness=harness, trials=TRIALS)
        now = datetime.now(UTC)
        root = unused_folder((out or Path("runs")) / folder_name(now, harness, packs))
        with progress_bar(as_json) as watch:
            result = start_run(options, root, LocalBackend(), started_utc=now, command="mivas demo", watch=watch)
        documents.append(result_document(result))
        if not as_json:
            print_result(result)
        calls += [result.root / record["files"]["events"] for record in result.records]
    if as_json:
        click.echo(json.dumps(documents))
    else:
        click.echo(f"one call, word by word and tool by tool: {calls[0]}")
        click.echo(f"your own run: {sys.argv[0]} run healthcare --harness NAME --trials 5")
