"""`mivas run`: from options to a run folder and the tables a person reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mivas.cli._types import Share
from mivas.errors import InputError

if TYPE_CHECKING:
    from mivas.run import Backend, RunOptions, RunResult, Watch
    from mivas.run import Progress as RunProgress

MOST_TROUBLES = 5
"""Kinds of trouble told while a run goes on; all of them stand in `events.jsonl`."""


@click.command()
@click.argument("packs", metavar="PACK...", nargs=-1)
@click.option("--harness", envvar="HARNESS", metavar="NAME", help="Who answers, such as oracle or nop.")
@click.option("--model", metavar="NAME", help="Model of a harness that takes one: --harness chat --model NAME.")
@click.option("--base-url", metavar="URL", help="Where the model is reached.  [default: OPENAI_BASE_URL, else OpenAI]")
@click.option("--mode", type=click.Choice(["text", "voice"]), help="How the ends talk.  [default: text]")
@click.option("--tier", type=click.Choice(["voiced-text", "acoustic"]),
              help="Of spoken calls: whether both sides have to hear.  [default: acoustic]")  # fmt: skip
@click.option("--condition", metavar="LINE", help="Line of every spoken call, see docs/line.md.  [default: per task]")
@click.option("--manner", metavar="NAME", help="How the caller takes turns: patient, interrupting, ...")
@click.option("--caller-ears", metavar="NAME", help="Recogniser of the caller.  [default: whisper]")
@click.option("--agent-ears", metavar="NAME", help="Recogniser of an agent that has none.  [default: whisper:tiny.en]")
@click.option("--agent-voice", metavar="NAME", help="Voice of an agent that has none.  [default: hibari:agent]")
@click.option("--clock", type=click.Choice(["virtual", "real"]), help="On which clock.  [default: virtual]")
@click.option("--tasks", type=click.Path(path_type=Path), help="Another suite than the pack's own.")
@click.option("--only", metavar="GLOB,..", help="Task ids to run, such as C1-*,R-E1.")
@click.option("--difficulty", metavar="LEVEL,..", help="easy, medium, hard.")
@click.option("--trials", type=click.IntRange(min=1), help="Calls per task, the k of pass^k.  [default: 1]")
@click.option("--concurrency", type=click.IntRange(min=1), help="Calls at once, a worker process each.  [default: 1]")
@click.option("--seed", type=int, help="Seed of the run.  [default: 0]")
@click.option("--retries", type=click.IntRange(min=0), help="New attempts after a VOID trial.  [default: 0]")
@click.option("--caller", metavar="NAME", help="Mind of the caller: program or llm.  [default: program]")
@click.option("--caller-model", metavar="NAME", help="Model of a caller that takes one.")
@click.option("--caller-base-url", metavar="URL", help="Where that model is reached.  [default: as --base-url]")
@click.option("--scope", type=click.Choice(["enforce", "observe"]),
              help="What happens to tools the active node doesn't own.  [default: enforce]")  # fmt: skip
@click.option("--tools-url", metavar="URL", help="For chirp: how the agent reaches its tools.")
@click.option("--tools-listen", metavar="HOST:PORT", help="For chirp: where they wait.  [default: 127.0.0.1:0]")
@click.option("--unqualified", is_flag=True, default=None, help="Run scored packs without a certificate.")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder.  [default: runs/<utc>-<harness>-<packs>]")
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Continue an interrupted run.")
@click.option("--attribute", is_flag=True, default=None,
              help="Run failed acoustic calls again with the words passed: was it hearing or reasoning?")  # fmt: skip
@click.option("--fail-under", type=Share(), metavar="X", help="Exit 1 when pass@1 is below X.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
@click.pass_context
def command(ctx: click.Context, /, packs: tuple[str, ...], **given: Any) -> None:
    """Run a benchmark: every task of PACK... against one harness.

    Ctrl-C leaves a readable folder; --resume continues it.
    """
    import json

    result = _resumed(packs, given) if given["resume"] is not None else _started(packs, given)
    document = result_document(result)
    if given["attribute"]:
        document["attribution"] = _attributed(result)
    if given["as_json"]:
        click.echo(json.dumps(document))
    else:
        print_result(result)
        if given["attribute"]:
            _print_attribution(document["attribution"])
    threshold = given["fail_under"]
    if threshold is not None and not (document["pass_at_1"] or 0) >= threshold:
        ctx.exit(1)


def _attributed(result: RunResult) -> dict[str, Any]:
    """Kinds of the failures, kept in `attribution.json` of the run folder."""
    import json
    from collections import Counter
    from dataclasses import asdict

    from mivas.run import RunOptions, attribute

    options = RunOptions.model_validate(result.manifest["options"])
    found = attribute(result, options, _backend(options.caller_base_url))
    counts = Counter(one.kind for one in found)
    document = {
        "counts": {kind: counts.get(kind, 0) for kind in ("hearing", "reasoning", "not_told")},
        "trials": [asdict(one) for one in found],
    }
    path = result.root / "attribution.json"
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return document


def _print_attribution(document: dict[str, Any]) -> None:
    counts = document["counts"]
    click.echo(
        f"failures: {counts['hearing']} of hearing (passed with the words passed beside the sound), "
        f"{counts['reasoning']} of reasoning" + (f", {counts['not_told']} not told" if counts["not_told"] else "")
    )
    for one in document["trials"]:
        click.echo(f"  {one['key']}: {one['kind']}")


def _started(packs: tuple[str, ...], given: dict[str, Any]) -> RunResult:
    import shlex
    import sys
    from datetime import UTC, datetime

    from mivas.harness import load_harness
    from mivas.run import certificates_folder, check_qualified, folder_name, start_run

    options = _options(packs, given)
    if not given["unqualified"]:
        check_qualified(options, load_harness(options.harness), certificates_folder())
    now = datetime.now(UTC)
    root = given["out"] or unused_folder(Path("runs") / folder_name(now, options.harness, options.packs))
    line = shlex.join(["mivas", *sys.argv[1:]])
    with progress_bar(given["as_json"]) as watch, _hint_of(root):
        return start_run(options, root, _backend(options.caller_base_url), started_utc=now, command=line, watch=watch)


def _resumed(packs: tuple[str, ...], given: dict[str, Any]) -> RunResult:
    from mivas.run import read_manifest, resume_run

    free = {"resume", "concurrency", "as_json", "fail_under", "attribute"}
    # A harness from the environment is only a default; one given by hand contradicts the folder.
    if click.get_current_context().get_parameter_source("harness") is not click.core.ParameterSource.COMMANDLINE:
        free.add("harness")
    contradicting = [
        f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None and name not in free
    ]
    if packs or contradicting:
        named = ", ".join([*contradicting, *(["PACK"] if packs else [])])
        raise InputError(
            f"a resumed run keeps its own options, got {named}", where="--resume", mend=f"leave out {named}"
        )
    options = read_manifest(given["resume"]).get("options")
    backend = _backend(options.get("caller_base_url") if isinstance(options, dict) else None)
    with progress_bar(given["as_json"]) as watch, _hint_of(given["resume"]):
        return resume_run(given["resume"], backend, watch=watch, concurrency=given["concurrency"])


def _backend(caller_base_url: str | None) -> Backend:
    """This machine, with the keys to the models at both ends of a call."""
    from mivas.run import LocalBackend

    return LocalBackend(_api_key(), _caller_api_key(caller_base_url))


def _api_key() -> str | None:
    """From the environment only: a command line is written to `run.json` and shown to every user of the machine."""
    import os

    return os.environ.get("OPENAI_API_KEY", "").strip() or None


def _caller_api_key(base_url: str | None) -> str | None:
    """A key of its own, or OpenAI's where the model is reached at OpenAI's address: no key goes to another server."""
    import os

    own = os.environ.get("MIVAS_CALLER_API_KEY", "").strip()
    shared = base_url is None or base_url == os.environ.get("OPENAI_BASE_URL")
    return own or (_api_key() if shared else None)


def _who_phones(given: dict[str, Any]) -> dict[str, Any]:
    """The options of the caller, tried before a folder is made."""
    import os

    from mivas.caller import CallerEndpoint, load_caller

    name, model, base_url = given["caller"] or "program", given["caller_model"], given["caller_base_url"]
    if model is not None:
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
    load_caller(name, CallerEndpoint(model=model, base_url=base_url, api_key=_caller_api_key(base_url)))
    return {"caller": name, "caller_model": model, "caller_base_url": base_url}


def who_answers(given: dict[str, Any]) -> dict[str, Any]:
    """The options `harness` and `base_url`, tried before a folder is made. A model is the harness's argument."""
    import os

    from mivas.harness import Endpoint, load_harness

    if not given["harness"]:
        raise InputError("no harness given", where="--harness", mend="name one, such as --harness oracle")
    harness, model, base_url = given["harness"], given["model"], given["base_url"]
    if model is not None and not model.strip():
        raise InputError("names no model", where="--model", mend="name one, or leave it out")
    if load_harness(harness).capabilities.takes_endpoint:
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
    elif model is not None:
        raise InputError(f"harness {harness} takes no model", where="--model", mend="leave it out")
    if model is not None and ":" in harness:
        raise InputError(f"harness {harness} names one already", where="--model", mend="leave out one of them")
    harness = harness if model is None else f"{harness}:{model}"
    load_harness(harness, Endpoint(base_url=base_url, api_key=_api_key()))
    return {"harness": harness, "base_url": base_url}


def _options(packs: tuple[str, ...], given: dict[str, Any]) -> RunOptions:
    import os

    from pydantic import ValidationError

    from mivas.cli._reference import suite_name
    from mivas.cli._run_words import refused_options
    from mivas.run import RunOptions

    chosen = packs or ((os.environ["INDUSTRY"],) if os.environ.get("INDUSTRY") else ())
    if not chosen:
        raise InputError("no pack given", where="PACK", mend="name one, see `mivas packs list`")
    answering = who_answers(given)
    phoning = _who_phones(given)
    fields = (
        "trials", "concurrency", "seed", "retries", "scope", "mode", "tier", "condition", "manner", "clock",
        "tools_url", "tools_listen", "caller_ears", "agent_ears", "agent_voice",
    )  # fmt: skip
    values = {name: given[name] for name in fields if given[name] is not None}
    for name in ("only", "difficulty"):
        if given[name] is not None:
            values[name] = tuple(part.strip() for part in given[name].split(",") if part.strip())
            if not values[name]:
                raise InputError("names nothing", where=f"--{name}", mend="give names, or leave it out")
    if given["tasks"] is not None:
        values |= {"tasks": str(given["tasks"].resolve()), "suite": suite_name(given["tasks"])}
    try:
        return RunOptions(packs=tuple(dict.fromkeys(map(_settled, chosen))), **answering, **phoning, **values)
    except ValidationError as error:
        raise refused_options(error, "run", unnamed="--condition") from None


def _settled(pack: str) -> str:
    """A pack's name as it is, a path made absolute: a run may be continued from another folder."""
    from mivas.pack import known_packs

    return pack if pack in known_packs() or not Path(pack).exists() else str(Path(pack).resolve())


@contextmanager
def _hint_of(root: Path) -> Iterator[None]:
    """After Ctrl-C, tell how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"continue with: mivas run --resume {root}", err=True)
        raise


def unused_folder(root: Path) -> Path:
    """That folder, or the first of `-2`, `-3`, ... that nobody used."""
    free, number = root, 2
    while free.exists():
        free, number = root.with_name(f"{root.name}-{number}"), number + 1
    return free


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Watch]:
    """A bar on stderr that counts trials and passes; silent where nobody looks at a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("starting", total=None)
        told: set[str] = set()

        def watch(at: RunProgress) -> None:
            bar.update(task, completed=at.done, total=at.total, description=f"{at.passed} passed, {at.last}")
            for trouble in at.troubles:
                if trouble not in told and len(told) < MOST_TROUBLES:
                    console.print(f"{at.last}: {trouble}", markup=False, highlight=False, soft_wrap=True)
                told.add(trouble)

        yield watch
    if len(told) > MOST_TROUBLES:
        console.print(f"{len(told) - MOST_TROUBLES} more kinds of trouble: see notes and errors in events.jsonl")


def print_result(result: RunResult) -> None:
    """Print a finished run's tables."""
    from mivas.cli._run_words import void_lines
    from mivas.cli._tables import footnotes, pack_table, plain_console, task_table
    from mivas.score import summarise

    trials = result.manifest["trials"]
    console = plain_console()
    if (tasks := task_table(result)) is not None:
        console.print(tasks)
    console.print(pack_table(result, summarise(result.verdicts, largest_k=trials).packs, trials))
    for note in footnotes(result):
        console.print(note)
    for line in void_lines(result.root, result.records):
        console.print(line, soft_wrap=True)
    console.print(f"run folder: {result.root}", soft_wrap=True)


def result_document(result: RunResult) -> dict[str, Any]:
    """The `--json` document of a finished run (cli.md)."""
    from datetime import UTC, datetime

    from mivas.score import summarise

    summary = summarise(result.verdicts, largest_k=result.manifest["trials"])
    started = datetime.fromisoformat(result.manifest["started_utc"])
    overall = summary.overall
    return {
        "run_dir": str(result.root),
        "trials": overall.trials,
        "marks": {mark: overall.marks.get(mark, 0) for mark in ("pass", "FAIL", "VOID", "MISS", "wait")},
        "caller_faults": sum(record["caller_fault"] is not None for record in result.records),
        "pass_at_1": overall.pass_at_1,
        "pass_hat_k": {str(k): hat.value for k, hat in overall.pass_hat_k.items()},
        "packs": {pack_id: _pack_document(one) for pack_id, one in summary.packs.items()},
        "wall_s": round((datetime.now(UTC) - started).total_seconds(), 3),
        "call_s": sum(record["t_ms"] for record in result.records) / 1000,
    }


def _pack_document(figures: Any) -> dict[str, Any]:
    return {
        "trials": figures.trials,
        "marks": {mark: figures.marks.get(mark, 0) for mark in ("pass", "FAIL", "VOID", "MISS", "wait")},
        "pass_at_1": figures.pass_at_1,
        "gates": {"T": figures.gates.tools, "H": figures.gates.handoff, "D": figures.gates.database},
        "verdicts": dict(figures.handoff_verdicts),
    }
