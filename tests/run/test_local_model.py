"""The chat harness against a server that nobody here wrote: a small model on loopback, from greeting to verdict."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "local_model.py"


@pytest.fixture
def benchmark_module() -> ModuleType:
    """The benchmark, imported from its file; skips where its packages are missing."""
    spec = importlib.util.spec_from_file_location("local_model", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    reason = module.missing()
    if reason is not None:
        pytest.skip(f"{reason} (requirements/local-model.txt)")
    return module


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform == "win32", reason="the server is started as on a Unix system")
def test_a_real_server_takes_a_call_to_its_verdict(benchmark_module: ModuleType) -> None:
    gguf = benchmark_module.shipped_model()
    found = benchmark_module.measured(gguf, 1, {"control-industry": benchmark_module.CASES["control-industry"]})
    (call,) = found["calls"].values()
    assert call["mark"] in ("pass", "FAIL")
    assert None not in call["gates"].values()
    assert call["requests"] > 0
    assert call["input_tokens"] > call["cached_tokens"] > 0
    assert call["output_tokens"] > 0
    assert call["conversation"][0].startswith("agent: ")
