"""`mivas doctor`: what is missing on this machine, and the line that fixes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import click


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One thing a user may need."""

    what: str
    fine: bool
    needed: bool
    """Whether the main job fails without it; the rest is optional."""
    found: str
    mend: str
    """Command or act that mends it; "" when fine."""


@click.command()
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port the state service would use."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def command(ctx: click.Context, port: int, as_json: bool) -> None:
    """Look for what MIVAS needs here: exit 0 when the main job can run, 1 when something it needs is missing."""
    import json

    from rich import box
    from rich.table import Table

    from mivas.cli._tables import plain_console

    examined = [*_python(), *_packs(), *_harnesses(), *_weights(), *_extras(), *_places(port), *_keys()]
    if as_json:
        click.echo(json.dumps([asdict(one) for one in examined]))
    else:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in ("", "what", "found", "to mend it"):
            table.add_column(heading, overflow="fold")
        for one in examined:
            sign = "ok" if one.fine else "MISSING" if one.needed else "optional"
            table.add_row(sign, one.what, one.found, one.mend)
        plain_console().print(table)
    ctx.exit(0 if all(one.fine or not one.needed for one in examined) else 1)


def _python() -> Iterator[Examined]:
    import platform
    import sys

    fine = sys.version_info >= (3, 11)
    yield Examined(
        what="Python", fine=fine, needed=True, found=platform.python_version(), mend="" if fine else "install 3.11+"
    )


def _packs() -> Iterator[Examined]:
    from mivas.pack import known_packs, load_pack

    for name in known_packs():
        try:
            pack = load_pack(name)
        except (Exception, SystemExit) as error:  # foreign code: whatever it raises is its row
            yield _broken(f"pack {name}", error, needed=True)
        else:
            yield Examined(what=f"pack {name}", fine=True, needed=True, found=f"{pack.title} {pack.version}", mend="")


def _harnesses() -> Iterator[Examined]:
    from mivas.harness import known_harnesses, load_harness

    for name in known_harnesses():
        try:
            load_harness(name)
        except (Exception, SystemExit) as error:  # foreign code: whatever it raises is its row
            yield _broken(f"harness {name}", error, needed=False)
        else:
            yield Examined(what=f"harness {name}", fine=True, needed=False, found="loads", mend="")


def _weights() -> Iterator[Examined]:
    from mivas.speech import WEIGHTS, WeightsMissing

    for weights in WEIGHTS:
        try:
            weights.check()
        except WeightsMissing as error:
            yield _broken(weights.name, error, needed=False)
        else:
            yield Examined(
                what=weights.name, fine=True, needed=False, found=f"sha256 {weights.sha256[:12]} as measured", mend=""
            )


def _broken(what: str, error: BaseException, *, needed: bool) -> Examined:
    from mivas.errors import MivasError

    if isinstance(error, MivasError):
        found, mend = f"{error.where}: {error.what}", error.mend
    else:
        found, mend = f"{type(error).__name__}: {error}", "mend or uninstall its distribution"
    return Examined(what=what, fine=False, needed=needed, found=" ".join(found.split()), mend=mend)


def _extras() -> Iterator[Examined]:
    import re
    from importlib.metadata import PackageNotFoundError, requires, version

    wanted: dict[str, list[str]] = {}
    for line in requires("mivas") or ():
        found = re.match(r"([A-Za-z0-9._-]+).*extra == ['\"]([a-z-]+)['\"]", line)
        if found:
            wanted.setdefault(found[2], []).append(found[1])
    for extra, names in sorted(wanted.items()):
        missing = []
        for name in names:
            try:
                version(name)
            except PackageNotFoundError:
                missing.append(name)
        yield Examined(
            what=f"extra {extra}",
            fine=not missing,
            needed=False,
            found=f"without {', '.join(missing)}" if missing else "installed",
            mend=f"pip install 'mivas[{extra}]'" if missing else "",
        )


def _places(port: int) -> Iterator[Examined]:
    import os
    import socket
    from pathlib import Path

    fine = os.access(Path.cwd(), os.W_OK)
    yield Examined(
        what="run folders",
        fine=fine,
        needed=True,
        found=f"{'can' if fine else 'can not'} write to {Path.cwd()}",
        mend="" if fine else "give mivas run --out a writable folder",
    )
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
            yield Examined(what=f"port {port}", fine=True, needed=False, found="free", mend="")
        except OSError as error:
            mend = "mivas serve PACK --port OTHER"
            yield Examined(what=f"port {port}", fine=False, needed=False, found=str(error.strerror), mend=mend)


def _keys() -> Iterator[Examined]:
    import os

    present = bool(os.environ.get("MIVAS_OPERATOR_TOKEN"))
    yield Examined(
        what="MIVAS_OPERATOR_TOKEN",
        fine=present,
        needed=False,
        found="set" if present else "not set",
        mend="" if present else "export it before serving off loopback",
    )
