"""What `mivas.state` shows."""

from __future__ import annotations

import subprocess
import sys

import mivas.state


def test_the_door_keeps_its_promise() -> None:
    assert len(set(mivas.state.__all__)) == len(mivas.state.__all__)
    assert all(getattr(mivas.state, name) is not None for name in mivas.state.__all__)
    assert not hasattr(mivas.state, "nothing")


def test_a_pack_that_enters_by_the_door_pays_for_no_web_framework() -> None:
    heavy = "{'fastapi', 'uvicorn', 'httpx', 'starlette'}"
    code = f"import sys, mivas.state; sys.exit(', '.join({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == ""
