"""`mivas export`: finished runs as one flat table, a row a conversation. Source: cli.md, scoring.md section 5."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mivas.pack import Task
    from mivas.report import Conversation
    from mivas.run import StoredRun


@click.command("export")
@click.argument("roots", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "spelling", type=click.Choice(["csv", "jsonl", "parquet"]), default="csv", show_default=True)
@click.option("--public", is_flag=True, help="For others to read: no addresses of recordings, no signed URL.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there instead of to stdout.")
@click.option("--tasks", type=click.Path(path_type=Path), help="Tasks the runs were judged by, if not the pack's own.")
def command(roots: tuple[Path, ...], spelling: str, public: bool, output: Path | None, tasks: Path | None) -> None:
    """Write the finished runs in folders RUN... as one table, one row per conversation.

    Cells hold what was said and sent, unchanged: open a CSV as text, since one that begins with = + - or @ is a formula
    to a spreadsheet. What isn't known is blank.
    """
    from mivas.errors import InputError
    from mivas.report import ADDED_COLUMNS, PUBLISHED_COLUMNS, export_rows, public_columns, public_rows
    from mivas.run import read_run

    if spelling == "parquet" and output is None:
        raise InputError("parquet is no text", where="--format", mend="name a file with --output FILE")
    runs = [read_run(root) for root in roots]
    _check_one_table(runs)
    notes: list[str] = []
    columns = (*PUBLISHED_COLUMNS, *ADDED_COLUMNS)
    known = [_tasks_by_suite(run, tasks) for run in runs]  # all that can be refused is refused before the first byte
    rows: Iterable[dict[str, Any]] = export_rows(
        one for run, found in zip(runs, known, strict=True) for one in _conversations(run, found, notes)
    )
    if public:
        columns, rows = public_columns(columns), public_rows(rows)
    _write(_spelt(spelling, columns, rows), output)
    for note in notes:
        click.echo(f"mivas: {note}", err=True)


def _check_one_table(runs: Sequence[StoredRun]) -> None:
    """Raise InputError when a pack's rows would come from several suites, or a run would stand there twice."""
    from mivas.errors import InputError

    suites: dict[str, tuple[str, Any]] = {}
    seen: set[Path] = set()
    for run in runs:
        if run.root.resolve() in seen:
            raise InputError("given twice", where=str(run.root), mend="give each run once")
        seen.add(run.root.resolve())
        for verdict in run.verdicts.values():
            pack, suite = str(verdict["pack"]), (verdict.get("suite"), verdict.get("suite_hash"))
            where, first = suites.setdefault(pack, (str(run.root), suite))
            if suite != first:
                raise InputError(
                    f"{pack} was judged by suite {suite[0]} ({suite[1]}), in {where} by {first[0]} ({first[1]})",
                    where=str(run.root),
                    mend="export them apart, or rescore one of them",
                )


def _conversations(run: StoredRun, found: Mapping[tuple[str, str], _Tasks], notes: list[str]) -> Iterator[Conversation]:
    """What the run kept of each call, in its order; `notes` gets a line for each thing that is missing."""
    from mivas.report import Conversation

    lost: list[str] = []
    unknown: dict[str, None] = {}
    for key, verdict in run.verdicts.items():
        pack_id, task_id = str(verdict["pack"]), str(verdict["task_id"])
        record = run.records.get(key, {})
        kept = _evidence(run, record)
        if not kept:
            lost.append(key)
        suite = found.get((pack_id, str(verdict.get("suite_hash"))))
        if suite is None:
            unknown[pack_id] = None
        yield Conversation(
            manifest=run.manifest,
            verdict=verdict,
            record=record,
            task=suite.tasks.get(task_id) if suite else None,
            task_path=suite.paths.get(task_id) if suite else None,
            retry_of=_earlier_attempt(run, verdict, record),
            **kept,
        )
    if lost:
        notes.append(f"{run.root}: no evidence of {len(lost)} calls, such as {lost[0]}; what it tells is blank")
    notes += [
        f"{run.root}: tasks of {pack_id} aren't those of the run; what they tell is blank; give them with --tasks PATH"
        for pack_id in unknown
    ]


def _evidence(run: StoredRun, record: Mapping[str, Any]) -> dict[str, Any]:
    """Events, run result and final state of a call; nothing when a part of its evidence is gone."""
    from mivas.errors import JournalError
    from mivas.run import read_evidence, run_result

    if not record:
        return {}
    try:
        evidence = read_evidence(run.root, record)
    except (JournalError, KeyError, TypeError):
        return {}
    result = run_result(evidence.call_id, evidence.events, evidence.logged)
    return {"events": evidence.events, "result": result, "state": evidence.state}


class _Tasks(NamedTuple):
    tasks: Mapping[str, Task]
    paths: Mapping[str, str]
    """Their files, as this project's repository names them; nothing for tasks from elsewhere."""


def _tasks_by_suite(run: StoredRun, tasks: Path | None) -> dict[tuple[str, str], _Tasks]:
    """Tasks of the run's packs as they can be read now, by pack id and suite hash: changed ones are never taken.

    Looked for in the packs themselves, at `tasks`, and where the run had them from. Raises UnknownName when nothing is
    at `tasks`.
    """
    from mivas.cli._reference import suite_name
    from mivas.errors import MivasError, PackError
    from mivas.pack import load_pack
    from mivas.run import SuiteSource, suite_for

    options = run.manifest.get("options") or {}
    places = dict.fromkeys([None, tasks, Path(options["tasks"]) if options.get("tasks") else None])
    found: dict[tuple[str, str], _Tasks] = {}
    for name in options.get("packs") or run.manifest.get("packs") or ():
        try:
            pack = load_pack(name)
        except MivasError:
            continue
        for place in places:
            try:
                suite = suite_for(pack, SuiteSource(place, suite_name(place)) if place is not None else None)
            except MivasError as error:
                if place is not None and place == tasks and not isinstance(error, PackError):
                    raise
                continue  # tasks of another pack, or no longer there: the hash decides what is known
            paths = _repository_paths(pack.folder, suite.tasks) if place is None else {}
            found.setdefault((pack.id, suite.hash), _Tasks(suite.tasks, paths))
    return found


def _repository_paths(folder: Path, task_ids: Iterable[str]) -> dict[str, str]:
    """Files of the tasks in a pack's own folder; nothing for a pack that isn't this project's."""
    import mivas

    ours = Path(mivas.__file__).resolve().parent
    files = {one: folder / place / one / "task.json" for one in task_ids for place in ("fixture", "tasks")
             if (folder / place / one / "task.json").is_file()}  # fmt: skip
    return {
        task_id: f"src/mivas/{file.resolve().relative_to(ours).as_posix()}"
        for task_id, file in files.items()
        if file.resolve().is_relative_to(ours)
    }


def _earlier_attempt(run: StoredRun, verdict: Mapping[str, Any], record: Mapping[str, Any]) -> str | None:
    from mivas.run import call_id_for

    attempt, seed = record.get("attempt"), run.manifest.get("seed")
    if not isinstance(attempt, int) or attempt < 2 or not isinstance(seed, int):
        return None
    return call_id_for(seed, str(verdict["pack"]), str(verdict["task_id"]), verdict["trial"], attempt - 1)


def _spelt(spelling: str, columns: Sequence[Any], rows: Iterable[Mapping[str, Any]]) -> Iterable[bytes]:
    from mivas.report import csv_lines, jsonl_lines, parquet_table

    if spelling == "parquet":
        return (parquet_table(columns, rows),)
    return csv_lines(columns, rows) if spelling == "csv" else jsonl_lines(columns, rows)


def _write(parts: Iterable[bytes], output: Path | None) -> None:
    """Write to stdout, or to a file that appears only when it is whole."""
    import sys
    from contextlib import suppress

    from mivas.errors import InputError

    if output is None:
        sys.stdout.buffer.writelines(parts)
        sys.stdout.buffer.flush()
        return
    unfinished = output.with_name(f"{output.name}.part")
    try:
        with unfinished.open("wb") as file:
            file.writelines(parts)
        unfinished.replace(output)
    except OSError as error:
        raise InputError(
            f"can't be written ({error.strerror})", where=str(output), mend="choose another --output"
        ) from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
