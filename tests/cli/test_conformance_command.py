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

def deviating():
    return replace(provider_of("grok/voice"), deviations={"test_44_a_call_ends_once": "it hangs up twice"})

def mistaken():
    return replace(provider_of("grok/voice"), deviations={"test_44_a_call_ends": "no such test"})

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


def test_a_known_deviation_is_told_with_its_reason_and_fails_nothing(ran: object) -> None:
    pytest.importorskip("agents.realtime")
    code, out, err = ran("--harness", "openai/realtime-2.1", "--only", "test_26 or message_that_is_no_json or test_03")  # type: ignore[operator]
    assert (code, err) == (0, "")
    assert "1 passed" in out
    assert "2 xfailed" in out
    assert "openai-agents lists transfers after all other tools" in out
    assert "openai-agents gives the session up" in out


@pytest.mark.parametrize(
    ("provider", "told"),
    [
        ("deviating", "[XPASS(strict)] it hangs up twice"),
        ("mistaken", "Provider.deviations: the suite has no test test_44_a_call_ends"),
    ],
)
def test_a_deviation_that_is_none_fails_the_suite(ran: object, provider: str, told: str) -> None:
    code, out, _ = ran("--provider", f"own_double:{provider}", "--only", "test_44")  # type: ignore[operator]
    assert code == 1
    assert told in out


def test_a_provider_is_found_in_the_current_folder(
    ran: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "double_of_this_folder.py").write_text(OWN)
    monkeypatch.chdir(tmp_path / "elsewhere")
    code, out, _ = ran("--provider", "double_of_this_folder:limited", "--only", "test_03")  # type: ignore[operator]
    assert (code, "1 passed" in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "needs one adapter"),
        (["--harness", "grok/voice", "--provider", "x:y"], "needs one adapter"),
        (["--harness", "chat"], "there is no double of its provider here"),
        (["--harness", "nobody"], "nobody"),
        (["--provider", "own_double:nothing"], "is a int, no Provider"),
        (["--provider", "own_double:broken"], "no double"),
        (["--provider", "no_such_module:provider"], "no_such_module"),
        (["--provider", "os"], "--provider os: isn't MODULE:NAME"),
        (["--provider", "os:"], "isn't MODULE:NAME"),
        (["--harness", "grok/voice", "--only", "test_44 and ("], "--only: can't be read ('test_44 and (')"),
        (["--harness", "grok/voice", "--only", ""], "names no test"),
        (["--harness", "grok/voice", "--only", "no_such_test"], "names no test"),
    ],
)
def test_what_can_not_be_is_one_line(ran: object, arguments: list[str], told: str) -> None:
    code, out, err = ran(*arguments)  # type: ignore[operator]
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
