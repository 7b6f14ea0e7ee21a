"""What the probe found, ready for its page: kill matrix, floors, coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

GATES = ("T", "H", "D")


def soundness_values(probes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Values of the page. Each probe is a document of `mivas probe --json`; parts it lacks are left out."""
    return {"probes": [_probe(one) for one in probes], "gates": GATES}


def _probe(document: Mapping[str, Any]) -> dict[str, Any]:
    saboteurs = document.get("saboteurs") or {}
    coverage = document.get("coverage") or {}
    return {
        "pack": document.get("pack"),
        "suite": document.get("suite"),
        "cases": document.get("cases"),
        "attainable": document.get("attainable"),
        "unattainable": list(document.get("unattainable") or ()),
        "necessary": document.get("necessary") or {"tested": 0, "held": 0},
        "expects_nothing": list(document.get("expects_nothing") or ()),
        "problems": list(document.get("problems") or ()),
        "saboteurs": [
            {
                "name": name,
                "applicable": one.get("applicable", 0),
                "killed": one.get("killed", 0),
                "by": [(one.get("killed_by") or {}).get(gate, 0) for gate in GATES],
                "survived": [f"{found.get('task_id')} ({found.get('gate')})" for found in one.get("survived") or ()],
            }
            for name, one in saboteurs.items()
        ],
        "floors": [
            {"name": name, "passes": one.get("passes", 0), "tasks": list(one.get("task_ids") or ())}
            for name, one in (document.get("floors") or {}).items()
        ],
        "coverage": [
            {
                "kind": kind.replace("_", " "),
                "touched": touched,
                "of": total,
                "share": touched / total if total else None,
            }
            for kind, (touched, total) in coverage.items()
        ],
        "matrix": _matrix(document.get("matrix")),
    }


def _matrix(matrix: Any) -> dict[str, Any] | None:
    """Cases by saboteurs, where the document has the cells."""
    if not isinstance(matrix, Mapping) or not matrix:
        return None
    heads = list(dict.fromkeys(name for cells in matrix.values() for name in cells))
    return {
        "heads": heads,
        "rows": [
            {"case": case, "cells": [str(cells.get(name, "")) for name in heads]} for case, cells in matrix.items()
        ],
    }
