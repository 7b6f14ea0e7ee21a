"""Ctrl-C in a run: the trial at hand is finished and kept, the rest waits for `--resume`."""

from __future__ import annotations

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


def leave_ctrl_c_to_driver() -> None:
    """A terminal sends Ctrl-C to every process; a worker ends the trial it is at, and the driver stops the rest."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_default() -> bool:
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler
