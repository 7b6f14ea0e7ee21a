"""Help, version and what starting the command costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mivas import __version__

HEAVY = ("pydantic", "fastapi", "starlette", "uvicorn", "rich", "numpy", "orjson", "httpx", "matplotlib", "sqlite3")
COMMANDS = (
    "demo", "run", "verify", "serve", "check", "replay", "packs",
    "doctor", "compare", "rescore", "export", "fake", "probe", "tasks",
)  # fmt: skip
START = "import sys; from mivas.cli import main; sys.argv = ['mivas', *sys.argv[1:]]\n"


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", START + code, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("run", "--help"), ("--version",)])
def test_help_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    code = f"""
try:
    main()
finally:
    print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    said = python(code, *arguments)
    assert (said.returncode, said.stderr.strip()) == (0, "")
    assert said.stdout


def test_help_lists_every_command_within_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mivas.cli import main

    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (("--help",), *((name, "--help") for name in COMMANDS)):
        monkeypatch.setattr(sys, "argv", ["mivas", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        out = capsys.readouterr().out
        assert stop.value.code == 0
        assert max(map(len, out.splitlines())) <= 80, arguments
        assert arguments != ("--help",) or all(f"\n  {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("arguments", [(), ("packs",)])
def test_without_a_command_the_help_is_shown_on_stderr_as_bad_usage(arguments: tuple[str, ...]) -> None:
    said = python("main()", *arguments)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.startswith("Usage: mivas")
    assert said.stderr.count("\n") > 5


def test_the_version_is_the_packages(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from mivas.cli import main

    monkeypatch.setattr(sys, "argv", ["mivas", "--version"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.strip().endswith(__version__)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
def test_output_that_can_not_be_written_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", START + "main()", "packs", "list"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr.startswith("mivas: standard output can't be written")
    assert done.stderr.count("\n") == 1
