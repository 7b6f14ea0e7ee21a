"""The catalogue: one row a task with what it can be filtered by, and one a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mivas.pack import Blueprint, Task
from mivas.report.site._call_page import gate_states, title_of, verdict_sentence
from mivas.report.site._material import SiteCall, SitePack


def task_row(pack: SitePack, task: Task) -> dict[str, Any]:
    """A task as the catalogue lists it."""
    meta = task.file.metadata
    return {
        "pack": pack.pack.id,
        "task": task.task_id,
        "title": title_of(task.file.task_name),
        "customer": task.file.customer_name,
        "category": meta.category_slug,
        "difficulty": meta.difficulty,
        "condition": meta.audio_condition,
        "tools": list(dict.fromkeys(call.name for call in task.expected_calls)),
        "calls": len(task.expected_calls),
        "desks": desks_of(pack.pack.blueprint, task.expected_path),
    }


def desks_of(blueprint: Blueprint, path: Sequence[str]) -> list[str]:
    """Nodes that a path of transfer tools leads through, the entry first."""
    here = blueprint.entry
    desks = [here.id]
    for hop in path:
        tool = here.tool(hop)
        if tool is None or tool.handoff_to is None:
            break
        here = blueprint.by_id[tool.handoff_to]
        desks.append(here.id)
    return desks


def call_row(call: SiteCall, run: str) -> dict[str, Any]:
    """A call as lists of calls show it."""
    one = call.conversation
    verdict, record = one.verdict, one.record
    return {
        "run": run,
        "call": record.get("call_id"),
        "pack": verdict.get("pack"),
        "task": verdict.get("task_id"),
        "trial": verdict.get("trial"),
        "mark": verdict.get("mark"),
        "gates": gate_states(verdict),
        "why": verdict_sentence(verdict, call.ended) if verdict.get("mark") != "pass" else "",
        "fault": record.get("caller_fault"),
        "t_ms": record.get("t_ms"),
        "ended": call.ended,
    }


def lock_of(task: Task) -> dict[str, Any]:
    """What the page of a task shows of its lock."""
    file = task.file
    return {
        "intent": file.intent,
        "traits": [[trait.trait_name, trait.value] for trait in file.traits],
        "replies": [[pin.match_phrase, pin.response_value] for pin in file.scripted_responses],
        "path": list(task.expected_path),
        "calls": [{"name": call.name, "arguments": dict(call.arguments)} for call in task.expected_calls],
        "opening": task.caller.opening if task.caller is not None else None,
        "conduct": _conduct(task),
        "evidence": list(task.solution.evidence) if task.solution is not None else [],
    }


def _conduct(task: Task) -> Mapping[str, Sequence[str]]:
    if task.solution is None:
        return {"required": [], "prohibited": []}
    return {"required": task.solution.conduct.required, "prohibited": task.solution.conduct.prohibited}
