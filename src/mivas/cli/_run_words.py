"""What several commands say about runs and the options they were given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mivas.errors import InputError

if TYPE_CHECKING:
    from pydantic import ValidationError

LONGEST_REASON = 300
"""Characters of a reason that are shown; all of it stands in `events.jsonl`."""


def refused_options(error: ValidationError, command: str, *, unnamed: str) -> InputError:
    """The first complaint of `RunOptions`, in words for the command line.

    Args:
        unnamed: where the fault is, when it is no single option's.
    """
    first = error.errors(include_url=False)[0]
    where = f"--{str(first['loc'][0]).replace('_', '-')}" if first["loc"] else unnamed
    return InputError(first["msg"].removeprefix("Value error, "), where=where, mend=f"see `mivas {command} --help`")


def check_unused(root: Path) -> None:
    """Raise InputError for a folder with a run in it, for a command that can't continue one."""
    if (root / "run.json").exists():
        raise InputError("holds a run already", where=str(root), mend="give --out an empty or a new folder")


def why_void(root: Path, record: Mapping[str, Any]) -> str | None:
    """Code of a void trial and how its call ended, in one line; None: it isn't void.

    Args:
        record: the trial's line of `trials.jsonl`.
    """
    from mivas.line import CallEnded, read_events

    code = record["void_reason"]
    if not code:
        return None
    try:
        events = tuple(read_events((root / str(record["files"]["events"])).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError):
        return str(code)
    ended = next((one for one in reversed(events) if isinstance(one, CallEnded)), None)
    return f"{code}: {_one_line(ended.reason)}" if ended is not None else str(code)


def void_lines(root: Path, records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each kind of void among trials, the most frequent first."""
    kinds = Counter(why for record in records if (why := why_void(root, record)) is not None)
    for why, count in kinds.most_common():
        yield f"VOID {count}x {why}"


def _one_line(text: str) -> str:
    """A reason may quote a provider: no line break or escape of its reaches the terminal."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(plain.split())[:LONGEST_REASON]
