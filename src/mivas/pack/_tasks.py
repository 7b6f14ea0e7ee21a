"""Task files and suites: the three spellings of the public release, and our own folders.

Source: formats.md 1-3 and 8, scoring.md 8, cli.md "Task folders".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from mivas.errors import PackError, UnknownName
from mivas.pack._files import CallerFile, SolutionFile
from mivas.pack._pack import Pack
from mivas.pack._reading import parse_json, parse_json_line, read_model, read_text, validate

Difficulty: TypeAlias = Literal["easy", "medium", "hard"]
AudioCondition: TypeAlias = Literal["perfect", "background_noise", "bad_signal"]
OccurrenceMode: TypeAlias = Literal["always", "once", "nth"]

TASK_KEYS = (
    "task_name", "customer_name", "intent", "traits", "exp_handoff_path", "exp_tool_calls",
    "scripted_responses", "behaviors", "customer_available_tools", "metadata", "exp_db_state",
)  # fmt: skip
ROW_KEYS = (
    "industry", "task_id", "task_name", "customer_name", "intent", "category", "category_slug", "difficulty",
    "audio_condition", "traits", "exp_handoff_path", "exp_tool_calls", "scripted_responses", "behaviors",
    "customer_available_tools", "exp_db_state",
)  # fmt: skip
_METADATA_KEYS = ("category", "category_slug", "difficulty", "audio_condition")


class _Foreign(BaseModel):
    """A file others may have written: unknown keys are kept, and the loader warns."""

    model_config = ConfigDict(extra="allow", frozen=True)


class TraitFile(_Foreign):
    """One thing the caller is or has."""

    trait_name: str
    value: str


class PinText(_Foreign):
    """A locked reply: said word for word when its situation comes up."""

    match_type: Literal["context"]
    match_phrase: str
    response_type: Literal["phrase"]
    response_value: str
    occurrence_mode: OccurrenceMode = "always"


class MetadataFile(_Foreign):
    """Where a task stands in its suite."""

    category: str
    category_slug: str
    difficulty: Difficulty
    audio_condition: AudioCondition


class TaskFile(_Foreign):
    """`task.json` with the eleven keys of the public release."""

    task_name: str
    customer_name: str
    intent: str
    traits: tuple[TraitFile, ...]
    exp_handoff_path: tuple[str, ...]
    exp_tool_calls: tuple[JsonValue, ...]
    scripted_responses: tuple[PinText, ...] = ()
    behaviors: dict[str, JsonValue] = Field(default_factory=dict)
    customer_available_tools: dict[str, JsonValue] = Field(default_factory=dict)
    metadata: MetadataFile
    exp_db_state: dict[str, JsonValue] | None = None


@dataclass(frozen=True, kw_only=True)
class ExpectedCall:
    """One call the lock asks for."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Task:
    """One locked case."""

    task_id: str
    file: TaskFile
    raw: Mapping[str, Any]
    """The task as an object with the eleven public keys, as the verifier reads it."""
    solution: SolutionFile | None = None
    caller: CallerFile | None = None

    @cached_property
    def expected_calls(self) -> tuple[ExpectedCall, ...]:
        """Entries of `exp_tool_calls` that have a name. Source: scoring.md 3.1."""
        return tuple(_expected_calls(self.file.exp_tool_calls))

    @property
    def expected_path(self) -> tuple[str, ...]:
        return self.file.exp_handoff_path

    @cached_property
    def traits(self) -> Mapping[str, str]:
        return {trait.trait_name: trait.value for trait in self.file.traits}


@dataclass(frozen=True, kw_only=True)
class Suite:
    """A named set of tasks of one pack. Name and hash stand in every run and verdict."""

    name: str
    pack_id: str
    tasks: Mapping[str, Task]
    warnings: Sequence[str] = field(default=())

    @cached_property
    def hash(self) -> str:
        """First 16 hex digits of the sha256 over all tasks in id order, keys sorted."""
        lines = (
            json.dumps([task_id, self.tasks[task_id].raw], sort_keys=True, separators=(",", ":"))
            for task_id in sorted(self.tasks)
        )
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def expects_nothing(self, task_id: str) -> bool:
        """Whether the lock asks for no call and no transfer: a silent agent may pass (scoring.md 10.3)."""
        task = self.tasks[task_id]
        return not task.expected_calls and not task.expected_path


def load_suite(pack: Pack, path: Path | None = None, name: str | None = None) -> Suite:
    """Read a pack's own tasks, or those at `path`: a folder of `<id>/task.json`, a `tasks.jsonl`, or a dataset folder.

    Args:
        name: suite name of the tasks at `path`; by default `local-` and the last part of the path.
    Raises:
        UnknownName: nothing of the three kinds at `path`.
        PackError: a task, solution or caller program is wrong.
    """
    if path is None:
        found = list(_folder_tasks(pack.folder / "tasks")) if (pack.folder / "tasks").is_dir() else []
        return _suite(pack, pack.suite, found, own=True)
    own = path.resolve() == (pack.folder / "tasks").resolve()
    suite_name = pack.suite if own else name or f"local-{path.resolve().stem}"
    return _suite(pack, suite_name, list(_tasks_at(pack, path)), own=own)


@dataclass(frozen=True, kw_only=True)
class _Found:
    task_id: str
    where: str
    data: dict[str, Any]
    folder: Path | None = None
    warnings: tuple[str, ...] = ()


_SUITE_SPELLINGS = "give a folder of <task_id>/task.json, a tasks.jsonl, or a dataset folder"


def _tasks_at(pack: Pack, path: Path) -> Iterator[_Found]:
    if not path.exists():
        raise UnknownName("no such file or folder", where=str(path), mend=_SUITE_SPELLINGS)
    if path.name == "task.json":
        above = path.absolute().parent.parent
        raise UnknownName("is a single task", where=str(path), mend=f"give the folder above its folder: {above}")
    if path.is_file():
        return _row_tasks(pack, path)
    if (path / pack.id / "tasks.jsonl").is_file():
        return _row_tasks(pack, path / pack.id / "tasks.jsonl")
    if (path / "tasks.jsonl").is_file():
        return _row_tasks(pack, path / "tasks.jsonl")
    if path.is_dir() and any(path.glob("*/task.json")):
        return _folder_tasks(path)
    if (path / "task.json").is_file():
        parent = path.absolute().parent
        raise UnknownName("is the folder of one task", where=str(path), mend=f"give its parent: {parent}")
    raise UnknownName("no tasks there", where=str(path), mend=_SUITE_SPELLINGS)


def _folder_tasks(root: Path) -> Iterator[_Found]:
    for file in sorted(root.glob("*/task.json")):
        data = _object(parse_json(read_text(file), str(file)), str(file))
        sibling = file.parent / "exp_db_state.json"
        if "exp_db_state" not in data and sibling.is_file():
            data["exp_db_state"] = parse_json(read_text(sibling), str(sibling))
        yield _Found(
            task_id=file.parent.name,
            where=str(file),
            data=data,
            folder=file.parent,
            warnings=tuple(f"{file}: unknown key {key!r} kept" for key in data if key not in TASK_KEYS),
        )


def _row_tasks(pack: Pack, path: Path) -> Iterator[_Found]:
    # only line feeds part lines: the other marks that splitlines knows may stand inside a text
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        row = _object(parse_json_line(line, where), where)
        if row.get("industry", pack.id) != pack.id:
            continue
        task_id = row.get("task_id")
        if task_id is not None and not isinstance(task_id, str):
            raise PackError("task_id must be a text", where=where, mend="put it between quotation marks")
        if not task_id:
            raise PackError("row has no task_id", where=where, mend="add the column task_id")
        unknown = tuple(
            f"{where}: unknown key {key!r} kept" for key in row if key not in ROW_KEYS and key not in TASK_KEYS
        )
        yield _Found(task_id=task_id, where=where, data=_unflatten(row), warnings=unknown)


def _unflatten(row: dict[str, Any]) -> dict[str, Any]:
    """A dataset row as a task object: the four metadata columns go back into `metadata`."""
    task = {key: value for key, value in row.items() if key not in (*_METADATA_KEYS, "industry", "task_id")}
    if "metadata" not in task:
        task["metadata"] = {key: row[key] for key in _METADATA_KEYS if key in row}
    return task


def _object(data: object, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise PackError("not a JSON object", where=where, mend="write one task object")
    return data


def _suite(pack: Pack, name: str, found: Sequence[_Found], *, own: bool) -> Suite:
    tasks: dict[str, Task] = {}
    warnings: list[str] = []
    for one in found:
        if one.task_id in tasks:
            raise PackError(f"task {one.task_id} stands twice", where=one.where, mend="keep one of the two")
        if own and one.warnings:
            raise PackError(one.warnings[0].split(": ", 1)[1], where=one.where, mend="remove the key")
        tasks[one.task_id] = _task(pack, one)
        warnings += one.warnings
    return Suite(name=name, pack_id=pack.id, tasks=tasks, warnings=tuple(warnings))


def _task(pack: Pack, found: _Found) -> Task:
    file = validate(TaskFile, found.data, found.where)
    for hop in file.exp_handoff_path:
        if pack.scoring.transfer_set and hop not in pack.scoring.transfer_set:
            raise PackError(
                f"expected hop {hop!r} is no transfer of pack {pack.id}",
                where=found.where,
                mend=f"choose from {', '.join(sorted(pack.scoring.transfer_set))}",
            )
    for call in _expected_calls(file.exp_tool_calls):
        _check_any_of(call.arguments, call.name, found.where)
    return Task(
        task_id=found.task_id,
        file=file,
        raw=_normalised(found.data, file),
        solution=_beside(SolutionFile, found.folder, "solution.json"),
        caller=_beside(CallerFile, found.folder, "caller.json"),
    )


def _normalised(data: dict[str, Any], file: TaskFile) -> dict[str, Any]:
    """The raw object with every pin's occurrence_mode written out (scoring.md 8.3)."""
    return {**data, "scripted_responses": [pin.model_dump(mode="json") for pin in file.scripted_responses]}


def _beside(model: type[Any], folder: Path | None, name: str) -> Any:
    if folder is None or not (folder / name).is_file():
        return None
    return read_model(model, folder / name)


def _check_any_of(value: object, spot: str, where: str) -> None:
    """An `any_of` must be a non-empty list (scoring.md 3.5 rule 0). `spot` is the tool and the way to the value."""
    if isinstance(value, dict):
        if set(value) == {"any_of"} and not (isinstance(value["any_of"], list) and value["any_of"]):
            raise PackError(
                f"{spot}: any_of needs a list with at least one option", where=where, mend="list the options"
            )
        for key, item in value.items():
            _check_any_of(item, f"{spot}.{key}", where)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _check_any_of(item, f"{spot}.{number}", where)


def _expected_calls(entries: Sequence[JsonValue]) -> Iterator[ExpectedCall]:
    for entry in entries:
        if isinstance(entry, str) and entry:
            yield ExpectedCall(name=entry, arguments={})
        elif isinstance(entry, dict) and isinstance(entry.get("name"), str) and entry["name"]:
            chosen = (entry.get(key) for key in ("parameters", "arguments", "args"))
            arguments = next((value for value in chosen if isinstance(value, dict)), {})
            yield ExpectedCall(name=str(entry["name"]), arguments=arguments)
