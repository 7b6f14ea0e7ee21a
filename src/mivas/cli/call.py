"""`mivas call`: one simulated caller dials an agent anywhere."""

from __future__ import annotations

import json
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mivas.errors import InputError

if TYPE_CHECKING:
    from mivas.run import RunOptions


@click.command()
@click.argument("url", metavar="URL")
@click.option("--pack", required=True, envvar="INDUSTRY", metavar="PACK", help="What the call is about.")
@click.option("--task", required=True, metavar="ID", help="Whose call it is, such as C1-E1.")
@click.option(
    "--tools-url", metavar="URL", help="How the agent reaches the port of --tools-listen.  [default: as it is]"
)
@click.option("--tools-listen", metavar="HOST:PORT", help="Where the call's tools wait.  [default: 127.0.0.1:0]")
@click.option("--report-wait", type=click.FloatRange(0, 60), metavar="S",
              help="Longest wait for the agent's report after hang-up.  [default: 60]")  # fmt: skip
@click.option("--condition", metavar="LINE", help="What the line is like, see docs/line.md.  [default: the task's]")
@click.option("--manner", metavar="NAME", help="How the caller takes turns: patient, interrupting, ...")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="Run folder.  [default: runs/<utc>-chirp-<url>-<pack>]")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON document.")
@click.pass_context
def command(ctx: click.Context, /, url: str, pack: str, task: str, **given: Any) -> None:
    """Call the agent at URL (ws:// or wss://) as the caller of one task, and judge the call.

    The agent learns the address of its tools from the header X-Mivas-Tools-Url. Exit 0 when the call passed, else 1.
    """
    from mivas.cli._run_words import check_unused, why_void
    from mivas.cli.run import progress_bar, unused_folder
    from mivas.run import LocalBackend, folder_name, start_run

    options = _options(url, pack, task, given)
    now = datetime.now(UTC)
    root = given["out"] or unused_folder(Path("runs") / folder_name(now, options.harness, options.packs))
    check_unused(root)
    line = shlex.join(["mivas", *sys.argv[1:]])
    with progress_bar(given["as_json"]) as watch:
        result = start_run(options, root, LocalBackend(), started_utc=now, command=line, watch=watch)
    verdict = result.verdicts[0]
    if given["as_json"]:
        click.echo(json.dumps({"run_dir": str(result.root), **verdict}))
    else:
        _print(verdict, why_void(result.root, result.records[0]), result.root)
    ctx.exit(0 if verdict["mark"] == "pass" else 1)


def _options(url: str, pack: str, task: str, given: dict[str, Any]) -> RunOptions:
    from pydantic import ValidationError

    from mivas.cli._run_words import refused_options
    from mivas.harness import load_harness
    from mivas.pack import load_pack
    from mivas.run import RunOptions, suite_for

    harness = f"chirp:{url}"
    load_harness(harness)  # a bad address, before a folder is made
    tasks = suite_for(load_pack(pack), None).tasks
    if task not in tasks:
        raise InputError(f"no task {task!r}", where=f"pack {pack}", mend=f"see `mivas packs tasks {pack}`")
    values = {"tools_url": given["tools_url"], "tools_listen": given["tools_listen"], "manner": given["manner"]}
    values |= {"condition": given["condition"], "report_wait_s": given["report_wait"], "seed": given["seed"]}
    try:
        return RunOptions(
            packs=(pack,), harness=harness, only=(task,), mode="voice",
            **{name: value for name, value in values.items() if value is not None},
        )  # fmt: skip
    except ValidationError as error:
        raise refused_options(error, "call", unnamed="mivas call") from None


def _print(verdict: dict[str, Any] | Any, why: str | None, root: Path) -> None:
    gates = (("tools", "T"), ("handoff", "H"), ("database", "D"))
    marks = "".join(f"  {letter}{_sign(verdict[name]['passed'])}" for name, letter in gates)
    click.echo(f"{verdict['key']}: {verdict['mark']}{marks}{f'  {why}' if why is not None else ''}")
    for reason in verdict["reasons"]:
        click.echo(f"  {reason['gate']} {reason['code']}: {reason['text']}")
    click.echo(f"run folder: {root}")


def _sign(passed: bool | None) -> str:
    return {True: "+", False: "-", None: "?"}[passed]
