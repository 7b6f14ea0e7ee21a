"""`mivas conformance`, from the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("websockets")
pytest.importorskip("soxr")

from mivas.cli import main

OWN = """
from dataclasses import replace
from mivas.conformance import provider_of

def limited():
    return replace(provider_of("grok/voice"), faults=frozenset())

nothing = 7

def broken():
    raise OSError("no double")
"""


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> object:
    """`ran(*arguments)`: exit code, stdout, stderr; a module `own_double` can be imported."""
    (tmp_path / "own_double.py").write_text(OWN)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mivas", "conformance", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        said = capfd.readouterr()
        sys.modules.pop("own_double", None)
        return int(str(stop.value.code)), said.out, said.err

    return run


def test_an_adapter_of_this_project_is_tested_by_its_name(ran: object) -> None:
    code, out, err = ran("--harness", "grok/voice", "--only", "test_03 or test_25")  # type: ignore[operator]
    assert (code, err) == (0, "")
    assert "2 passed" in out


def test_ones_own_provider_is_named_by_its_place_and_skips_say_why(ran: object) -> None:
    code, out, _ = ran("--provider", "own_double:limited", "--only", "test_03 or duplicate or told_twice")  # type: ignore[operator]
    assert code == 0
    assert "can't commit the fault duplicate-call" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "needs one adapter"),
        (["--harness", "grok/voice", "--provider", "x:y"], "needs one adapter"),
        (["--harness", "chat"], "there is no double of its provider here"),
        (["--harness", "nobody"], "nobody"),
        (["--provider", "own_double:nothing"], "is a int, no Provider"),
        (["--provider", "own_double:broken"], "no double"),
        (["--provider", "no_such_module"], "no_such_module"),
        (["--harness", "grok/voice", "--only", "no_such_test"], "names no test"),
    ],
)
def test_what_can_not_be_is_one_line(ran: object, arguments: list[str], told: str) -> None:
    code, _, err = ran(*arguments)  # type: ignore[operator]
    assert code == 2
    assert told in err
    assert err.count("\n") == 1
