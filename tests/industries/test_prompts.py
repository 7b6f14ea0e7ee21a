"""The prompts of every world that is scored: nothing a desk can do is left out, nothing it can't do is promised."""

from __future__ import annotations

import pytest

from mivas.pack import known_packs, load_pack
from mivas.pack.prompts import prompt_findings

QUALIFICATION = "control-industry"  # two short prompts that are part of its contract


@pytest.mark.parametrize("name", [name for name in known_packs() if name != QUALIFICATION])
def test_each_prompt_speaks_of_its_tools_and_no_other(name: str) -> None:
    assert [str(finding) for finding in prompt_findings(load_pack(name))] == []
