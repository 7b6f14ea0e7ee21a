"""A site as a folder: pages, data, sound and evidence. Opens from disk and asks nobody for anything."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mivas.errors import InputError
from mivas.report.site._data_files import safe_name, write_data
from mivas.report.site._material import SiteCall, SiteMaterial, SiteRun
from mivas.report.site._peaks import peaks_of
from mivas.report.site._site import Site

MARKER = "mivas-site"
"""File that says a folder holds a site: only such a folder is written over."""
UNFINISHED = ".unfinished"
"""Folder within the site's in which the next one is built."""
_WAITING = 32
"""Recordings outlined ahead of the pages that show them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What was written."""

    folder: Path
    calls: int
    with_sound: int
    lost: Mapping[str, Sequence[str]]
    """By the run's name, for each call whose evidence isn't shown whole, why."""


def build_site(material: SiteMaterial, folder: Path, watch: Callable[[int], None] = lambda _: None) -> Built:
    """Write a site into a new folder, or in place of a site that stands there, once the new one is whole.

    Args:
        watch: told how many calls are done, after each.
    Raises: InputError when the folder holds something else or can't be written.
    """
    try:
        with _room_in(folder) as room:
            built = _build(material, room, watch)
        return replace(built, folder=folder)
    except OSError as error:
        raise InputError(
            f"can't be written ({error.strerror or error})",
            where=str(error.filename or folder),
            mend="choose another --out",
        ) from None


@contextmanager
def _room_in(folder: Path) -> Iterator[Path]:
    """A folder to build in. What is there at the end takes the old site's place; after an error that one stays.

    The room is inside, not beside: the folder itself may be a mount, a link or where the user stands.
    """
    is_new = not folder.exists()
    is_empty = is_new or not any(folder.iterdir())
    if not is_empty and not (folder / MARKER).is_file():
        raise InputError("holds other files", where=str(folder), mend="choose an empty or a new folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text("A report written by `mivas report`. It is replaced as a whole.\n", encoding="utf-8")
    room = folder / UNFINISHED
    try:
        _remove(room)  # of a build that was killed
        room.mkdir()
        yield room
    except BaseException:
        with suppress(OSError):
            _remove(room)
            if is_empty:
                (folder / MARKER).unlink()
            if is_new:
                folder.rmdir()
        raise
    for old in folder.iterdir():
        if old.name not in (MARKER, UNFINISHED):
            _remove(old)
    for new in room.iterdir():
        new.rename(folder / new.name)
    room.rmdir()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _build(material: SiteMaterial, folder: Path, watch: Callable[[int], None]) -> Built:
    site = Site(material)
    for name, content in site.assets():
        _write(folder / name, content)
    for name, value in site.fixed_data():
        write_data(folder, name, value)
    for name, page in site.fixed_pages():
        _write(folder / name, page.encode())
    writer = _Writer(site, folder, watch)
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        for run in material.runs:
            writer.write_run(run, pool)
    write_data(folder, "index", site.index(writer.rows))
    overview = site.overview(writer.figure_rows)
    write_data(folder, "overview", overview.data)
    _write(folder / "index.html", overview.page.encode())
    return Built(folder=folder, calls=len(writer.rows), with_sound=writer.with_sound, lost=writer.lost)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


class _Writer:
    """Writes the calls of one run after another, outlining recordings ahead on other cores."""

    def __init__(self, site: Site, folder: Path, watch: Callable[[int], None]) -> None:
        self._site, self._folder, self._watch = site, folder, watch
        self.rows: list[dict[str, Any]] = []
        self.figure_rows: dict[str, list[dict[str, Any]]] = {}
        self.with_sound = 0
        self.lost: dict[str, list[str]] = {}

    def write_run(self, run: SiteRun, pool: ThreadPoolExecutor) -> None:
        self.figure_rows[run.name] = []
        self.lost[run.name] = []
        waiting: list[tuple[SiteCall, Future[dict[str, Any] | None] | None]] = []
        for call in run.calls:
            waiting.append((call, None if call.audio is None else pool.submit(peaks_of, call.audio)))
            if len(waiting) >= _WAITING:
                self._write_call(run, *waiting.pop(0))
        for call, peaks in waiting:
            self._write_call(run, call, peaks)

    def _write_call(self, run: SiteRun, call: SiteCall, peaks: Future[dict[str, Any] | None] | None) -> None:
        call_id = safe_name(str(call.conversation.record.get("call_id")))
        value = self._site.call(call, run.name)
        value["audio"] = self._sound(run, call, call_id)
        value["peaks"] = peaks.result() if peaks is not None else None
        value["evidence"] = self._evidence(run, call, call_id)
        write_data(self._folder, f"calls/{run.name}/{call_id}", value)
        self.rows.append(self._site.call_row(call, run.name))
        self.figure_rows[run.name].append(self._site.figure_row(call))
        unread = _unread(call.audio) if value["peaks"] is None and call.audio is not None else None
        if lost := call.lost or unread:
            self.lost[run.name].append(lost)
        self._watch(len(self.rows))

    def _sound(self, run: SiteRun, call: SiteCall, call_id: str) -> str | None:
        if call.audio is None:
            return None
        self.with_sound += 1
        name = f"audio/{run.name}/{call_id}{call.audio.suffix}"
        _link(call.audio, self._folder / name)
        return name

    def _evidence(self, run: SiteRun, call: SiteCall, call_id: str) -> Mapping[str, str]:
        found = {}
        for name, source in call.evidence.items():
            where = f"evidence/{run.name}/{call_id}/{safe_name(name)}"
            _keep(source, self._folder / where)
            found[name] = where
        return found


def _unread(audio: Path) -> str | None:
    """Why a recording has no outline; None where no recording could have one."""
    return f"{audio}: is no recording that can be read" if find_spec("soundfile") and find_spec("numpy") else None


def _keep(source: Path, target: Path) -> None:
    """Put a file where it can be downloaded; a name that ends in .gz asks for it compressed."""
    if target.suffix == ".gz" and source.suffix != ".gz":
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(source.read_bytes(), compresslevel=5, mtime=0))
    else:
        _link(source, target)


def _link(source: Path, target: Path) -> None:
    """The same file under another name where the disk allows it, else a copy."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copyfile(source, target)
