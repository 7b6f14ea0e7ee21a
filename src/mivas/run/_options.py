"""Everything that shapes a run, and the plan that follows from it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, field_validator, model_validator

from mivas.caller import DEFAULT_MANNER
from mivas.errors import InputError
from mivas.harness import Capabilities
from mivas.pack import Suite, Task
from mivas.run._speech import SpeechChoice, Tier
from mivas.run._world import SuiteSource

LONGEST_CALL_ID = 64


class RunOptions(BaseModel):
    """Stored as resolved in `run.json`, so that a run can be continued and repeated from its own folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    packs: tuple[str, ...] = Field(min_length=1)
    """Names or folder paths."""
    harness: str
    base_url: str | None = None
    """Address of the model, for a harness that takes one. The key to it is no option: this is written down."""
    tasks: str | None = None
    """Path of another suite than the pack's own."""
    suite: str | None = None
    """Name of the suite at `tasks`, where it is known by one."""
    only: tuple[str, ...] = ()
    """Globs on task ids; empty takes all."""
    difficulty: tuple[Literal["easy", "medium", "hard"], ...] = ()
    trials: PositiveInt = 1
    """Calls per task, the k of pass^k."""
    seed: int = 0
    concurrency: PositiveInt = 1
    """Calls at once, each in a worker process."""
    retries: NonNegativeInt = 0
    """New attempts after a VOID trial."""
    caller: str = "program"
    """Kind of caller, by its entry point."""
    caller_model: str | None = None
    """Model of a caller that has its words from one."""
    caller_base_url: str | None = None
    """Address of that model. The key to it is no option."""
    mode: Literal["text", "voice"] = "text"
    tier: Tier = "acoustic"
    """Of spoken calls: whether both sides have to hear."""
    condition: str | None = None
    """Line of every spoken call (docs/line.md); None: each task's own."""
    manner: str = DEFAULT_MANNER
    """How the caller takes turns in spoken calls."""
    agent_voice: str = "hibari:agent"
    """Voice of an agent that has none of its own."""
    caller_ears: str = "whisper"
    agent_ears: str = "whisper:tiny.en"
    """Ears of an agent that has none of its own. The smaller model hears the short answers of a caller better."""
    clock: Literal["virtual", "real"] = "virtual"
    """On which clock a harness answers that can do both; one that waits for an endpoint has the real one."""
    scope: Literal["enforce", "observe"] = "enforce"
    discount: float = Field(default=0.5, gt=0, lt=1)
    """r_train of a call that passed with extra transfers."""
    call_limit_ms: PositiveInt = 480_000
    """Call cap on the call's clock (scoring.md 8.2)."""
    tools_listen: str = "127.0.0.1:0"
    """Host and port on which a call's tools wait for an agent that runs elsewhere; port 0 takes a free one."""
    tools_url: str | None = None
    """How such an agent reaches that port; None: as it is."""
    report_wait_s: float = Field(default=60.0, ge=0, le=60)
    """How long after hang-up such an agent's report is waited for (runtime.md 8.8)."""

    @field_validator("tools_listen")
    @classmethod
    def _is_address(cls, address: str) -> str:
        listening_address(address)
        return address

    @field_validator("base_url", "caller_base_url", "tools_url")
    @classmethod
    def _is_plain(cls, url: str | None) -> str | None:
        """An address that may be written down."""
        if url is None:
            return None
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https", "ws", "wss") or not parts.netloc:
            raise ValueError("needs an http, https, ws or wss address")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError("must hold no password, query or fragment: it is written to run.json")
        return url

    @model_validator(mode="after")
    def _says_what_it_hears(self) -> RunOptions:
        if self.mode == "text" and self.condition is not None:
            raise ValueError("a text call has no line: leave out --condition, or add --mode voice")
        if self.tools_listen.rpartition(":")[2] != "0" and self.concurrency > 1:
            raise ValueError("calls at once can't share a port: leave out --concurrency, or listen on port 0")
        if self.mode == "voice" and self.tier == "voiced-text" and self.condition is not None:
            raise ValueError(
                "nobody has to hear in the voiced-text tier: leave out --condition, or take --tier acoustic"
            )
        return self

    @property
    def speech(self) -> SpeechChoice | None:
        """How the calls sound; None for text."""
        if self.mode == "text":
            return None
        return SpeechChoice(
            tier=self.tier,
            condition=self.condition,
            manner=self.manner,
            agent_voice=self.agent_voice,
            caller_ears=self.caller_ears,
            agent_ears=self.agent_ears,
        )

    @property
    def suite_source(self) -> SuiteSource | None:
        """Where other tasks than the pack's own are read from; None: the pack's own."""
        return SuiteSource(Path(self.tasks), self.suite) if self.tasks is not None else None


def listening_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`. Raises ValueError.

    >>> listening_address("127.0.0.1:8900"), listening_address("[::1]:0")
    (('127.0.0.1', 8900), ('::1', 0))
    """
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65_535:
        raise ValueError("needs HOST:PORT, such as 127.0.0.1:8900")
    return host.strip("[]"), int(port)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialSpec:
    """One planned call."""

    pack: str
    """Name or path the pack is loaded by."""
    pack_id: str
    task_id: str
    trial: int
    attempt: int
    call_id: str

    @property
    def key(self) -> str:
        return f"{self.pack_id}/{self.task_id}/{self.trial}"


def clock_of(options: RunOptions, capabilities: Capabilities) -> Literal["virtual", "real"]:
    """Which clock the calls run on: the real one for a harness that waits for somebody outside, or when asked for."""
    return "real" if "real" in (options.clock, capabilities.clock) else "virtual"


def call_id_for(seed: int, pack_id: str, task_id: str, trial: int, attempt: int) -> str:
    """`<task_id>-<trial>-<8 hex>`, the same in every process (formats.md 6).

    A foreign task id is spelt in the characters of a call id and cut to its length (runtime.md 3.2): the call id
    names a folder too.

    >>> call_id_for(0, "healthcare", "C1-E1", 0, 1)
    'C1-E1-0-c46631ce'
    """
    text = "/".join(str(part) for part in (seed, pack_id, task_id, trial, attempt))
    tail = f"-{trial}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return re.sub(r"[^A-Za-z0-9_-]", "-", task_id)[: LONGEST_CALL_ID - len(tail)] + tail


def caller_seed(seed: int, pack_id: str, task_id: str, trial: int) -> int:
    """Seed of a trial's caller: another one words its turns otherwise; a new attempt keeps it. 0..2**32-1."""
    text = "/".join(str(part) for part in ("caller", seed, pack_id, task_id, trial))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def plan(options: RunOptions, suites: Mapping[str, Suite]) -> list[TrialSpec]:
    """All trials of a run: packs in order, tasks in suite order, trials 0..k-1.

    Args:
        suites: by the name or path each pack is loaded by.
    Raises InputError when the filters leave nothing, or a pack stands twice (once by name, once by path).
    """
    for name, suite in suites.items():
        if not suite.tasks:
            raise InputError(
                f"suite {suite.name} holds no task of pack {name}", where="PACK/--tasks", mend="give a suite that does"
            )
    pack_ids = [suite.pack_id for suite in suites.values()]
    if twice := sorted({pack_id for pack_id in pack_ids if pack_ids.count(pack_id) > 1}):
        raise InputError(f"pack {', '.join(twice)} is given twice", where="PACK", mend="name it once")
    specs = [
        TrialSpec(
            pack=name,
            pack_id=suite.pack_id,
            task_id=task.task_id,
            trial=trial,
            attempt=1,
            call_id=call_id_for(options.seed, suite.pack_id, task.task_id, trial, 1),
        )
        for name, suite in suites.items()
        for task in _chosen(options, suite)
        for trial in range(options.trials)
    ]
    if not specs:
        raise InputError("no task is left to run", where="--only/--difficulty/--tasks", mend="widen the choice")
    return specs


def _chosen(options: RunOptions, suite: Suite) -> Iterator[Task]:
    for task in suite.tasks.values():
        named = not options.only or any(fnmatchcase(task.task_id, glob) for glob in options.only)
        hard_enough = not options.difficulty or task.file.metadata.difficulty in options.difficulty
        if named and hard_enough:
            yield task
