"""`mivas fake`: a provider's double on loopback."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mivas.errors import InputError

if TYPE_CHECKING:
    from mivas.fakes import Script
    from mivas.fakes.realtime import Plan
    from mivas.line.spoken import Pcm

ONE_MOMENT = "One moment, please."
REALTIME = ("openai", "grok", "qwen")


@click.command()
@click.argument("name", metavar="NAME", type=click.Choice(["chat", *REALTIME]))
@click.option("--script", type=click.Path(path_type=Path), metavar="PATH",
              help=f"Script file, for chat a folder of conversations.  [default: says \"{ONE_MOMENT}\"]")  # fmt: skip
@click.option("--fault", metavar="NAME", help="Fault in every answer: for chat such as server-error, else slow=3000.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="Port; 0 takes a free one.")
@click.option("--voice", metavar="NAME", help="Voice of a real-time double, such as hibari:agent.  [default: a buzz]")
@click.option("--ears", metavar="NAME", help='Its recogniser, such as whisper.  [default: hears "(speech)"]')
def command(name: str, script: Path | None, fault: str | None, port: int, voice: str | None, ears: str | None) -> None:
    """Run the double of a provider until interrupted. Its address is printed; any key is taken.

    \b
    chat                an OpenAI-compatible endpoint for text
    openai, grok, qwen  that provider's real-time wire, over a WebSocket

    Use it with `mivas run PACK --harness chat --model double --base-url ADDRESS`, or with any other client.
    """
    if script is not None and fault is not None:
        raise InputError("given together with --script", where="--fault", mend="leave out one of them")
    if name != "chat":
        _realtime(name, script, fault, port, voice, ears)
        return
    for option, value in (("--voice", voice), ("--ears", ears)):
        if value is not None:
            raise InputError("chat has no sound", where=option, mend=f"leave it out, or run {', '.join(REALTIME)}")
    _chat(_script(script, fault), port)


def _chat(script: Script, port: int) -> None:
    from threading import Event

    from mivas.fakes import ChatDouble, ScriptNotFollowed

    try:
        double = ChatDouble(script, port=port)
    except OSError as error:
        raise _taken(port, error) from None
    try:
        with double:
            click.echo(double.base_url)
            with suppress(KeyboardInterrupt):  # how it is meant to end
                Event().wait()
    except ScriptNotFollowed as error:
        click.echo(f"chat: {error}", err=True)


def _realtime(
    name: str, script: Path | None, fault: str | None, port: int, voice: str | None, ears: str | None
) -> None:
    import asyncio
    import signal

    from mivas.fakes import ScriptNotFollowed

    try:
        import websockets  # noqa: F401

        from mivas.fakes.realtime import PROFILES, RealtimeDouble
    except ImportError as error:
        mend = "install mivas[realtime,voice]"
        raise InputError(f"the package {error.name} is missing", where=f"mivas fake {name}", mend=mend) from None
    plan = _plan(script, fault)
    speak, hear = _voice(voice), _ears(ears)

    async def serve() -> None:
        async with RealtimeDouble(PROFILES[name], plan, key="", port=port, speak=speak, hear=hear) as double:
            click.echo(double.url)
            asked_to_stop = asyncio.Event()
            for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background job has SIGINT ignored
                with suppress(NotImplementedError):
                    asyncio.get_running_loop().add_signal_handler(number, asked_to_stop.set)
            with suppress(asyncio.CancelledError):  # how it ends where loops know no signals
                await asked_to_stop.wait()

    try:
        asyncio.run(serve())
    except OSError as error:
        raise _taken(port, error) from None
    except ScriptNotFollowed as error:
        click.echo(f"{name}: {error}", err=True)


def _plan(path: Path | None, fault: str | None) -> Plan:
    from mivas.fakes.realtime import EachAnswer, PlannedSession, Say, parse_fault, read_realtime_script

    if path is not None:
        return read_realtime_script(path)
    faults = () if fault is None else (parse_fault(fault, where="--fault"),)
    return lambda _: PlannedSession(brain=EachAnswer(lambda _: [Say(ONE_MOMENT)]), faults=faults)


def _voice(name: str | None) -> Callable[[str], Pcm] | None:
    from mivas.speech import load_voice

    voice = load_voice(name) if name is not None else None
    return None if voice is None else lambda text: voice.speak(text, 0)


def _ears(name: str | None) -> Callable[[Pcm], str] | None:
    from mivas.speech import load_ears

    return load_ears(name).hear if name is not None else None


def _script(folder: Path | None, fault: str | None) -> Script:
    from mivas.fakes import FAULTS, EachTime, Reply, read_conversations

    if folder is not None:
        return read_conversations(folder)
    if fault is not None and fault not in FAULTS:
        raise InputError(f"no fault {fault!r}", where="--fault", mend=f"choose from {', '.join(FAULTS)}")
    step = FAULTS[fault] if fault is not None else Reply(text=ONE_MOMENT)
    return EachTime(lambda request: step)  # noqa: ARG005


def _taken(port: int, error: OSError) -> InputError:
    return InputError(f"can't listen ({error.strerror})", where=f"--port {port}", mend="choose another")
