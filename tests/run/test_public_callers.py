"""Calls of the public suites: guessed callers never break and always come to an end."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

REFERENCE = Path(os.environ.get("MIVAS_REFERENCE") or Path(__file__).parents[3] / "shared" / "reference")


@pytest.mark.parametrize("harness", ["oracle", "nop"])
@pytest.mark.parametrize("pack", ["healthcare", "legal", "customer-support"])
def test_every_call_ends_by_one_of_its_ends(pack: str, harness: str, play: Any) -> None:
    folder = REFERENCE / "tasks" / pack
    if not folder.is_dir():
        pytest.skip("no public release here")
    result = play(packs=(pack,), harness=harness, tasks=str(folder))
    assert len(result.records) == len(list(folder.glob("*/task.json")))
    assert result.manifest["caller"]["approximate"] is True
    for record in result.records:
        assert record["mark"] in ("pass", "FAIL")
        assert record["caller_fault"] is None
        last = json.loads((result.root / record["files"]["events"]).read_text().splitlines()[-1])
        assert (last["type"], last["by"] in ("agent", "caller")) == ("call.ended", True)
