"""The command line: one thin module per command over the public API.

Every module here exports `command`; heavy imports stand inside its function, so `mivas --help` stays quick.
"""

from __future__ import annotations

import errno
import sys
from importlib import import_module

import click

from mivas import __version__
from mivas.errors import MivasError

_COMMANDS = (
    "demo",
    "run",
    "verify",
    "rescore",
    "compare",
    "export",
    "report",
    "view",
    "serve",
    "answer",
    "call",
    "qualify",
    "conformance",
    "check",
    "replay",
    "probe",
    "sweep",
    "tasks",
    "packs",
    "fake",
    "doctor",
)

EXIT_DONE, EXIT_CHECK_FAILED, EXIT_BAD_INPUT, EXIT_INTERRUPTED = 0, 1, 2, 130


class _Commands(click.Group):
    """Finds a command by its module's name, importing only what is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"mivas.cli.{cmd_name}").command
        return command


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mivas")
def app() -> None:
    """Benchmark and training ground for voice agents that answer real phones."""


def main() -> None:
    """Entry point of `mivas`: exit 0 done, 1 a check failed, 2 bad input (one line), 130 interrupted."""
    try:
        code = app.main(standalone_mode=False)
    except click.exceptions.Abort:
        code = _say("interrupted", EXIT_INTERRUPTED)
    except KeyboardInterrupt:
        code = _say("interrupted", EXIT_INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        code = EXIT_BAD_INPUT
    except click.UsageError as error:
        mend = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
        code = _say(f"{error.format_message().rstrip('.')}{mend}", EXIT_BAD_INPUT)
    except click.ClickException as error:
        code = _say(error.format_message(), EXIT_BAD_INPUT)
    except MivasError as error:
        code = _say(str(error), EXIT_BAD_INPUT)
    except OSError as error:
        if not _is_of_standard_output(error):
            raise
        code = _say(f"standard output can't be written ({error.strerror})", EXIT_BAD_INPUT)
    sys.exit(code if isinstance(code, int) else EXIT_DONE)


def _is_of_standard_output(error: OSError) -> bool:
    """Whether writing to the terminal, pipe or file behind standard output failed: such an error names no file."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF)


def _say(line: str, code: int) -> int:
    click.echo(f"mivas: {' '.join(line.split())}", err=True)
    return code
