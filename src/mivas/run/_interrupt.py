"""How a run stops: after Ctrl-C the trial at hand is kept and the rest waits; a worker dies with its driver."""

from __future__ import annotations

import multiprocessing
import multiprocessing.process
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Put a Ctrl-C off until the block is over; a second one doesn't wait. Raises KeyboardInterrupt.

    Changes nothing outside the main thread, or where the application has a handler of its own.
    """
    if threading.current_thread() is not threading.main_thread() or not _is_default():
        yield
        return
    pressed = False

    def note(number: int, frame: object) -> None:  # noqa: ARG001 (the signature of a handler)
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Start processes in here: they inherit the block, so that a Ctrl-C can't meet one half started."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_driver() -> None:
    """Bind a worker process to its driver: it leaves Ctrl-C to the driver and dies when the driver does.

    A terminal sends Ctrl-C to every process, and a killed driver says goodbye to nobody: its workers would wait for
    ever, and write into the folder of the run that continues.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for systems where `ctrl_c_blocked` can't block
    driver = multiprocessing.parent_process()
    if driver is not None:
        threading.Thread(target=_die_with, args=(driver,), name="watches the driver", daemon=True).start()


def _die_with(driver: multiprocessing.process.BaseProcess) -> None:
    driver.join()
    os._exit(1)


def _is_default() -> bool:
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler
