"""`mivas verify`: scores recorded results. No server, no network. Source: cli.md."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mivas.cli._types import Share
from mivas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rich.console import Console

    from mivas.pack import Pack, Suite
    from mivas.verify import Verdict

NO_TASK = {"MISS": "no such task"}


@click.command("verify")
@click.option("--pack", "pack_name", metavar="PACK", required=True, help="Industry name or path of a pack folder.")
@click.option("--input", "source", metavar="RESULTS.jsonl", required=True, type=click.Path(path_type=Path),
              help="Recorded results, one object a line; - reads standard input.")  # fmt: skip
@click.option("--tasks", type=click.Path(path_type=Path), help="Another suite than the pack's own.")
@click.option("--output", type=click.Path(path_type=Path), help="Write verdicts here instead of to standard output.")
@click.option(
    "--explain", is_flag=True, help="For every line that failed, print what the lock expects beside what happened."
)
@click.option("--require-state", is_flag=True, help="Void a result without a dump instead of judging it by two gates.")
@click.option("--discount", default=0.5, show_default=True, type=Share(inside=True),
              help="r_train of a pass with extra transfers.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: the verdicts and their counts.")
@click.pass_context
def command(
    ctx: click.Context,
    pack_name: str,
    source: Path,
    tasks: Path | None,
    output: Path | None,
    explain: bool,
    require_state: bool,
    discount: float,
    as_json: bool,
) -> None:
    """Score recorded results of one pack.

    Exit 0 when every line passes, 1 when one doesn't or can't be read, 2 for bad usage.
    """
    from mivas.cli._reference import suite_name
    from mivas.pack import load_pack, load_suite

    _check_apart(source, output)
    pack = load_pack(pack_name)
    suite = load_suite(pack, tasks, suite_name(tasks))
    scored: list[_Scored] = []
    faults = 0
    for number, line in enumerate(_read(source), start=1):
        if not line.strip():
            continue
        outcome = _score(line, pack, suite, discount=discount, require_state=require_state)
        if isinstance(outcome, str):
            faults += 1
            click.echo(f"{source}:{number}: {outcome}", err=True)
        else:
            scored.append(outcome)
            for oddity in outcome.oddities:
                click.echo(f"{source}:{number}: {oddity}", err=True)
    if not scored and not faults:
        raise InputError("holds no result", where=str(source), mend="record one result a line")
    _write(scored, output, as_json=as_json, faults=faults)
    _show(scored, explain=explain, err=output is None or as_json)
    ctx.exit(0 if faults == 0 and all(one.line["mark"] == "pass" for one in scored) else 1)


def _check_apart(source: Path, output: Path | None) -> None:
    """Raise InputError when writing the verdicts would destroy the recordings."""
    if output is not None and output.exists() and source.exists() and output.samefile(source):
        raise InputError("is the input too", where=f"--output {output}", mend="choose another file")


def _read(source: Path) -> list[bytes]:
    try:
        data = _standard_input() if str(source) == "-" else source.read_bytes()
        # only line feeds part lines: the other marks that splitlines knows may stand inside a text
        return data.removeprefix(BOM_UTF8).split(b"\n")
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", where=str(source), mend="check --input") from None


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed by whoever started us
        raise InputError("is closed", where="standard input", mend="pipe results in, or give --input a file")
    return sys.stdin.buffer.read()


class _Scored(NamedTuple):
    line: dict[str, Any]
    """The verdict as it is written."""
    text: str
    """The same as one line of JSON."""
    verdict: Verdict
    oddities: tuple[str, ...]
    """What of the recording was read as nothing: the verdict stands, but its recorder may be wrong."""


def _score(line: bytes, pack: Pack, suite: Suite, *, discount: float, require_state: bool) -> _Scored | str:
    """The verdict on one line, or what is wrong with the line."""
    import json

    try:
        record = json.loads(line.decode(), parse_constant=_no_number)
        fault = _fault(record)
        if fault is not None:
            return fault
        return _verdict(record, pack, suite, discount=discount, require_state=require_state)
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start + 1} of the line; save the file as UTF-8"
    except json.JSONDecodeError as error:
        return f"broken JSON ({error.msg} at column {error.colno}); write one object a line"
    except RecursionError:
        return "JSON is nested too deeply; record the call as README.md shows"
    except ValueError as error:
        return f"a number can't be read ({str(error).split(';')[0]}); record numbers as JSON has them"


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


def _fault(record: object) -> str | None:
    if not isinstance(record, dict):
        return "not a JSON object; write one object a line"
    if not isinstance(record.get("result"), dict):
        return "has no result object; add the run result under the key result"
    return None


def _verdict(record: Mapping[str, Any], pack: Pack, suite: Suite, *, discount: float, require_state: bool) -> _Scored:
    import json

    from mivas.verify import verdict_object, verify

    task_id, task = _task_of(record, suite)
    verdict = verify(
        task=task,
        result=record["result"],
        state=record.get("state"),
        scoring=pack.scoring,
        tool_schemas=pack.tool_schemas,
        discount=discount,
        require_state=require_state,
    )
    line = verdict_object(verdict, task_id=task_id, trial=record.get("trial"), suite=suite.name, suite_hash=suite.hash)
    # 1e999 is JSON but reads as infinity, which is none
    oddities = list(_oddities(record))
    if verdict.mark == "MISS":
        oddities.insert(0, f"no task {task_id!r} in suite {suite.name}" if task_id else "names no task")
    return _Scored(line, json.dumps(line, allow_nan=False), verdict, tuple(oddities))


def _oddities(record: Mapping[str, Any]) -> Iterator[str]:
    """Parts of a recording that the verifier reads as nothing (scoring.md 3.1)."""
    groups = record["result"].get("tool_calls")
    if not isinstance(groups, list):
        yield "result.tool_calls is no list: read as no call"
        return
    for number, group in enumerate(groups):
        if not isinstance(group, dict) or not group.get("name") or not group.get("actual"):
            yield f"result.tool_calls.{number} has no name or no actual: read as no call"
            continue
        actual = group["actual"] if isinstance(group["actual"], list) else [group["actual"]]
        if any(isinstance(one, dict) and isinstance(one.get("parameters"), str) for one in actual):
            yield f"result.tool_calls.{number}: parameters is a text, not an object: read as no arguments"
    if record.get("state") is not None and not isinstance(record["state"], dict):
        yield "state is no object: read as no dump"


def _task_of(record: Mapping[str, Any], suite: Suite) -> tuple[str | None, Mapping[str, Any] | None]:
    """The task a line belongs to, and its id: inline, by id, by the caller's trait, by the test's name."""
    named = list(_task_ids(record))
    inline = record.get("task")
    if isinstance(inline, dict):
        return next(iter((*named, *_prefix(inline.get("task_name")))), None), inline
    for task_id in named:
        if task_id in suite.tasks:
            return task_id, suite.tasks[task_id].raw
    return next(iter(named), None), None


def _task_ids(record: Mapping[str, Any]) -> Iterator[str]:
    """Candidates in the order they are believed. Each may stand on the line or on its result."""
    result = record["result"]
    if isinstance(record.get("task_id"), str):
        yield record["task_id"]
    for place in (record, result):
        yield from _case_keys(place.get("traits"))
    for place in (record, result):
        yield from _prefix(place.get("test_name"))


def _case_keys(traits: object) -> Iterable[str]:
    if isinstance(traits, dict):
        value = traits.get("case_key")
        return [value] if isinstance(value, str) else []
    if not isinstance(traits, list):
        return []
    found = [
        trait.get("value") for trait in traits if isinstance(trait, dict) and trait.get("trait_name") == "case_key"
    ]
    return [value for value in found if isinstance(value, str)]


def _prefix(test_name: object) -> Iterable[str]:
    """The case key before the first colon: letters, digits, then groups such as `-E1` or `-BG`."""
    import re

    if not isinstance(test_name, str):
        return []
    key = test_name.split(":", 1)[0].strip()
    return [key] if re.fullmatch(r"[A-Za-z]+[0-9]*(-[A-Z0-9]+)+", key) else []


def _write(scored: list[_Scored], output: Path | None, *, as_json: bool, faults: int) -> None:
    import json

    lines = "".join(f"{one.text}\n" for one in scored)
    if output is not None:
        try:
            output.write_text(lines, encoding="utf-8")
        except OSError as error:
            raise InputError(f"can't be written ({error.strerror})", where=str(output), mend="check --output") from None
    if as_json:
        verdicts = [one.line for one in scored]
        click.echo(json.dumps({"marks": _marks(scored), "unreadable_lines": faults, "verdicts": verdicts}))
    elif output is None:
        click.echo(lines, nl=False)


def _marks(scored: list[_Scored]) -> dict[str, int]:
    return {mark: sum(one.line["mark"] == mark for one in scored) for mark in ("pass", "FAIL", "VOID", "MISS", "wait")}


def _show(scored: list[_Scored], *, explain: bool, err: bool) -> None:
    """A table for people: on standard error while standard output carries the verdicts."""
    from rich.console import Console
    from rich.table import Table

    console = Console(stderr=err)
    table = Table("task", "trial", "mark", "T", "H", "D", "why", box=None, pad_edge=False)
    for one in scored:
        table.add_row(*_cells(one.line))
    console.print(table)
    if explain:
        for one in scored:
            _explain(one, console)
    counts = ", ".join(f"{count} {mark}" for mark, count in _marks(scored).items() if count)
    console.print(f"{len(scored)} scored lines: {counts or 'none'}", markup=False, highlight=False)


def _explain(one: _Scored, console: Console) -> None:
    """The whole lock of a line that failed, each part beside what became of it."""
    from rich.markup import escape
    from rich.table import Table

    from mivas.verify import explain

    if one.line["mark"] != "FAIL":
        return
    title = f"{_dash(one.line['task_id'])}, trial {_dash(one.line['trial'])}"
    table = Table(box=None, pad_edge=False, title=escape(title), title_justify="left")
    for heading in ("", "the lock expects", "what happened"):
        table.add_column(heading, overflow="fold")  # nothing of a lock may be cut off
    for row in explain(one.verdict):
        table.add_row(row.gate, escape(_printable(row.expected)), escape(_printable(row.found)),
                      style="" if row.met else "bold")  # fmt: skip
    console.print()
    console.print(table)


def _cells(verdict: Mapping[str, Any]) -> list[str]:
    from rich.markup import escape

    gates = ("tools", "handoff", "database")
    reasons = verdict["reasons"]
    why = reasons[0]["text"] if reasons else verdict["void_reason"] or NO_TASK.get(verdict["mark"], "")
    more = f" (+{len(reasons) - 1})" if len(reasons) > 1 else ""
    return [
        escape(_dash(verdict["task_id"])),
        escape(_dash(verdict["trial"])),
        verdict["mark"],
        *({True: "yes", False: "no", None: "-"}[verdict[gate]["passed"]] for gate in gates),
        escape(_printable(f"{why}{more}")),
    ]


def _dash(value: object) -> str:
    return "-" if value is None else _printable(str(value))


def _printable(text: str) -> str:
    # lone surrogates and control characters are legal JSON, but no terminal should be sent them
    return "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text)
