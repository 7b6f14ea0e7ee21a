"""One trial: a call from accept to verdict, and its evidence on disk."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mivas.caller import Caller, CallerBroke, brief_for, hearing_of
from mivas.errors import JournalError, MivasError
from mivas.harness import Desk, GraphRuntime, TextAgent
from mivas.line import (
    CallEnded,
    CallStarted,
    EndedBy,
    Event,
    EventLog,
    Note,
    Problem,
    RealTimeLoop,
    VirtualTimeLoop,
    now_ms,
)
from mivas.pack import Task
from mivas.run._evidence import BROKE, service_notes
from mivas.run._files import journal_errors, write_atomically
from mivas.run._judging import CALLER_ERRORS, CallEvidence, first_fault, judge
from mivas.run._options import RunOptions, TrialSpec, caller_seed, clock_of
from mivas.run._remote_call import RemoteEvidence, remote_call
from mivas.run._speech import SpeechKit, recording_path
from mivas.run._text_call import LiveLoop, TextCall, VirtualPace
from mivas.run._world import ServiceTools, World

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOutcome:
    """What the journal keeps of a trial."""

    record: dict[str, Any]
    """Line of `trials.jsonl`."""
    verdict: dict[str, Any]
    """Line of `verdicts.jsonl`."""
    troubles: tuple[str, ...]
    """What broke in harness or handlers, one line each, for whoever watches the run."""


def run_trial(spec: TrialSpec, world: World, options: RunOptions, root: Path) -> TrialOutcome:
    """Run one call on a loop and clock of its own, freeze its state, judge it.

    A harness or a caller that breaks makes the trial VOID. Raises MivasError for what the user must mend (disk, pack).
    """
    real = clock_of(options, world.harness.capabilities) == "real"
    live = LiveLoop if world.speech is None else RealTimeLoop  # only in text may speaking time be skipped
    with asyncio.Runner(loop_factory=live if real else VirtualTimeLoop) as runner:
        return runner.run(_trial(spec, world, options, root))


async def _trial(spec: TrialSpec, world: World, options: RunOptions, root: Path) -> TrialOutcome:
    task = world.suite.tasks[spec.task_id]
    folder = _fresh_folder(root / "calls" / spec.call_id)
    path = folder / "events.jsonl"
    with path.open("wb", buffering=0) as file:

        def write(line: bytes) -> None:
            with journal_errors(path):  # a full disk is no harness that broke
                file.write(line)

        log = EventLog(write)
        await _call(spec, world, options, task, log, folder)
        logged = world.service.calls(spec.call_id)
        log.extend(service_notes(log.events, logged, now_ms()))
    state = world.service.state(spec.call_id)
    write_atomically(folder / "final.json", world.service.state_json(spec.call_id) + b"\n")
    world.service.release(spec.call_id)
    evidence = CallEvidence(
        call_id=spec.call_id, events=log.events, logged=logged, state=state, spoken=world.speech is not None
    )
    return _judged(spec, world, options, evidence)


async def _call(spec: TrialSpec, world: World, options: RunOptions, task: Task, log: EventLog, folder: Path) -> None:
    pack = world.pack
    log.add(
        CallStarted(
            t_ms=now_ms(),
            node=pack.blueprint.entry.id,
            call_id=spec.call_id,
            pack=pack.id,
            task_id=task.task_id,
            harness=options.harness,
            clock=clock_of(options, world.harness.capabilities),
        )
    )
    desk = Desk(pack, GraphRuntime(pack.blueprint, options.scope), ServiceTools(world.service, spec.call_id), log)
    seed = caller_seed(options.seed, spec.pack_id, spec.task_id, spec.trial)
    try:
        caller = _caller(world, task, seed)
        ends = _CallEnds(desk=desk, caller=caller, log=log, limit_ms=options.call_limit_ms)
        if world.speech is None:
            await ends.converse_in_text(world.agent(desk, task))
        else:
            async with remote_call(world, options, spec.call_id, log) as remote:
                await ends.converse_aloud(world.speech, world, task, seed, folder, remote)
                if remote is not None:
                    await remote.settle(options.report_wait_s)
    except MivasError:
        raise
    except CallerBroke as error:
        cause = error.__cause__ or error
        logger.debug("%s: caller broke", spec.call_id, exc_info=True)
        _end_broken(log, desk, f"{CALLER_ERRORS}{options.caller}", cause, "provider")
    except (Exception, asyncio.CancelledError, SystemExit) as error:
        if isinstance(error, asyncio.CancelledError) and _is_cancelled():
            raise
        # A bad trial is data: it is journalled as VOID with its error class and never stops its siblings.
        logger.debug("%s: harness broke", spec.call_id, exc_info=True)
        _end_broken(log, desk, options.harness, error, "harness")


@dataclass(frozen=True, slots=True, kw_only=True)
class _CallEnds:
    """Who talks in one call."""

    desk: Desk
    caller: Caller
    log: EventLog
    limit_ms: int

    async def converse_in_text(self, agent: TextAgent) -> None:
        loop = asyncio.get_running_loop()
        call = TextCall(
            desk=self.desk,
            agent=agent,
            caller=self.caller,
            log=self.log,
            limit_ms=self.limit_ms,
            pace=loop if isinstance(loop, LiveLoop) else VirtualPace(),
        )
        try:
            await call.converse()
        finally:
            await agent.aclose()

    async def converse_aloud(
        self, speech: SpeechKit, world: World, task: Task, seed: int, folder: Path, remote: RemoteEvidence | None
    ) -> None:
        from mivas.run._voice_call import VoiceCall, by_itself, lent_a_voice

        own_voice = "voice" in world.harness.capabilities.modes
        agent = None if own_voice else world.agent(self.desk, task)
        with speech.recording(task, recording_path(folder)) as record:
            sound = speech.sound(
                task,
                world.suite,
                brief_for(task),
                seed=seed,
                agent_hears_words=world.hears_nothing_here,
                keyterms=tuple(getattr(agent, "keyterms", ())),
                record=record,
            )
            call = VoiceCall(
                desk=self.desk,
                answer=(
                    by_itself(
                        world.voice_harness(task),
                        remote.call if remote is not None else None,
                        told=world.harness.capabilities.knows_answers,
                    )
                    if agent is None
                    else lent_a_voice(agent, sound)
                ),
                caller=self.caller,
                log=self.log,
                limit_ms=self.limit_ms,
                sound=sound,
            )
            await call.converse()


def _caller(world: World, task: Task, seed: int) -> Caller:
    """Who phones. Raises CallerBroke."""
    try:
        return world.caller.phone(brief_for(task), seed)
    except Exception as error:
        raise CallerBroke(str(error)) from error


def _end_broken(log: EventLog, desk: Desk, where: str, error: BaseException, by: EndedBy) -> None:
    """Tell what broke, and that the call is over unless it was already."""
    name = type(error).__name__
    log.add(Problem(t_ms=now_ms(), node=desk.node.id, where=where, class_=name, text=str(error)))
    if not isinstance(log.events[-2], CallEnded):
        log.add(CallEnded(t_ms=now_ms(), node=desk.node.id, by=by, reason=f"{name}: {error}"))


def _is_cancelled() -> bool:
    """Whether somebody wants this trial to stop; otherwise a CancelledError leaked out of the harness."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _fresh_folder(folder: Path) -> Path:
    """An empty folder for the call: what an interrupted attempt left is thrown away."""
    try:
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
    except OSError as error:
        raise JournalError(
            f"can't be written ({error.strerror})", where=str(folder), mend="choose a writable --out"
        ) from None
    return folder


def _judged(spec: TrialSpec, world: World, options: RunOptions, evidence: CallEvidence) -> TrialOutcome:
    verdict = judge(
        evidence,
        pack=world.pack,
        suite=world.suite,
        task_id=spec.task_id,
        trial=spec.trial,
        discount=options.discount,
        hearing=hearing_of(world.caller.name),
    )
    files = {"events": f"calls/{spec.call_id}/events.jsonl", "state": f"calls/{spec.call_id}/final.json"}
    if world.speech is not None:
        files["audio"] = f"calls/{spec.call_id}/audio.flac"
    record = {
        "key": spec.key,
        "attempt": spec.attempt,
        "call_id": spec.call_id,
        "mark": verdict["mark"],
        "combined": verdict["combined"],
        "void_reason": verdict["void_reason"],
        "caller_fault": first_fault(verdict),
        "t_ms": max((event.t_ms for event in evidence.events if isinstance(event, CallEnded)), default=0),
        "files": files,
    }
    return TrialOutcome(record=record, verdict=verdict, troubles=tuple(_troubles(evidence.events)))


def _troubles(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, Note) and event.code == BROKE:
            yield event.text
        elif isinstance(event, Problem):
            yield f"{event.where} broke: {event.class_}: {event.text}"
