"""The tables a run ends with. They fit 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from mivas.run import RunResult
    from mivas.score import Figures

MOST_TASK_ROWS = 40
"""Past this many tasks only those with a trial that didn't pass are listed."""


def percent(value: float | None) -> str:
    """A share as text; unknown is a dash, never 0."""
    return "-" if value is None else f"{value:.0%}" if value in (0, 1) else f"{value:.1%}"


def plain_console() -> Console:
    """stdout for text that isn't ours: what an agent sent may look like markup."""
    from rich.console import Console

    return Console(markup=False, emoji=False, highlight=False)


def pack_table(result: RunResult, figures: Mapping[str, Figures], trials: int) -> Table:
    """One row a pack: marks, gates, pass@1 and pass^k."""
    from rich import box
    from rich.table import Table

    title = f"{result.manifest['harness']['name']}, seed {result.manifest['seed']}, {result.manifest['tier']} tier"
    if (condition := result.manifest["condition"]) is not None:
        title += f", line {condition}"
    # No padding: ten columns and the longest pack's name must fit 80 characters.
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=0)
    table.add_column("pack", no_wrap=True)
    for heading in ("trials", "pass", "FAIL", "VOID", "T", "H", "D", "pass@1"):
        table.add_column(heading, justify="right")
    if trials > 1:
        table.add_column(f"pass^{trials}", justify="right", no_wrap=True)
    for pack_id, one in figures.items():
        hat = one.pass_hat_k.get(trials)
        cells = [
            _pack_label(result, pack_id),
            *(str(number) for number in (one.trials, *(one.marks.get(mark, 0) for mark in ("pass", "FAIL", "VOID")))),
            *(percent(rate) for rate in (one.gates.tools, one.gates.handoff, one.gates.database, one.pass_at_1)),
        ]
        table.add_row(*cells, *([percent(hat.value if hat else None)] if trials > 1 else []))
    return table


def task_table(result: RunResult) -> Table | None:
    """One row a task with its marks, the gate that failed and why; None when there is nothing to show."""
    from rich import box
    from rich.table import Table

    rows: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for verdict in result.verdicts:
        rows.setdefault((verdict["pack"], verdict["task_id"]), []).append(verdict)
    shown = [
        (key, verdicts)
        for key, verdicts in rows.items()
        if len(rows) <= MOST_TASK_ROWS or any(verdict["mark"] != "pass" for verdict in verdicts)
    ]
    if not shown:
        return None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("task", no_wrap=True)
    table.add_column("passed", justify="right", no_wrap=True)
    table.add_column("gates", no_wrap=True)
    table.add_column("why", overflow="fold")
    for (pack_id, task_id), verdicts in shown:
        passed = sum(verdict["mark"] == "pass" for verdict in verdicts)
        worst = next((verdict for verdict in verdicts if verdict["mark"] != "pass"), verdicts[0])
        silent = f"{pack_id}/{task_id}" in result.expects_nothing
        table.add_row(f"{task_id}{' *' if silent else ''}", f"{passed}/{len(verdicts)}", _gates(worst), _why(worst))
    return table


def footnotes(result: RunResult) -> list[str]:
    """What the marks in the tables mean, one line each."""
    notes = []
    if latencies := sorted(_latencies(result)):
        at_95 = latencies[min(len(latencies) - 1, round(0.95 * len(latencies)))]
        notes.append(f"response latency: median {latencies[len(latencies) // 2]} ms, 95th percentile {at_95} ms")
    if result.manifest["tier"] == "voiced-text":
        notes.append("words were passed beside the sound: hearing is not measured")
    if result.expects_nothing & {f"{verdict['pack']}/{verdict['task_id']}" for verdict in result.verdicts}:
        notes.append("* lock expects nothing: no call, no transfer; a silent agent passes")
    if any(entry["suite"] == "fixture" for entry in result.manifest["packs"].values()):
        notes.append("# fixture: qualifies a harness, never scored")
    if result.manifest["caller"]["approximate"]:
        notes.append("~ caller program guessed from a public task: not comparable with others")
    return notes


def _latencies(result: RunResult) -> Iterator[int]:
    for verdict in result.verdicts:
        interaction = verdict["diagnostics"].get("interaction")
        yield from interaction["response_latency_ms"] if interaction else ()


def _pack_label(result: RunResult, pack_id: str) -> str:
    suite = result.manifest["packs"][pack_id]["suite"]
    if suite == "fixture":
        return f"{pack_id} #"
    return f"{pack_id}{' ~' if result.manifest['caller']['approximate'] else ''}"


def _gates(verdict: Mapping[str, Any]) -> str:
    signs = {True: "+", False: "-", None: "?"}
    gates = ("T", verdict["tools"]), ("H", verdict["handoff"]), ("D", verdict["database"])
    return " ".join(f"{letter}{signs[gate['passed']]}" for letter, gate in gates)


def _why(verdict: Mapping[str, Any]) -> str:
    if verdict["mark"] == "pass":
        return "" if verdict["handoff"]["verdict"] == "exact" else verdict["handoff"]["verdict"]
    if verdict["void_reason"]:
        return f"VOID {verdict['void_reason']}"
    reasons: Sequence[Mapping[str, Any]] = verdict["reasons"]
    text = str(reasons[0]["text"]) if reasons else str(verdict["mark"])
    # Half of a surrogate pair, which a model may send, can't be printed.
    return text.encode(errors="backslashreplace").decode()
