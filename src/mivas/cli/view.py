"""`mivas view`: a run's report on a loopback port, live while the run goes on. Source: cli.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fastapi import FastAPI

    from mivas.cli._live_site import LiveSite

HOST = "127.0.0.1"
"""Loopback only: what callers said is nobody else's."""
_HOSTS = ["127.0.0.1", "localhost"]
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PATH = click.Path(path_type=Path)


@click.command("view")
@click.argument("root", metavar="RUN", type=_PATH)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8010, show_default=True, help="Port to listen on; 0: a free one."
)
@click.option("--probe", "probes", type=_PATH, multiple=True, help="Output of `mivas probe PACK --json`; repeatable.")
@click.option("--tasks", type=_PATH, help="Tasks the run was judged by, if not the pack's own.")
def command(root: Path, port: int, probes: tuple[Path, ...], tasks: Path | None) -> None:
    """Show the run in folder RUN as `mivas report` would, on this machine only, until interrupted.

    While the run goes on, pages follow it: figures grow, calls that go on can be read along.
    """
    from mivas.cli._live_site import LiveSite
    from mivas.cli._logging import warn_on_stderr
    from mivas.cli._report_material import PackShelf, read_probe
    from mivas.state import serve

    warn_on_stderr()
    site = LiveSite(root, PackShelf(tasks), [read_probe(path) for path in probes])
    serve(create_app(site), HOST, port, ready=lambda url: click.echo(f"{root}: {url}/index.html", err=True))


def create_app(site: LiveSite) -> FastAPI:
    """The application over a live site."""
    import gzip

    from fastapi import FastAPI, Response
    from fastapi.responses import FileResponse, RedirectResponse
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS)

    @app.get("/")
    def first() -> Response:
        return RedirectResponse("/index.html")

    @app.get("/{path:path}")
    def answer(path: str) -> Response:
        text = site.text(path)
        if text is not None:
            return Response(text, media_type=_KINDS.get(Path(path).suffix), headers=_HEADERS)
        file = site.file(path)
        if file is None or not file.is_file():
            return Response("not here\n", status_code=404, media_type="text/plain")
        if path.endswith(".gz") and file.suffix != ".gz":
            return Response(gzip.compress(file.read_bytes(), mtime=0), media_type="application/gzip")
        return FileResponse(file, headers=_HEADERS)

    return app


_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
