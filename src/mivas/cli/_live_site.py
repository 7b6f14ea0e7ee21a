"""A site over a run folder that is still being written: every answer is made from the folder as it stands then."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from mivas.cli._report_material import (
    CALLS,
    EVENTS,
    PackShelf,
    RunFolderView,
    call_going_on,
    ended_call,
    listed_calls,
    material_of,
    read_run_folder,
)

if TYPE_CHECKING:
    from mivas.report.site import Site, SiteCall

_LOG = logging.getLogger(__name__)
WRITTEN = ("run.json", "trials.jsonl", "verdicts.jsonl")


class LiveSite:
    """Pages, data and files of one run by their path within the site. Safe to ask from several threads."""

    def __init__(self, root: Path, shelf: PackShelf, probes: Sequence[Mapping[str, Any]]) -> None:
        """Read the folder and make what no further call changes. Raises MivasError."""
        from mivas.report.site import Site

        self._root, self._shelf, self._probes = root, shelf, probes
        self._lock = Lock()
        self._seen = ""
        self._view = read_run_folder(root)
        self._shelf.add(self._view.manifest)
        self._site: Site = Site(material_of([self._view], shelf, probes, live=True))
        self._fixed: dict[str, bytes] = dict(self._site.assets())
        self._fixed |= {name: page.encode() for name, page in self._site.fixed_pages()}
        self._fixed |= {f"data/{name}.js": _script(name, value) for name, value in self._site.fixed_data()}
        self._made: dict[str, bytes] = {}
        self._told: set[str] = set()

    def text(self, path: str) -> bytes | None:
        """A page, a script or a data file; None where the site has no such path."""
        if path in self._fixed:
            return self._fixed[path]
        if path == "data/live.js":
            return _script("live", {"version": self.version(), "over": self._over()})
        if path in ("index.html", "data/index.js", "data/overview.js"):
            return self._figures()[path]
        if path.startswith("data/calls/"):
            return self._call(path)
        return None

    def file(self, path: str) -> Path | None:
        """A recording or a piece of evidence in the run folder."""
        kind, _, rest = path.partition("/")
        run, _, name = rest.partition("/")
        call_id, _, piece = name.partition("/")
        view = self._read()
        if run != view.name:
            return None
        call = self._find(view, call_id.rpartition(".")[0] if kind == "audio" else call_id)
        if call is None:
            return None
        return call.audio if kind == "audio" else call.evidence.get(piece) if kind == "evidence" else None

    def version(self) -> str:
        """Changes whenever something was written."""
        paths = [self._root / name for name in WRITTEN]
        paths += sorted((self._root / CALLS).glob(f"*/{EVENTS}")) if not self._over() else []
        parts = []
        for path in paths:
            try:
                found = path.stat()
            except OSError:
                continue
            parts.append(f"{path.name} {found.st_size} {found.st_mtime_ns}")
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def _over(self) -> bool:
        return self._view.manifest.get("status") == "finished"

    def _read(self) -> RunFolderView:
        """The folder as it stands now; read again only when something was written."""
        from mivas.report.site import Site

        with self._lock:
            version = self.version()
            if version != self._seen:
                self._view = read_run_folder(self._root)
                self._site = Site(material_of([self._view], self._shelf, self._probes, live=True))
                self._made = {}
                self._seen = version
            return self._view

    def _figures(self) -> Mapping[str, bytes]:
        from mivas.errors import JournalError

        try:
            view = self._read()
        except JournalError:  # the folder is being moved or mended: what was read last still stands
            view = self._view
        with self._lock:
            if not self._made:
                calls = list(listed_calls(view, self._shelf))
                overview = self._site.overview({view.name: [self._site.figure_row(call) for call in calls]})
                rows = [self._site.call_row(call, view.name) for call in calls]
                self._made = {
                    "index.html": overview.page.encode(),
                    "data/overview.js": _script("overview", overview.data),
                    "data/index.js": _script("index", self._site.index(rows)),
                }
            return self._made

    def _call(self, path: str) -> bytes | None:
        from mivas.report.site import peaks_of

        view = self._read()
        name = path.removeprefix("data/").removesuffix(".js")
        _, run, call_id = name.split("/") if name.count("/") == 2 else ("", "", "")
        call = self._find(view, call_id) if run == view.name else None
        if call is None:
            return None
        value = self._site.call(call, run)
        value["audio"] = f"audio/{run}/{call_id}{call.audio.suffix}" if call.audio else None
        value["peaks"] = peaks_of(call.audio) if call.audio else None
        value["evidence"] = {piece: f"evidence/{run}/{call_id}/{piece}" for piece in call.evidence}
        return _script(name, value)

    def _find(self, view: RunFolderView, name: str) -> SiteCall | None:
        """A call by the name its files have in the site: only what the journal names is ever opened."""
        from mivas.report.site import safe_name

        for key, record in view.records.items():
            if safe_name(str(record.get("call_id"))) == name:
                return self._told_of(ended_call(view, self._shelf, view.verdicts.get(key, {"key": key}), record))
        for call_id in view.going_on:
            if safe_name(call_id) == name:
                return call_going_on(view, self._shelf, call_id)
        return None

    def _told_of(self, call: SiteCall) -> SiteCall:
        """The same call; what isn't shown of it is said once."""
        if call.lost is not None and call.lost not in self._told:
            self._told.add(call.lost)
            _LOG.warning("evidence of a call isn't shown whole; %s", call.lost)
        return call


def _script(name: str, value: Any) -> bytes:
    from mivas.report.site import script_of

    return script_of(name, value).encode()
