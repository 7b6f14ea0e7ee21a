"""The diagram shows the blueprint's arrows and no other; the picture is a small PNG."""

from __future__ import annotations

import builtins
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import MivasError
from mivas.pack import Blueprint, Node, NodeTool, Pack, draw_png, known_packs, load_pack, mermaid
from mivas.pack._layout import layered_layout

SOLID = re.compile(r"(\w+) -->\|(\w+)\| (\w+)$", re.MULTILINE)
DASHED = re.compile(r"(\w+) -\.->\|(\w+)\| (\w+)", re.MULTILINE)


@pytest.mark.parametrize("name", known_packs())
def test_solid_and_dashed_arrows_are_those_of_the_blueprint(name: str) -> None:
    blueprint = load_pack(name).blueprint
    text = mermaid(load_pack(name))
    assert SOLID.findall(text) == [(edge.source, edge.tool, edge.target) for edge in blueprint.edges()]
    assert DASHED.findall(text) == [(edge.source, edge.tool, edge.target) for edge in blueprint.human_exits()]


@pytest.mark.parametrize("name", known_packs())
def test_the_diagram_checked_in_is_the_one_generated(name: str) -> None:
    pack = load_pack(name)
    assert (pack.folder / "agent_blueprint.mmd").read_text(encoding="utf-8") == mermaid(pack)


def test_healthcare_ends_at_its_two_sinks() -> None:
    text = mermaid(load_pack("healthcare"))
    assert text.startswith("flowchart TD\n    start((call)) --> reception\n")
    assert re.findall(r"(\w+) --> finish", text) == ["scheduling", "cosmetic"]
    assert len(DASHED.findall(text)) == 7


def test_a_pack_without_a_way_to_a_person_has_no_end() -> None:
    assert mermaid(load_pack("control-industry")) == (
        "flowchart TD\n    start((call)) --> receptionist\n    receptionist -->|handoff_to_scheduler| scheduler\n"
    )


def with_graph(**targets: str) -> Pack:
    """A pack whose nodes hand off to the nodes named after each."""
    nodes = (
        Node(
            id=node,
            instructions="",
            tools=tuple(NodeTool(name=f"to_{to}", kind="handoff", handoff_to=to) for to in others.split()),
        )
        for node, others in targets.items()
    )
    return replace(load_pack("control-industry"), blueprint=Blueprint(greeting=None, nodes=tuple(nodes)))


PACKS = {
    "one node": with_graph(only=""),
    "a loop of two": with_graph(front="orders returns", orders="returns", returns="orders"),
    "a node that calls itself": with_graph(front="front back", back=""),
}


@pytest.mark.parametrize("pack", [*map(load_pack, known_packs()), *PACKS.values()], ids=[*known_packs(), *PACKS])
def test_the_picture_is_a_small_png(tmp_path: Path, pack: Pack) -> None:
    draw_png(pack, tmp_path / "graph.png")
    data = (tmp_path / "graph.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) < 300_000


@pytest.mark.parametrize("name", known_packs())
def test_the_picture_checked_in_is_a_small_png(name: str) -> None:
    data = (load_pack(name).folder / "agent_blueprint.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) < 300_000


def test_boxes_stand_apart_and_below_what_leads_to_them() -> None:
    blueprint = load_pack("healthcare").blueprint
    edges = [(edge.source, edge.target) for edge in blueprint.edges()]
    layout = layered_layout(list(blueprint.by_id), edges)
    for source, target in edges:
        assert layout.boxes[source][1] > layout.boxes[target][1]
    spots = list(layout.boxes.values())
    for number, (x, y) in enumerate(spots):
        for other_x, other_y in spots[number + 1 :]:
            assert y != other_y or abs(x - other_x) > 0.99


def test_the_layout_is_the_same_each_time() -> None:
    nodes, edges = ["a", "b", "c", "d"], [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d")]
    assert layered_layout(nodes, edges) == layered_layout(nodes, edges)


def test_an_arrow_that_passes_a_layer_bends_round_its_boxes() -> None:
    layout = layered_layout(["a", "b", "c"], [("a", "b"), ("b", "c"), ("a", "c")])
    (_, bend, _) = layout.paths["a", "c"]
    assert abs(bend[0] - layout.boxes["b"][0]) > 0.5


def test_a_missing_extra_is_told_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = builtins.__import__

    def without_matplotlib(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return found(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    with pytest.raises(MivasError, match=r"mivas\[draw\]"):
        draw_png(load_pack("control-industry"), tmp_path / "graph.png")


def test_a_picture_that_cant_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(MivasError, match="can't be written"):
        draw_png(load_pack("control-industry"), tmp_path / "nowhere" / "graph.png")


@pytest.mark.parametrize(
    ("name", "start"), [("graph.PNG", b"\x89PNG"), ("graph.svg", b"<?xml"), ("graph.pdf", b"%PDF")]
)
def test_the_suffix_chooses_the_format(tmp_path: Path, name: str, start: bytes) -> None:
    draw_png(PACKS["one node"], tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["graph.txt", "graph"])
def test_another_suffix_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MivasError, match=r"choose from \.png, \.svg, \.pdf"):
        draw_png(PACKS["one node"], tmp_path / name)
    assert not (tmp_path / name).exists()


def test_without_a_home_to_write_to_drawing_is_silent(tmp_path: Path) -> None:
    environment = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ} | {"HOME": os.devnull}
    script = (
        "import sys; from pathlib import Path; from mivas.pack import draw_png, load_pack; "
        "draw_png(load_pack('control-industry'), Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "graph.png")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
