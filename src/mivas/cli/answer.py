"""`mivas answer`: a harness waiting for calls over CHIRP."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mivas.errors import InputError

if TYPE_CHECKING:
    from mivas.answer import CallState
    from mivas.pack import Pack

HEALTH_S = 5.0


@click.command()
@click.argument("pack", metavar="PACK", envvar="INDUSTRY")
@click.option("--harness", required=True, envvar=["HARNESS", "VOICE_AGENT"], metavar="NAME", help="Who answers.")
@click.option("--model", metavar="NAME", help="Model of a harness that takes one.")
@click.option("--base-url", metavar="URL", help="Where the model is reached.")
@click.option("--host", envvar="CHIRP_HOST", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), envvar="CHIRP_PORT", default=8765, show_default=True,
              help="Port to listen on; 0 takes a free one.")  # fmt: skip
@click.option("--tool-server-url", envvar="TOOL_SERVER_URL", metavar="URL",
              help="A state service elsewhere.  [default: one in this process]")  # fmt: skip
@click.option("--data-dir", type=click.Path(path_type=Path, file_okay=False),
              help="Folder of databases, states and events.  [default: mivas-data/PACK]")  # fmt: skip
@click.option("--max-calls", type=click.IntRange(min=1), default=4, show_default=True,
              help="Calls at once; one more is refused with 503.")  # fmt: skip
@click.option("--scope", type=click.Choice(["enforce", "observe"]), default="enforce", show_default=True,
              help="What happens to tools the active node doesn't own.")  # fmt: skip
def command(pack: str, **given: Any) -> None:
    """Let a harness answer calls about PACK at ws://HOST:PORT/, until interrupted.

    Callers sign in with CHIRP_USER and CHIRP_PASS when both are set. Off loopback they must be. Ctrl-C and SIGTERM end
    the calls that are on, and keep their evidence.
    """
    import asyncio

    from mivas.cli._logging import warn_on_stderr

    warn_on_stderr()
    asyncio.run(_answer(pack, given))


async def _answer(pack_name: str, given: dict[str, Any]) -> None:
    import asyncio

    import httpx

    from mivas.answer import Answering, AnswerOptions, agent_maker, answering_calls
    from mivas.cli.run import who_answers
    from mivas.harness import Endpoint, load_harness
    from mivas.pack import load_pack
    from mivas.state import listen_on

    options = AnswerOptions(
        host=given["host"], port=given["port"], credentials=_credentials(), most_calls=given["max_calls"],
        scope=given["scope"],
    )  # fmt: skip
    answering_by = who_answers(given)
    name = answering_by["harness"]
    key = os.environ.get("OPENAI_API_KEY", "").strip() or None
    harness = load_harness(name, Endpoint(base_url=answering_by["base_url"], api_key=key))
    pack = load_pack(pack_name)
    make_agent = agent_maker(name, harness)
    folder = given["data_dir"] or Path("mivas-data") / pack.id
    async with AsyncExitStack() as stack:
        # Everything that can be refused is, before a folder is made.
        listener = stack.enter_context(closing(listen_on(options.host, options.port)))
        # No proxy and no redirection: a call's tools are where they are said to be.
        client = await stack.enter_async_context(httpx.AsyncClient(trust_env=False, follow_redirects=False))
        if given["tool_server_url"]:
            await _check_tool_server(given["tool_server_url"], client)
        state = await stack.enter_async_context(_state(pack, folder, given["tool_server_url"], client))
        answering = Answering(
            pack=pack, harness=name, make_agent=make_agent, state=state, options=options,
            events_folder=folder / "calls", client=client,
        )  # fmt: skip
        url = await stack.enter_async_context(answering_calls(answering, listener))
        click.echo(f"{pack.id}: {name} answers at {url}, evidence in {folder}", err=True)
        asked_to_stop = asyncio.Event()
        with suppress(NotImplementedError):  # where loops know no signals
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked_to_stop.set)
        await asked_to_stop.wait()


def _credentials() -> Any:
    from mivas.answer import Credentials
    from mivas.harness.chirp import basic_authorization

    user, password = os.environ.get("CHIRP_USER", ""), os.environ.get("CHIRP_PASS", "")
    if bool(user) != bool(password):
        missing = "CHIRP_PASS" if user else "CHIRP_USER"
        raise InputError("is not set, though its other half is", where=missing, mend="set both or none")
    if not user:
        return None
    basic_authorization(user, password)  # a user name that no caller could sign in with
    return Credentials(user=user, password=password)


async def _check_tool_server(url: str, client: Any) -> None:
    """Raise InputError unless a state service answers there. An address that may hold a password isn't repeated."""
    import httpx

    from mivas.answer import is_tools_url

    where = "--tool-server-url"
    if not is_tools_url(url):
        raise InputError(
            "needs an http or https address without password, query or fragment",
            where=where,
            mend="give one such as http://127.0.0.1:8090",
        )
    try:
        answer = await client.get(f"{url.rstrip('/')}/health", timeout=HEALTH_S)
        lost = "" if answer.status_code == 200 else f"GET /health says HTTP {answer.status_code}"
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        lost = f"can't be asked ({type(error).__name__})"
    if lost:
        raise InputError(f"no state service at {url}: {lost}", where=where, mend="start `mivas serve` there")


@asynccontextmanager
async def _state(pack: Pack, folder: Path, url: str | None, client: Any) -> AsyncIterator[CallState]:
    from mivas.answer import LocalState, RemoteState
    from mivas.state import load_snapshot_store, only_server_of, open_on_folder

    snapshots = load_snapshot_store("local")(folder)
    with ExitStack() as stack:
        stack.enter_context(only_server_of(folder))
        if url:
            yield RemoteState(url, client, snapshots, os.environ.get("MIVAS_OPERATOR_TOKEN") or None)
            return
        service = open_on_folder(pack, folder)
        stack.callback(service.close)
        yield LocalState(service, snapshots)
