"""When a Ctrl-C takes effect."""

from __future__ import annotations

import signal
import threading

import pytest

from mivas.run._interrupt import ctrl_c_blocked, ctrl_c_waits


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_first_press_waits_for_the_block_to_end() -> None:
    done = []

    @ctrl_c_waits()
    def work() -> None:
        press()
        done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]


def test_the_second_press_does_not_wait() -> None:
    done = []

    @ctrl_c_waits()
    def work() -> None:
        press()
        press()
        done.append("never")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == []


def test_without_a_press_nothing_happens_and_the_handler_is_back() -> None:
    with ctrl_c_waits():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_in_the_block_outranks_the_press_and_restores_the_handler() -> None:
    @ctrl_c_waits()
    def work() -> None:
        press()
        raise ValueError("own")

    with pytest.raises(ValueError, match="own"):
        work()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_applications_own_handler_is_left_alone() -> None:
    pressed = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        with ctrl_c_waits():
            press()
    finally:
        signal.signal(signal.SIGINT, before)
    assert pressed == [signal.SIGINT]


def test_outside_the_main_thread_nothing_is_changed() -> None:
    seen = []

    def work() -> None:
        with ctrl_c_waits():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks on this system")
def test_a_blocked_press_is_delivered_afterwards() -> None:
    done = []

    def work() -> None:
        with ctrl_c_blocked():
            press()
            done.append("all of it")
        for _ in range(1000):  # the interpreter looks for signals between two of its steps
            pass

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]
