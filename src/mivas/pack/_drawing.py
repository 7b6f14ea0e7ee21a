"""A pack's graph as Mermaid text and as a picture."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from mivas.errors import MivasError
from mivas.pack._blueprint import Blueprint
from mivas.pack._layout import Layout, Point, layered_layout
from mivas.pack._pack import Pack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

START, END, HUMAN = "start", "finish", "human"  # `end` is a word of Mermaid's grammar and can't name a node

INK, PAPER, ARROW, PERSON = "#1f2933", "#e8f0fb", "#3b6ea8", "#b45309"
BOX_WIDTH, BOX_HEIGHT, PORT_GAP = 0.5, 0.24, 0.09
BALL_WIDTH, BALL_HEIGHT = 0.17, 0.3
LABEL_WIDTH_PER_LETTER, LABEL_HEIGHT = 0.0268, 0.1
INCHES_ACROSS, INCHES_DOWN = 2.9, 1.55
LEAST_WIDTH = 1.9

# Suffixes of pictures, each with what keeps version and date of drawing out of the file.
_PICTURE_METADATA: dict[str, dict[str, str | None]] = {
    ".png": {"Software": ""},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


def mermaid(pack: Pack) -> str:
    """Top-down flowchart: a solid arrow for each transfer, a dashed one for each way to a person, with the tool's name.

    A pack that can reach a person also shows where the call ends: at the nodes without a transfer.
    """
    blueprint = pack.blueprint
    humans = list(blueprint.human_exits())
    lines = ["flowchart TD", f"{START}((call)) --> {blueprint.entry.id}"]
    lines += [f"{edge.source} -->|{edge.tool}| {edge.target}" for edge in blueprint.edges()]
    lines += [f"{sink} --> {END}((end))" for sink in _drawn_sinks(blueprint)]
    lines += [f"{edge.source} -.->|{edge.tool}| {HUMAN}([human])" for edge in humans]
    return "\n    ".join(lines) + "\n"


def draw_png(pack: Pack, path: Path) -> None:
    """Draw the graph as a picture: a PNG, or by the suffix of `path` an SVG or PDF.

    Raises MivasError when the extra `draw` isn't installed, the suffix is another or the file can't be written.
    """
    if (suffix := path.suffix.lower()) not in _PICTURE_METADATA:
        raise MivasError(
            f"no picture has the suffix {suffix!r}", where=str(path), mend=f"choose from {', '.join(_PICTURE_METADATA)}"
        )
    try:
        with _matplotlib_silent():
            import networkx  # type: ignore[import-untyped]  # noqa: F401
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
    except ImportError:
        raise MivasError(
            "drawing needs networkx and matplotlib", where="extra draw", mend="pip install 'mivas[draw]'"
        ) from None
    blueprint = pack.blueprint
    labels = {(edge.source, edge.target): edge.tool for edge in blueprint.edges()}
    edges = [(START, blueprint.entry.id), *labels, *((sink, END) for sink in _drawn_sinks(blueprint))]
    names = [node for node in (START, *blueprint.by_id, END) if any(node in edge for edge in edges)]
    layout = layered_layout(names, edges)
    left, right, bottom, top = _frame(layout)
    figure = Figure(figsize=((right - left) * INCHES_ACROSS, (top - bottom) * INCHES_DOWN), dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(left, right), ylim=(bottom, top))
    axes.set_axis_off()
    _draw_arrows(axes, layout, labels)
    _draw_boxes(axes, layout, blueprint)
    axes.text(left + 0.12, top - 0.16, f"{pack.title} ({pack.id})", fontsize=13, fontweight="bold", color=INK, va="top")
    if tools := sorted({edge.tool for edge in blueprint.human_exits()}):
        legend = f"dashed: {', '.join(tools)} ends the call at a person"
        axes.text(left + 0.12, top - 0.42, legend, fontsize=9, color=PERSON, va="top")
    try:
        figure.savefig(path, format=suffix[1:], metadata=_PICTURE_METADATA[suffix])
    except OSError as error:
        raise MivasError(
            f"can't be written ({error.strerror})", where=str(path), mend="choose another file for the picture"
        ) from None


@contextmanager
def _matplotlib_silent() -> Iterator[None]:
    """Without a home it may write to, matplotlib keeps its cache in a temporary folder and warns of it: not here."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _drawn_sinks(blueprint: Blueprint) -> Iterator[str]:
    """Nodes without a transfer, when the pack has a way to a person at all."""
    if any(blueprint.human_exits()):
        sources = {edge.source for edge in blueprint.edges()}
        yield from (node.id for node in blueprint.nodes if node.id not in sources)


def _frame(layout: Layout) -> tuple[float, float, float, float]:
    points = [*layout.boxes.values(), *(point for line in layout.paths.values() for point in line)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    widen = max(0.0, LEAST_WIDTH - (max(xs) - min(xs)) - 1.2) / 2
    return min(xs) - 0.45 - widen, max(xs) + 0.75 + widen, min(ys) - 0.35, max(ys) + 0.75


def _draw_arrows(axes: Axes, layout: Layout, labels: Mapping[tuple[str, str], str]) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Curve

    curves = _curves(layout)
    for edge, points in curves.items():
        curve = Curve(points, [Curve.MOVETO, *[Curve.CURVE4] * (len(points) - 1)])
        colour = ARROW if edge in labels else INK
        axes.add_patch(
            FancyArrowPatch(path=curve, arrowstyle="-|>", mutation_scale=13, color=colour, linewidth=1.4, zorder=2)
        )
    samples = {edge: _samples(points) for edge, points in curves.items()}
    taken = [_Area(x, y, BOX_WIDTH + 0.04, BOX_HEIGHT + 0.04) for x, y in layout.boxes.values()]
    taken += [_Area(x + BOX_WIDTH / 2 + 0.2, y, 0.4, BOX_HEIGHT) for x, y in layout.boxes.values()]
    for edge, label in sorted(labels.items(), key=lambda item: len(samples[item[0]])):
        others = [point for other, line in samples.items() if other != edge for point in line]
        area = _best_area(samples[edge], len(label) * LABEL_WIDTH_PER_LETTER, taken, others)
        taken.append(area)
        ground = {"boxstyle": "square,pad=0.12", "facecolor": "white", "edgecolor": "none"}
        axes.text(area.x, area.y, label, ha="center", va="center", fontsize=8, color=INK, bbox=ground, zorder=5)


def _curves(layout: Layout) -> dict[tuple[str, str], list[Point]]:
    """Cubic Bezier points of every arrow: vertical at both ends and at every waypoint."""
    ports = _ports(layout)
    curves = {}
    for edge, path in layout.paths.items():
        stops = [ports[edge, 0], *path[1:-1], ports[edge, 1]]
        points = [stops[0]]
        for (x0, y0), (x1, y1) in pairwise(stops):
            points += [(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]
        curves[edge] = points
    return curves


def _ports(layout: Layout) -> dict[tuple[tuple[str, str], int], Point]:
    """Where each arrow leaves (0) and enters (1) its boxes: side by side along top or bottom, ordered by direction."""
    sides: dict[tuple[str, int], list[tuple[Point, tuple[tuple[str, str], int]]]] = {}
    for edge, path in layout.paths.items():
        for end, here, there in ((0, path[0], path[1]), (1, path[-1], path[-2])):
            sides.setdefault((edge[end], 1 if there[1] > here[1] else -1), []).append((there, (edge, end)))
    ports = {}
    for (name, side), arrows in sides.items():
        x, y = layout.boxes[name]
        height = BOX_HEIGHT if name not in (START, END) else BALL_HEIGHT
        gap = min(PORT_GAP, BOX_WIDTH * 0.8 / len(arrows)) if name not in (START, END) else 0.03
        for seat, (_, key) in enumerate(sorted(arrows)):
            ports[key] = (x + gap * (seat - (len(arrows) - 1) / 2), y + side * height / 2)
    return ports


def _samples(points: Sequence[Point], per_piece: int = 24) -> list[Point]:
    """Points along a chain of cubic Bezier pieces."""
    line = []
    for first in range(0, len(points) - 1, 3):
        p, q, r, s = points[first : first + 4]
        for step in range(per_piece):
            t = step / per_piece
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            line.append((a * p[0] + b * q[0] + c * r[0] + d * s[0], a * p[1] + b * q[1] + c * r[1] + d * s[1]))
    return line


@dataclass(frozen=True, slots=True)
class _Area:
    """A rectangle by its centre."""

    x: float
    y: float
    width: float
    height: float

    def overlap(self, other: _Area) -> float:
        across = (self.width + other.width) / 2 - abs(self.x - other.x)
        down = (self.height + other.height) / 2 - abs(self.y - other.y)
        return across * down if across > 0 and down > 0 else 0.0

    def holds(self, point: Point) -> bool:
        return abs(point[0] - self.x) < self.width / 2 and abs(point[1] - self.y) < self.height / 2


def _best_area(line: Sequence[Point], width: float, taken: Sequence[_Area], others: Sequence[Point]) -> _Area:
    """The spot along an arrow where its label covers nothing, or least; the middle wins a tie."""

    def cost(index: int) -> tuple[float, int, int]:
        area = _Area(*line[index], width, LABEL_HEIGHT)
        return (
            round(sum(area.overlap(other) for other in taken), 6),
            sum(area.holds(point) for point in others),
            abs(index - len(line) // 2),
        )

    best = min(range(len(line) // 8, len(line) - len(line) // 8), key=cost)
    return _Area(*line[best], width, LABEL_HEIGHT)


def _draw_boxes(axes: Axes, layout: Layout, blueprint: Blueprint) -> None:
    from matplotlib.patches import Ellipse, FancyBboxPatch

    exits = {edge.source for edge in blueprint.human_exits()}
    for name, (x, y) in layout.boxes.items():
        if name in (START, END) and name not in blueprint.by_id:
            ball = Ellipse((x, y), BALL_WIDTH, BALL_HEIGHT, facecolor="white", edgecolor=INK, linewidth=1.3, zorder=3)
            axes.add_patch(ball)
            word = "call" if name == START else "end"
            axes.text(x, y, word, ha="center", va="center", fontsize=9, color=INK, zorder=4)
            continue
        corner = (x - BOX_WIDTH / 2, y - BOX_HEIGHT / 2)
        box = FancyBboxPatch(
            corner, BOX_WIDTH, BOX_HEIGHT, boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=PAPER, edgecolor=ARROW, linewidth=1.5, zorder=3,
        )  # fmt: skip
        axes.add_patch(box)
        axes.text(x, y, name, ha="center", va="center", fontsize=11, fontweight="bold", color=INK, zorder=4)
        if name in exits:
            _draw_person(axes, (x + BOX_WIDTH / 2, y))


def _draw_person(axes: Axes, edge_of_box: Point) -> None:
    """A way to a person. One per node instead of one for all: seven arrows to a single box would bury the graph."""
    x, y = edge_of_box
    style = {
        "arrowstyle": "-|>",
        "linestyle": (0, (3, 2)),
        "color": PERSON,
        "linewidth": 1.2,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.annotate("", xy=(x + 0.13, y), xytext=(x, y), arrowprops=style, zorder=3)
    pill = {"boxstyle": "round,pad=0.25,rounding_size=0.7", "facecolor": "#fff7ed", "edgecolor": PERSON, "linewidth": 1}
    axes.text(x + 0.145, y, "human", ha="left", va="center", fontsize=8, color=PERSON, bbox=pill, zorder=4)
