"""`mivas report`: runs as a site to open from disk. Source: cli.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mivas.cli._report_material import RunFolderView

_PATH = click.Path(path_type=Path)
DEFAULT_OUT = Path("report")


@click.command("report")
@click.argument("roots", metavar="RUN...", nargs=-1, required=True, type=_PATH)
@click.option("--out", type=_PATH, default=DEFAULT_OUT, show_default=True, help="Folder of the site.")
@click.option("--probe", "probes", type=_PATH, multiple=True, help="Output of `mivas probe PACK --json`; repeatable.")
@click.option("--tasks", type=_PATH, help="Tasks the runs were judged by, if not the pack's own.")
@click.option("--screenshots", type=_PATH, metavar="DIR", help="Also picture every page, as desktop and phone show it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    roots: tuple[Path, ...],
    out: Path,
    probes: tuple[Path, ...],
    tasks: Path | None,
    screenshots: Path | None,
    as_json: bool,
) -> None:
    """Write the runs in folders RUN... as a site: figures, catalogue, every call with its sound, packs and method.

    It opens from disk, without a server, and no page asks anybody for anything. A site that stands in the folder is
    replaced.
    """
    import json

    from mivas.cli._report_material import PackShelf, material_of, read_probe, read_run_folder
    from mivas.report.site import build_site

    views: list[RunFolderView] = []
    shelf = PackShelf(tasks)
    for root in roots:
        views.append(read_run_folder(root, [one.name for one in views]))
        shelf.add(views[-1].manifest)
    _check_apart(roots, out)
    if screenshots is not None:
        _check_pictures(roots, out, screenshots)
    material = material_of(views, shelf, [read_probe(path) for path in probes])
    total = sum(len(one.records) + len(one.going_on) for one in views)
    with _progress_bar(total, quiet=as_json) as watch:
        built = build_site(material, out, watch)
    for view in views:
        _warn(view, built.lost.get(view.name, ()))
    pictures = _pictures(out, screenshots) if screenshots is not None else []
    page = (out / "index.html").resolve()
    if as_json:
        document = {"index": str(page), "calls": built.calls, "with_sound": built.with_sound, "pictures": pictures}
        click.echo(json.dumps(document))
        return
    sound = f", {built.with_sound} with sound" if built.with_sound else ""
    click.echo(f"{built.calls} call{'' if built.calls == 1 else 's'}{sound}; open {page}")


def _warn(view: RunFolderView, lost: Sequence[str]) -> None:
    """One line each for a run without calls, and for evidence that its site doesn't show."""
    if not view.records:
        path = view.root / "trials.jsonl"
        what = "holds no call" if path.is_file() else "is missing"
        click.echo(f"mivas: {path}: {what}; the site shows no call of this run that is over", err=True)
    if lost:
        calls = "a call" if len(lost) == 1 else f"{len(lost)} calls"
        which = "" if len(lost) == 1 else "the first: "
        click.echo(f"mivas: {view.root}: evidence of {calls} isn't shown whole; {which}{lost[0]}", err=True)


def _check_apart(roots: tuple[Path, ...], out: Path) -> None:
    """Raise InputError for a site that would stand in a run folder, or around one."""
    from mivas.errors import InputError

    site = out.resolve()
    for root in roots:
        run = root.resolve()
        if site.is_relative_to(run) or run.is_relative_to(site):
            raise InputError("lies in or around a run folder", where=str(out), mend="choose another --out")


def _check_pictures(roots: tuple[Path, ...], site: Path, folder: Path) -> None:
    """Raise MivasError where pictures can't be taken, or would stand where something else is kept."""
    from mivas.cli._screenshots import check_screenshots
    from mivas.errors import InputError

    for root in roots:
        if folder.resolve().is_relative_to(root.resolve()):
            raise InputError("lies in a run folder", where=str(folder), mend="choose another --screenshots")
    if folder.resolve().is_relative_to(site.resolve()):
        mend = "choose a folder beside it with --screenshots"
        raise InputError("lies in the site, which is replaced as a whole", where=str(folder), mend=mend)
    check_screenshots(folder)


def _pictures(site: Path, folder: Path) -> list[str]:
    from mivas.cli._screenshots import take_screenshots

    return [str(path) for path in take_screenshots(site, folder)]


@contextmanager
def _progress_bar(total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar on stderr that counts calls; silent where nobody looks at a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("calls"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("calls", total=total)
        yield lambda done: bar.update(task, completed=done)
