"""`mivas serve`: a pack's state service on a port."""

from __future__ import annotations

import os
from pathlib import Path

import click

_TRUE = frozenset({"1", "true", "yes"})


@click.command()
@click.argument("pack", metavar="PACK", envvar="INDUSTRY", default="control-industry")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), envvar="TOOL_SERVER_PORT", default=8000, show_default=True,
    help="Port to listen on; 0 takes a free one.",
)  # fmt: skip
@click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the databases.  [default: folder of MIVAS_DB_PATH, else mivas-data/PACK]",
)  # fmt: skip
@click.option("--shared", is_flag=True, help="Requests without a call id share one debug database.")
def command(pack: str, host: str, port: int, data_dir: Path | None, shared: bool) -> None:
    """Run the state service of PACK (a name or a folder) until interrupted.

    Off loopback, MIVAS_OPERATOR_TOKEN must be set: it guards /state, /snapshot and /bind.
    """
    from time import monotonic

    from mivas.cli._logging import warn_on_stderr
    from mivas.pack import load_pack
    from mivas.state import (
        ServiceOptions,
        ToolsUrls,
        create_app,
        load_snapshot_store,
        only_server_of,
        open_on_folder,
        serve,
    )

    warn_on_stderr()
    loaded = load_pack(pack)
    folder = data_dir or _data_folder(loaded.id)
    options = ServiceOptions(
        host=host,
        shared=shared or os.environ.get("MIVAS_DB_SHARED", "").strip().lower() in _TRUE,
        operator_token=os.environ.get("MIVAS_OPERATOR_TOKEN") or None,
    )
    snapshots = load_snapshot_store("local")(folder)
    with only_server_of(folder):
        service = open_on_folder(loaded, folder)
        app = create_app(service, options, snapshots=snapshots, tools_urls=ToolsUrls(monotonic))
        serve(app, host, port, ready=lambda url: click.echo(f"{loaded.id}: {url}, databases in {folder}", err=True))


def _data_folder(pack_id: str) -> Path:
    database = os.environ.get("MIVAS_DB_PATH")
    return Path(database).parent if database else Path("mivas-data") / pack_id
