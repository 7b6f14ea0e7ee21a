"""The pages of a site, each as text: made once for a folder, or again and again while a run goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from mivas import __version__
from mivas.report.site._call_page import MARK_WORDS, call_page
from mivas.report.site._catalogue import call_row, lock_of, task_row
from mivas.report.site._data_files import safe_name
from mivas.report.site._figures import LATENCY_STEP_MS, run_figures
from mivas.report.site._graph import graph_of
from mivas.report.site._markdown import markdown
from mivas.report.site._material import SiteCall, SiteMaterial, SitePack
from mivas.report.site._method import method_values
from mivas.report.site._replication import replication_case, replication_head
from mivas.report.site._rows import Tables, seed_tables
from mivas.report.site._soundness import soundness_values

NAVIGATION = (
    ("index.html", "Overview"),
    ("tasks.html", "Tasks"),
    ("industries.html", "Industries"),
    ("harnesses.html", "Harnesses"),
    ("soundness.html", "Soundness"),
    ("method.html", "Method"),
)
ASSETS = (
    "site.css", "core.js", "icon.svg", "overview.js", "catalogue.js", "task.js", "call.js", "player.js",
    "timeline.js", "transcript.js", "compare.js", "graph.js", "industry.js", "live.js", "chart.min.js",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The first page and what its charts are drawn of."""

    page: str
    data: Sequence[Mapping[str, Any]]


class Site:
    """A site over its material."""

    def __init__(self, material: SiteMaterial) -> None:
        self._material = material
        self._packs = {one.pack.id: one for one in material.packs}

    @cached_property
    def seeds(self) -> Mapping[str, Tables]:
        """Tables of each pack before a call, by pack id."""
        return {pack_id: seed_tables(one.pack) for pack_id, one in self._packs.items()}

    @cached_property
    def _templates(self) -> Environment:
        env = Environment(
            loader=PackageLoader("mivas.report.site"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        env.filters |= {
            "percent": percent,
            "seconds": seconds,
            "pretty": pretty,
            "plainly": plainly,
            "markdown": markdown,
        }
        env.filters["safe_name"] = safe_name
        env.globals |= {
            "navigation": NAVIGATION,
            "version": __version__,
            "live": self._material.live,
            "mark_words": MARK_WORDS,
        }
        return env

    def page(self, name: str, **values: Any) -> str:
        """A page by the name of its template."""
        return self._templates.get_template(f"{name}.html").render(here=f"{name}.html", **values)

    # What changes while a run goes on.

    def overview(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Overview:
        """The first page.

        Args:
            rows: `figure_row` of the calls of each run, by its name.
        """
        figures = {run.name: run_figures(rows[run.name], _trials(run.manifest)) for run in self._material.runs}
        runs = [
            {"name": run.name, "manifest": run.manifest, "figures": figures[run.name], "notes": caveats(run.manifest)}
            for run in self._material.runs
        ]
        return Overview(page=self.page("index", runs=runs), data=[_charts(one) for one in figures.values()])

    def figure_row(self, call: SiteCall) -> dict[str, Any]:
        """A call as the figures take it: its verdict line, with what its task and its record add."""
        one = call.conversation
        meta = one.task.file.metadata if one.task is not None else None
        return {
            **one.verdict,
            "difficulty": meta.difficulty if meta else None,
            "audio_condition": meta.audio_condition if meta else None,
            "caller_fault": one.record.get("caller_fault"),
        }

    def index(self, call_rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Data that most pages load: runs, tasks and calls, a row each."""
        return {
            "runs": [
                {
                    "name": run.name,
                    "harness": _inside(run.manifest, "harness", "name"),
                    "tier": run.manifest.get("tier"),
                    "started": run.manifest.get("started_utc"),
                    "status": run.manifest.get("status"),
                }
                for run in self._material.runs
            ],
            "packs": {pack_id: one.pack.title for pack_id, one in self._packs.items()},
            "tasks": [task_row(one, task) for one in self._packs.values() for task in one.tasks.values()],
            "calls": list(call_rows),
        }

    def call_row(self, call: SiteCall, run: str) -> dict[str, Any]:
        return call_row(call, run)

    def call(self, call: SiteCall, run: str) -> dict[str, Any]:
        """Data of one call's page."""
        return call_page(call, run, self.seeds.get(str(call.conversation.verdict.get("pack"))))

    # What stays.

    def fixed_pages(self) -> Iterator[tuple[str, str]]:
        """(file name, text) of the pages that no further call changes."""
        yield "tasks.html", self.page("tasks")
        yield "task.html", self.page("task")
        yield "call.html", self.page("call")
        packs = list(self._packs.values())
        yield "industries.html", self.page("industries", packs=[_pack_summary(one) for one in packs])
        for one in packs:
            values = {"summary": _pack_summary(one), "pack": one.pack, "tables": self.seeds[one.pack.id]}
            readme = _readme(one)
            page = self.page("industry", **values, readme=readme, nodes=_nodes(one), tools=_tools(one))
            yield f"industry-{safe_name(one.pack.id)}.html", page
        yield "harnesses.html", self.page("harnesses", cards=self._material.harnesses, runs=self._material.runs)
        yield "method.html", self.page("method", **method_values(self._material.packs, self._material.examples))
        yield "soundness.html", self.page("soundness", **soundness_values(self._material.probes))

    def fixed_data(self) -> Iterator[tuple[str, Any]]:
        """(name, value) of the data files that no further call changes."""
        for pack_id, one in self._packs.items():
            name = safe_name(pack_id)
            yield f"graphs/{name}", graph_of(one.pack.blueprint)
            yield f"locks/{name}", {task_id: lock_of(task) for task_id, task in one.tasks.items()}
            seed = self.seeds[pack_id]
            cases = {task_id: replication_case(one.pack, task, seed) for task_id, task in one.tasks.items()}
            yield f"replication/{name}", {"head": replication_head(one.pack), "cases": cases}
            yield f"tables/{name}", seed

    def assets(self) -> Iterator[tuple[str, bytes]]:
        """(file name, bytes) of style, scripts and icon."""
        folder = files("mivas.report.site") / "assets"
        for name in ASSETS:
            yield f"assets/{name}", (folder / name).read_bytes()


def _charts(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "pass_hat_k": {pack: one["pass_hat_k"] for pack, one in figures["packs"].items()},
        "histogram": figures["times"]["histogram"] if figures["times"] else None,
        "histogram_step_ms": LATENCY_STEP_MS,
    }


def percent(share: float | None, places: int = 1) -> str:
    """A share as text; unknown is a dash, never 0.

    >>> percent(0.5), percent(1), percent(None), percent(0.123)
    ('50%', '100%', '–', '12.3%')
    """
    if share is None:
        return "–"
    return f"{share * 100:.{places}f}".removesuffix("." + "0" * places) + "%"


def seconds(t_ms: float | None) -> str:
    """Milliseconds as seconds.

    >>> seconds(1250), seconds(None)
    ('1.25 s', '–')
    """
    return "–" if t_ms is None else f"{t_ms / 1000:.2f} s"


def pretty(value: Any) -> str:
    """A value as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def plainly(value: Any) -> str:
    """A value of a manifest in words; of what has a name the name is enough.

    >>> plainly(True), plainly(["text", "voice"]), plainly({"agent": {"name": "a", "revision": "1"}, "caller": None})
    ('yes', 'text, voice', 'agent: a; caller: none')
    """
    if value is None or value == [] or value == ():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if "name" in value:
            return str(value["name"])
        return "; ".join(f"{str(name).replace('_', ' ')}: {plainly(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(plainly, value))
    return str(value)


def caveats(manifest: Mapping[str, Any]) -> list[str]:
    """What a reader must know before comparing a run with another."""
    found = []
    if _inside(manifest, "harness", "capabilities", "knows_answers"):
        found.append("This harness is shown the answers: it proves the suite and is no result of an agent.")
    if _inside(manifest, "caller", "approximate"):
        found.append("The caller's program was guessed from a public task: not comparable with others.")
    if manifest.get("tier") == "text":
        found.append("Text calls: nobody spoke aloud, so times within a call are made up.")
    if manifest.get("status") not in (None, "finished"):
        found.append(f"The run is {manifest['status']}: figures cover the calls that are over.")
    if any(one.get("suite") == "fixture" for one in _objects(manifest.get("packs"))):
        found.append("A pack here is a qualification fixture, which is never scored.")
    return found


def _objects(value: Any) -> Iterable[Mapping[str, Any]]:
    return [one for one in value.values() if isinstance(one, Mapping)] if isinstance(value, Mapping) else []


def _inside(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _trials(manifest: Mapping[str, Any]) -> int:
    trials = manifest.get("trials")
    return trials if isinstance(trials, int) and trials > 0 else 1


def _pack_summary(one: SitePack) -> dict[str, Any]:
    pack = one.pack
    return {
        "id": pack.id,
        "page": f"industry-{safe_name(pack.id)}.html",
        "title": pack.title,
        "version": pack.version,
        "suite": one.suite,
        "suite_hash": one.suite_hash,
        "cases": len(one.tasks),
        "nodes": len(pack.blueprint.nodes),
        "tools": len(pack.tools),
        "transfers": len(list(pack.blueprint.edges())),
        "clock": f"{pack.clock:%A, %d %B %Y, %H:%M}" if pack.clock else None,
    }


def _readme(one: SitePack) -> str:
    path = one.pack.folder / "README.md"
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _nodes(one: SitePack) -> list[dict[str, Any]]:
    return [
        {
            "id": node.id,
            "tools": [tool.name for tool in node.tools if tool.kind != "handoff"],
            "transfers": [(tool.name, tool.handoff_to) for tool in node.tools if tool.kind == "handoff"],
            "prompt": node.instructions,
        }
        for node in one.pack.blueprint.nodes
    ]


def _tools(one: SitePack) -> list[dict[str, Any]]:
    owners: dict[str, list[str]] = {}
    kinds: dict[str, str] = {}
    for node in one.pack.blueprint.nodes:
        for tool in node.tools:
            owners.setdefault(tool.name, []).append(node.id)
            kinds[tool.name] = tool.kind
    return [
        {
            "name": tool.name,
            "kind": kinds.get(tool.name, "industry"),
            "description": tool.description,
            "arguments": _arguments(tool.input_schema),
            "nodes": owners.get(tool.name, []),
        }
        for tool in one.pack.tools.values()
    ]


def _arguments(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    required = schema.get("required") or ()
    return [
        {
            "name": name,
            "required": name in required,
            "type": _type_of(one),
            "values": one.get("enum") or (one.get("items") or {}).get("enum") or [],
            "description": one.get("description", ""),
        }
        for name, one in (schema.get("properties") or {}).items()
        if isinstance(one, Mapping)
    ]


def _type_of(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type", "any")
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)
