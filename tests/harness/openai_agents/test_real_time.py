"""The qualifying call in real time: the adapter here, its provider's double in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mivas.run import LocalBackend, RunOptions, qualify

pytest.importorskip("agents.realtime")
pytest.importorskip("hibari")

SCRIPT = {
    "version": 1,
    "steps": [
        {"say": "Welcome to Copper Kettle Repairs. Would you like to book a repair appointment?"},
        {"wait": "speech"},
        {"handoff": "handoff_to_scheduler", "offered": ["handoff_to_scheduler"], "withheld": ["schedule_appointment"]},
        {"say": "Which day would you like the repair?"},
        {"wait": "speech"},
        {
            "call": "schedule_appointment", "arguments": {"date": "08/15/2026"},
            "offered": ["schedule_appointment"], "withheld": ["handoff_to_scheduler"],
        },
        {"say": "Your repair is booked for August fifteenth, twenty twenty-six."},
        {"wait": "speech"},
    ],
}  # fmt: skip


@pytest.fixture
def double(tmp_path: Path) -> Iterator[str]:
    """Address of `mivas fake openai` with the script; it must have been followed."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT))
    command = [
        sys.executable,
        "-c",
        "from mivas.cli import main; main()",
        "fake",
        "openai",
        "--script",
        str(script),
        "--voice",
        "hibari:agent",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            _, complaint = process.communicate(timeout=60)
    assert complaint == ""


@pytest.mark.slow
def test_openai_agents_qualifies_in_real_time(double: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    options = RunOptions(
        packs=("control-industry",), harness="openai/realtime-2.1", mode="voice", tier="voiced-text", base_url=double
    )
    found = qualify(
        options, tmp_path / "run", LocalBackend(), folder=tmp_path / "certificates", started_utc=datetime.now(UTC),
        command="test", watch=lambda _: None,
    )  # fmt: skip
    [verdict] = found.result.verdicts
    assert verdict["mark"] == "pass", (verdict["reasons"], verdict["void_reason"], os.getloadavg())
    assert found.steps.all
    assert found.certificate is not None
    certificate = json.loads(found.certificate.read_text())
    assert certificate["harness"] == "openai/realtime-2.1"
    assert certificate["revision"].startswith("1 with openai-agents ")
    assert (certificate["double_of"], certificate["base_url"]) == ("openai/realtime-2.1", double)
    events = tmp_path / "run" / found.result.records[0]["files"]["events"]
    first = json.loads(events.read_text().splitlines()[0])
    assert first["clock"] == "real"
