"""Where trials are carried out: this machine, in this process or one process a core."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path
from typing import Protocol

from mivas.caller import CallerEndpoint
from mivas.errors import JournalError
from mivas.harness import Endpoint
from mivas.run._interrupt import ctrl_c_blocked, ctrl_c_waits, follow_driver
from mivas.run._options import RunOptions, TrialSpec
from mivas.run._trial import TrialOutcome, run_trial
from mivas.run._world import Ends, SuiteSource, World, open_world


class Backend(Protocol):
    """Carries out planned trials. Found by entry point `mivas.backends`."""

    def carry_out(self, specs: Sequence[TrialSpec], options: RunOptions, root: Path) -> Iterator[TrialOutcome]:
        """Yield outcomes as they finish, in any order. Raises MivasError; closing the iterator stops the rest."""


class LocalBackend:
    """This machine. `concurrency` 1 stays in the process; more is that many worker processes."""

    def __init__(self, api_key: str | None = None, caller_api_key: str | None = None) -> None:
        self._api_key, self._caller_api_key = api_key, caller_api_key
        """For harnesses that take an endpoint, and for the model of a caller. Handed on in memory only."""

    def carry_out(self, specs: Sequence[TrialSpec], options: RunOptions, root: Path) -> Iterator[TrialOutcome]:
        ends = Ends(
            harness=options.harness,
            endpoint=Endpoint(base_url=options.base_url, api_key=self._api_key),
            caller=options.caller,
            caller_endpoint=CallerEndpoint(
                model=options.caller_model, base_url=options.caller_base_url, api_key=self._caller_api_key
            ),
            speech=options.speech,
        )
        if options.concurrency == 1 or len(specs) < 2:
            return _in_this_process(specs, options, root, ends)
        return _spread(specs, options, root, ends)


def _in_this_process(specs: Sequence[TrialSpec], options: RunOptions, root: Path, ends: Ends) -> Iterator[TrialOutcome]:
    worlds: dict[str, World] = {}
    for spec in specs:
        if spec.pack not in worlds:
            worlds[spec.pack] = open_world(spec.pack, options.suite_source, ends, root)
        with ctrl_c_waits():  # until the driver has journalled the trial, too
            yield run_trial(spec, worlds[spec.pack], options, root)


@cache
def _workers_world(pack: str, source: SuiteSource | None, ends: Ends, root: Path) -> World:
    """Built once a worker process, which lives for one run."""
    return open_world(pack, source, ends, root)


def _in_worker(spec: TrialSpec, options: RunOptions, root: Path, ends: Ends) -> TrialOutcome:
    world = _workers_world(spec.pack, options.suite_source, ends, root)
    return run_trial(spec, world, options, root)


def _spread(specs: Sequence[TrialSpec], options: RunOptions, root: Path, ends: Ends) -> Iterator[TrialOutcome]:
    waiting = list(reversed(specs))
    running: set[Future[TrialOutcome]] = set()
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(options.concurrency, mp_context=context, initializer=follow_driver)
    try:
        while waiting or running:
            # Two a worker keeps everyone busy and little lost when the run is interrupted.
            while waiting and len(running) < 2 * options.concurrency:
                with ctrl_c_blocked():
                    running.add(pool.submit(_in_worker, waiting.pop(), options, root, ends))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise JournalError(
            "a worker process died", where=str(root), mend=f"free memory, then continue with --resume {root}"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
