"""Runs the suite for a provider that was named, not coded."""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import pytest

from mivas.conformance._doubles import provider_of
from mivas.conformance._provider import Provider
from mivas.errors import InputError

SUITE = Path(__file__).with_name("_suite.py")


class _Named:
    """A plug-in of pytest's that has the fixture which the suite needs."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @pytest.fixture(name="provider")
    def given(self) -> Provider:
        return self._provider


def check_conformance(*, harness: str | None, provider: str | None, only: str | None = None) -> bool:
    """Run the suite and print what it found; True: nothing failed.

    Args:
        harness: one whose provider's double is part of this project.
        provider: `module:name` of a `Provider`, or of a function that makes one.
        only: part of the tests' names, as pytest's `-k` takes it.
    Raises MivasError for what can't be found or made.
    """
    given = named_provider(provider) if provider is not None else provider_of(harness or "")
    # Nobody else's settings: the folder that one stands in may have its own markers and plug-ins.
    settings = ["-c", os.devnull, "--rootdir", str(SUITE.parent), "-p", "no:cacheprovider", "--import-mode=importlib"]
    if only is not None:
        settings += ["-k", only]
        _check_choice(only, [*settings, str(SUITE)])
    code = pytest.main([*settings, "-q", "-rsx", "--tb=short", str(SUITE)], plugins=[_Named(given)])
    return code == pytest.ExitCode.OK


def _check_choice(only: str, arguments: list[str]) -> None:
    """Raise InputError for what chooses no test or can't be read; pytest says so in many lines."""
    code: int = pytest.ExitCode.NO_TESTS_COLLECTED
    if only.strip():
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            code = pytest.main([*arguments, "-q", "--collect-only"])
    if code != pytest.ExitCode.OK:
        what = "names no test" if code == pytest.ExitCode.NO_TESTS_COLLECTED else f"can't be read ({only!r})"
        mend = "give a part of a test's name, such as test_25, or some with and, or, not"
        raise InputError(what, where="--only", mend=mend)


def named_provider(place: str) -> Provider:
    """The provider at `module:name`. Raises InputError."""
    module, _, name = place.partition(":")
    where = f"--provider {place}"
    if not module or not name:
        raise InputError("isn't MODULE:NAME", where=where, mend="name a Provider, such as acme.testing:provider")
    if os.getcwd() not in sys.path:  # a program that was installed doesn't look where the user stands
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name)
        given = found() if callable(found) else found
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        what = f"can't be had ({type(error).__name__}: {error})"
        raise InputError(what, where=where, mend="give MODULE:NAME of a Provider") from error
    if not isinstance(given, Provider):
        raise InputError(f"is a {type(given).__name__}, no Provider", where=where, mend="see docs/conformance.md")
    return given
