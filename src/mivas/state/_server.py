"""Runs the service on a port: every failure to start is one line, and stopping it merges its databases."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

import httpx
import uvicorn
from fastapi import FastAPI
from filelock import FileLock, Timeout

from mivas.errors import StateError
from mivas.pack import Pack
from mivas.state._app import create_app
from mivas.state._catalogue import load_toolset
from mivas.state._options import ServiceOptions
from mivas.state._service import StateService, machine_now, open_service
from mivas.state._snapshots import local_snapshots
from mivas.state._store import CallStore, ServiceFolder
from mivas.state._tools_urls import ToolsUrls

START_S = 30.0
GRACE_S = 5  # longest a request may still take after the service was told to stop

_BIND_FAILURES = {
    errno.EADDRINUSE: ("port is in use", "stop the other program or choose another --port"),
    errno.EACCES: ("port may not be used", "choose a --port above 1023"),
    errno.EADDRNOTAVAIL: ("not an address of this machine", "choose another --host"),
}


def serve(app: FastAPI, host: str, port: int, *, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; call `ready` with the service's URL once it answers.

    Port 0 takes a free one. Ctrl-C lets requests finish, closes the databases and raises KeyboardInterrupt.
    Raises StateError when the port can't be had.
    """
    with closing(listen_on(host, port)) as listener:
        _Server(app, lambda: ready(_url(listener))).run(sockets=[listener])


def prepare_data_folder(folder: Path) -> None:
    """Make the folder of a service and try to write there. Raises StateError."""
    calls = folder / "calls"
    trial = calls / f".{token_hex(8)}.tmp"
    try:
        calls.mkdir(parents=True, exist_ok=True)
        trial.touch()
        trial.unlink()
    except OSError as error:
        raise StateError(
            f"can't be written ({error.strerror})", where=str(folder), mend="choose another --data-dir"
        ) from None


@contextmanager
def only_server_of(folder: Path) -> Iterator[None]:
    """Keep a data folder to this process: two servers, of two packs even, would mix their calls. Raises StateError."""
    prepare_data_folder(folder)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise StateError("another service uses it", where=str(folder), mend="choose another --data-dir") from None
    try:
        yield
    finally:
        lock.release()


def open_on_folder(pack: Pack, folder: Path) -> StateService:
    """The pack's service in real time over a data folder. Raises StateError or PackError."""
    prepare_data_folder(folder)
    toolset = load_toolset(pack)
    return open_service(pack, toolset, lambda template: CallStore(ServiceFolder(folder), template), machine_now)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningService:
    """A service that answers on a free loopback port."""

    url: str
    service: StateService
    tools_urls: ToolsUrls


@contextmanager
def running_service(
    pack: Pack, folder: Path, *, shared: bool = False, now_s: Callable[[], float] = time.monotonic
) -> Iterator[RunningService]:
    """Serve a pack from a thread of this process on a free loopback port, for checks and tests.

    Entered once `/health` answers; on leaving, requests finish and databases are closed. Raises StateError.
    """
    service = open_on_folder(pack, folder)
    tools_urls = ToolsUrls(now_s)
    app = create_app(service, ServiceOptions(shared=shared), snapshots=local_snapshots(folder), tools_urls=tools_urls)
    with closing(listen_on("127.0.0.1", 0)) as listener:
        started = threading.Event()
        server = _Server(app, started.set)
        thread = threading.Thread(target=server.run, args=([listener],), name="mivas-state", daemon=True)
        thread.start()
        try:
            if not started.wait(START_S) or httpx.get(f"{_url(listener)}/health").status_code != 200:
                raise StateError("does not answer", where=_url(listener), mend="see the log")
            yield RunningService(url=_url(listener), service=service, tools_urls=tools_urls)
        finally:
            server.should_exit = True
            thread.join(START_S)


class _Server(uvicorn.Server):
    """One worker that says when it is ready. uvicorn picks uvloop and httptools when they are installed."""

    def __init__(self, app: FastAPI, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app, workers=1, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=GRACE_S,
                server_header=False, date_header=False, ws="none",
            )
        )  # fmt: skip
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def listen_on(host: str, port: int) -> socket.socket:
    """A listening socket that blocks nobody; port 0 takes a free one. Raises StateError when it can't be had."""
    where = f"{host}:{port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise StateError("unknown host", where=where, mend="choose another --host") from None
    listener = socket.socket(family, kind, protocol)
    try:
        # Without it a restart in mid-call would wait a minute for the old connections' ports.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        what, mend = _BIND_FAILURES.get(error.errno or 0, (f"can't listen ({error.strerror})", "choose another --port"))
        raise StateError(what, where=where, mend=mend) from None
    listener.setblocking(False)
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
