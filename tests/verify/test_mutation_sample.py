"""A handful of the mutations, so that the harness keeps working. All of them: tests/verify/mutation/run.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HARNESS = Path(__file__).parent / "mutation" / "run.py"
SAMPLE = ("3.3 one to one", "3.4.6 outcomes are compared", "3.6 an incomplete path fails", "3.7.2 texts are folded",
          "9 the discount on extras")  # fmt: skip


def run_harness(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(HARNESS), *options], capture_output=True, text=True, check=False, timeout=280
    )


@pytest.mark.slow
def test_rules_switched_off_are_noticed() -> None:
    done = run_harness(*(part for rule in SAMPLE for part in ("--only", rule)))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{len(SAMPLE)} mutations, {len(SAMPLE)} caught" in done.stdout


def test_every_mutation_still_finds_its_text() -> None:
    done = run_harness("--check")
    assert (done.returncode, done.stderr) == (0, "")
