"""A pack in motion inside a run: its suite, its harness, and the state service over the run's folder."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from mivas.caller import CallerEndpoint, CallerKind, load_caller, unknown_references
from mivas.errors import InputError, PackError
from mivas.harness import Desk, Endpoint, TextAgent, VoiceHarness, load_harness
from mivas.pack import Pack, Suite, Task, load_pack, load_suite
from mivas.run._speech import SpeechChoice, SpeechKit, speech_kit
from mivas.state import CallStore, RunFolder, StateService, load_toolset, open_service

FIXTURE_SUITE = "fixture"
"""Suite name of a pack's qualification fixture: run to qualify a harness, never scored."""
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""Start of a virtual call in a pack without a clock."""


class KnowsAnswers(Protocol):
    """An offline agent that is shown the task and its world."""

    def answer_knowing(self, desk: Desk, task: Task, pack: Pack) -> TextAgent:
        """Take one call of that task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What all trials of one pack in one run share."""

    pack: Pack
    suite: Suite
    service: StateService
    harness: Any
    caller: CallerKind
    speech: SpeechKit | None
    """Voices and ears; None for text."""

    @property
    def hears_nothing_here(self) -> bool:
        """Whether the agent needs no ears of this run's: it is told what was said, or hears elsewhere."""
        capabilities = self.harness.capabilities
        return bool(capabilities.knows_answers or capabilities.works_elsewhere)

    def voice_harness(self, task: Task) -> VoiceHarness:
        """The harness for one spoken call, where it has a voice of its own; shown the task only if it declares so."""
        if self.harness.capabilities.knows_answers:
            harness: VoiceHarness = self.harness.knowing(task, self.pack)
            return harness
        own: VoiceHarness = self.harness
        return own

    def agent(self, desk: Desk, task: Task) -> TextAgent:
        """The harness's mind for one call; only an agent that declares it is shown the task."""
        if self.harness.capabilities.knows_answers:
            knowing: KnowsAnswers = self.harness
            return knowing.answer_knowing(desk, task, self.pack)
        agent: TextAgent = self.harness.answer(desk)
        return agent


@dataclass(frozen=True, slots=True)
class SuiteSource:
    """Where tasks other than a pack's own are read from."""

    path: Path
    name: str | None
    """Name of the suite there; None: made from the path."""


def suite_for(pack: Pack, source: SuiteSource | None) -> Suite:
    """The suite a run plays: the given one, the pack's own, or its qualification fixture. Raises PackError."""
    if source is not None:
        return load_suite(pack, source.path, source.name)
    suite = load_suite(pack)
    fixture = pack.folder / FIXTURE_SUITE
    return suite if suite.tasks or not fixture.is_dir() else load_suite(pack, fixture, FIXTURE_SUITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Who talks in a run, and where the models behind them are reached."""

    harness: str
    endpoint: Endpoint | None = None
    """None: a harness that needs one can be looked at but takes no call."""
    caller: str = "program"
    caller_endpoint: CallerEndpoint | None = None
    speech: SpeechChoice | None = None
    """How they sound; None: they write."""


def open_world(name: str, source: SuiteSource | None, ends: Ends, root: Path) -> World:
    """Load a pack, its suite and both ends of its calls, and open its state service over a run folder.

    Raises MivasError.
    """
    pack = load_pack(name)
    suite = suite_for(pack, source)
    _check_callers(suite)
    answering = load_harness(ends.harness, ends.endpoint)
    check_fits(ends.harness, answering, voice=ends.speech is not None)
    if ends.speech is not None and ends.speech.tier == "voiced-text" and answering.capabilities.works_elsewhere:
        raise InputError(
            f"harness {ends.harness} speaks by itself and its words aren't known", where="--tier", mend="leave it out"
        )
    phoning = load_caller(ends.caller, ends.caller_endpoint)
    start = pack.clock.replace(tzinfo=UTC) if pack.clock is not None else EPOCH
    service = open_service(
        pack,
        load_toolset(pack),
        lambda template: CallStore(RunFolder(root), template),
        lambda: start + timedelta(seconds=asyncio.get_running_loop().time()),
    )
    kit = speech_kit(ends.speech) if ends.speech is not None else None
    return World(pack=pack, suite=suite, service=service, harness=answering, caller=phoning, speech=kit)


def _check_callers(suite: Suite) -> None:
    """Raise PackError for a caller program that refers to what doesn't exist: it would break in mid-call."""
    for task in suite.tasks.values():
        if task.caller is None:
            continue
        if wrong := unknown_references(task.caller, len(task.file.scripted_responses)):
            raise PackError(wrong[0], where=f"{suite.pack_id}/{task.task_id}/caller.json", mend="correct the reference")


def check_fits(name: str, harness: Any, *, voice: bool = False) -> None:
    """Raise InputError for a harness that can't take calls in that mode. One for text is lent a voice."""
    if not voice and "text" not in harness.capabilities.modes:
        raise InputError(f"harness {name} needs voice", where="--harness", mend="add --mode voice, or choose another")


@dataclass(frozen=True, slots=True)
class ServiceTools:
    """The harness's way to a state service in the same process, on the same clock."""

    service: StateService
    call_id: str

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        # In virtual time handlers run on the loop itself: they cost no call time and keep the order of events.
        answer = self.service.call_tool(self.call_id, name, arguments, node=node, idempotency_key=call_ref)
        return answer.json
