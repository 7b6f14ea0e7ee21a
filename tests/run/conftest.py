"""Runs in a temporary folder: plug-in harnesses to break them with, packs to change, processes to kill."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import pack_folder
from mivas.run import LocalBackend, RunOptions, RunResult, resume_run, start_run

STARTED = datetime(2026, 8, 19, 12, 0, tzinfo=UTC)
PLUG_IN = '''
"""Harnesses that break, each in its own way."""
import asyncio
from mivas.caller import CallerLost, Reply
from mivas.harness import Capabilities

CALLS = []

ODD = [2**80, "\\ud800", "[/red]", float("nan"), [[[]]], {"a": {"b": None}}, "\\u2028\\x00", ""]

LINES = {
    "repeats-itself": ["Which day would you like?"],
    "goes-in-circles": ["Which day would you like?", "May I have your name?"],
    "asks-for-time": [f"One moment, please, {word}." for word in ("sir", "madam", "friend", "you", "caller")],
    "says-nothing": [""],
    "talks-nonsense": ["Purple, \\ud800, [/red] of the \\u2028 seventh.", "Zgrwl!", "42 " * 500, "\\x00\\x1b"],
    "says-goodbye": ["Hello.", "Goodbye, have a nice day."],
}

class Agent:
    def __init__(self, way, desk):
        self.way, self.desk, self.turns = way, desk, 0

    async def turn(self, heard):
        if self.way == "raises" or self.way == "raises-at-first" and len(CALLS) <= 2:
            raise ValueError("no mind")
        if self.way == "quits":
            raise SystemExit(0)
        if self.way == "times-out":
            raise TimeoutError("provider too slow")
        if self.way == "is-cancelled":
            raise asyncio.CancelledError
        if self.way == "sends-odd-things" and heard is not None:
            await self.desk.call("\\ud800", {})
            await self.desk.call("handoff_to_scheduler", {"odd": ODD})
            for odd in ODD:
                await self.desk.call("schedule_appointment", {"date": odd})
            return "Half a pair: \\ud800. Anything else?"
        if self.way == "talks-much":
            return "blah" * 50_000
        if self.way in LINES:
            self.turns += 1
            return LINES[self.way][self.turns % len(LINES[self.way])]
        if self.way == "stalls" and heard is not None or self.way == "never-speaks":
            await asyncio.Event().wait()
        return "Anything else?"

    async def aclose(self):
        if self.way == "cannot-close":
            raise OSError("stuck")

class Harness:
    revision = "1"

    def __init__(self, way):
        self.way, self.name = way, f"test:{way}"
        modes, clock = ("text",), "virtual"
        if way == "real-time":
            clock = "real"
        if way == "voice":
            modes = ("voice",)
        self.capabilities = Capabilities(modes=modes, clock=clock)

    def pick_up(self, line):
        raise NotImplementedError

    def answer(self, desk):
        CALLS.append(self.way)
        if self.way == "cannot-answer" or self.way == "cannot-answer-once" and len(CALLS) == 2:
            raise RuntimeError("busy")
        return Agent(self.way, desk)

def test(argument):
    return Harness(argument)

class Caller:
    def __init__(self, way, seed):
        self.way, self.seed = way, seed

    def reply(self, heard_text, now_ms):
        if self.way == "lost":
            raise CallerLost("no endpoint")
        if self.way == "raises":
            raise KeyError("x")
        if self.way == "repeats":
            return Reply(text="What?")
        return Reply(text="My number is 99, bye.", ending="done", notes=(f"seed {self.seed}",))

    def patience_ms(self, now_ms):
        return 60_000

class CallerKind:
    name, revision = "test", "1"

    def __init__(self, way):
        self.model = way

    def phone(self, brief, seed):
        if self.model == "cannot-phone":
            raise CallerLost("no line")
        return Caller(self.model, seed)

def test_caller(endpoint):
    return CallerKind(endpoint.model)
'''


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a distribution whose harness `test:<way>` breaks in that way."""
    folder = tmp_path / "site"
    info = folder / "breaking-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "breaking_plug_in.py").write_text(PLUG_IN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: breaking\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[mivas.harnesses]\ntest = breaking_plug_in:test\n[mivas.callers]\ntest = breaking_plug_in:test_caller\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    yield
    sys.modules.pop("breaking_plug_in", None)


@pytest.fixture
def play(tmp_path: Path) -> Any:
    """`play(folder="run", harness="oracle", packs=..., **options)`: a whole run in this process."""

    def played(folder: str = "run", watch: Any = lambda at: None, **options: Any) -> RunResult:
        given = {"packs": ("control-industry",), "harness": "oracle"} | options
        return start_run(
            RunOptions(**given), tmp_path / folder, LocalBackend(), started_utc=STARTED, command="test", watch=watch
        )

    return played


@pytest.fixture
def carry_on(tmp_path: Path) -> Any:
    """`carry_on(folder="run")`: resume a run in this process."""

    def carried_on(folder: str = "run", watch: Any = lambda at: None, **options: Any) -> RunResult:
        return resume_run(tmp_path / folder, LocalBackend(), watch=watch, **options)

    return carried_on


@pytest.fixture
def pack_copy(tmp_path: Path) -> Path:
    """A copy of control-industry's folder, to be run by its path."""
    target = tmp_path / "kettles"
    shutil.copytree(pack_folder("control-industry"), target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


@pytest.fixture
def lines() -> Any:
    """`lines(path)`: the objects of a `.jsonl` file."""
    return lambda path: [json.loads(line) for line in path.read_text().splitlines()]
