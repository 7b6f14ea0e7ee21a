"""`mivas fake`: a provider's double on loopback."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mivas.errors import InputError

if TYPE_CHECKING:
    from mivas.fakes import Script

ONE_MOMENT = "One moment, please."


@click.command()
@click.argument("name", metavar="NAME", type=click.Choice(["chat"]))
@click.option("--script", type=click.Path(path_type=Path), metavar="DIR",
              help="Folder of scripted conversations.  [default: every answer is \"One moment, please.\"]")  # fmt: skip
@click.option("--fault", metavar="NAME", help="Answer every request with that fault, such as server-error or stall.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="Port; 0 takes a free one.")
def command(name: str, script: Path | None, fault: str | None, port: int) -> None:
    """Run the double of a provider until interrupted: `chat`, an OpenAI-compatible endpoint. Its address is printed.

    Use it with `mivas run PACK --harness chat --model double --base-url ADDRESS`.
    """
    from threading import Event

    from mivas.fakes import ChatDouble, ScriptNotFollowed

    followed = _script(script, fault)
    try:
        double = ChatDouble(followed, port=port)
    except OSError as error:
        raise InputError(f"can't listen ({error.strerror})", where=f"--port {port}", mend="choose another") from None
    try:
        with double:
            click.echo(double.base_url)
            with suppress(KeyboardInterrupt):  # how it is meant to end
                Event().wait()
    except ScriptNotFollowed as error:
        click.echo(f"{name}: {error}", err=True)


def _script(folder: Path | None, fault: str | None) -> Script:
    from mivas.fakes import FAULTS, EachTime, Reply, read_conversations

    if folder is not None and fault is not None:
        raise InputError("given together with --script", where="--fault", mend="leave out one of them")
    if folder is not None:
        return read_conversations(folder)
    if fault is not None and fault not in FAULTS:
        raise InputError(f"no fault {fault!r}", where="--fault", mend=f"choose from {', '.join(FAULTS)}")
    step = FAULTS[fault] if fault is not None else Reply(text=ONE_MOMENT)
    return EachTime(lambda request: step)  # noqa: ARG005
