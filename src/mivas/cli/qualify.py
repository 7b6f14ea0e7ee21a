"""`mivas qualify`: the gate that a harness passes before its calls count."""

from __future__ import annotations

import json
import os
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from mivas.errors import InputError

if TYPE_CHECKING:
    from mivas.run import Qualification, RunOptions


@click.command()
@click.option("--harness", required=True, envvar=["HARNESS", "VOICE_AGENT"], metavar="NAME", help="Who is to qualify.")
@click.option("--model", metavar="NAME", help="Model of a harness that takes one.")
@click.option("--base-url", metavar="URL", help="Where the model is reached.")
@click.option("--mode", type=click.Choice(["text", "voice"]),
              help="How the call is made.  [default: spoken where the harness has a voice]")  # fmt: skip
@click.option("--pack", metavar="PACK", default="control-industry", show_default=True, help="Pack with the fixture.")
@click.option("--tools-url", metavar="URL", help="For chirp: how the agent reaches its tools.")
@click.option("--tools-listen", metavar="HOST:PORT", help="For chirp: where they wait.  [default: 127.0.0.1:0]")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder, the evidence.  [default: below runs/]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Let a harness take the qualifying call, and keep its certificate.

    Five steps are read from the call's evidence; exit 1 when one is missing. The certificate goes to the folder
    MIVAS_CERTIFICATES, or the user's data folder, and holds for this revision of the harness.

    doubled:NAME qualifies an adapter against a double of its provider, without key or network. Its certificate says so,
    and lets no call of NAME count.
    """
    from mivas.cli._run_words import check_unused
    from mivas.cli.run import progress_bar, unused_folder
    from mivas.run import LocalBackend, certificates_folder, folder_name, qualify

    options = _options(given)
    now = datetime.now(UTC)
    root = given["out"] or unused_folder(Path("runs") / folder_name(now, f"qualify-{options.harness}", options.packs))
    check_unused(root)
    backend = LocalBackend(os.environ.get("OPENAI_API_KEY", "").strip() or None)
    with progress_bar(given["as_json"]) as watch:
        found = qualify(
            options, root, backend, folder=certificates_folder(), started_utc=now,
            command=shlex.join(["mivas", *sys.argv[1:]]), watch=watch,
        )  # fmt: skip
    if given["as_json"]:
        click.echo(json.dumps(_document(found)))
    else:
        _print(found)
    ctx.exit(0 if found.steps.all else 1)


def _options(given: dict[str, Any]) -> RunOptions:
    from pydantic import ValidationError

    from mivas.cli._run_words import refused_options
    from mivas.cli.run import who_answers
    from mivas.harness import load_harness
    from mivas.run import RunOptions, double_of

    answering = who_answers(given)
    name = answering["harness"]
    harness = load_harness(name)
    capabilities = harness.capabilities
    if capabilities.knows_answers and double_of(harness) is None:
        raise InputError("knows the answers: its calls never count", where=f"harness {name}", mend="choose another")
    mode: Literal["text", "voice"] = given["mode"] or ("voice" if "voice" in capabilities.modes else "text")
    values = {"base_url": answering["base_url"], "tools_url": given["tools_url"], "tools_listen": given["tools_listen"]}
    try:
        return RunOptions(
            packs=(given["pack"],), harness=name, mode=mode,
            **{key: value for key, value in values.items() if value is not None},
        )  # fmt: skip
    except ValidationError as error:
        raise refused_options(error, "qualify", unnamed="mivas qualify") from None


def _document(found: Qualification) -> dict[str, Any]:
    from dataclasses import asdict

    from mivas.cli._run_words import why_void

    return {
        "harness": found.harness,
        "qualified": found.steps.all,
        "steps": asdict(found.steps),
        "void": why_void(found.result.root, found.result.records[0]),
        "certificate": str(found.certificate) if found.certificate is not None else None,
    }


def _print(found: Qualification) -> None:
    from dataclasses import asdict

    from mivas.cli._run_words import why_void

    for step, shown in asdict(found.steps).items():
        click.echo(f"  {'yes' if shown else 'NO ':3}  {step.replace('_', ' ')}")
    if (why := why_void(found.result.root, found.result.records[0])) is not None:
        click.echo(f"  the call is void: {why}")
    click.echo(f"{found.harness}: {'qualified' if found.steps.all else 'not qualified'}")
    if found.double_of is not None:
        click.echo(f"a double played the provider of {found.double_of}: this proves the adapter, never a model")
    click.echo(f"evidence: {found.result.root}")
    if found.certificate is not None:
        click.echo(f"certificate: {found.certificate}")
