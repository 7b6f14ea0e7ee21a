"""The firm's prompts: their numbers are the rules' numbers, and charges stand in none of them."""

from __future__ import annotations

import doctest
import json
import re
from types import ModuleType
from typing import get_args

import pytest

from mivas.industries.legal.handlers import _arguments, _fees, _policy, intake, screening
from mivas.pack import Pack

NODES = ["reception", "screening", "intake", "scheduling", "client_services"]


def test_each_prompt_is_as_long_as_the_work_needs(pack: Pack) -> None:
    for node in pack.blueprint.nodes:
        assert 150 <= len(node.instructions.splitlines()) <= 230


def test_the_length_of_a_number_is_the_rules(pack: Pack) -> None:
    facts = json.loads((pack.folder / "prompts" / "facts.json").read_text(encoding="utf-8"))
    values = {figure.get("unit"): figure["value"] for figure in facts["figures"] if "unit" in figure}
    assert values == {"digit": _policy.LEAST_PHONE_DIGITS}


@pytest.mark.parametrize("node", NODES)
def test_no_prompt_names_a_charge_a_day_an_attorney_or_a_token(pack: Pack, node: str) -> None:
    text = pack.blueprint.by_id[node].instructions
    for word in ("175", "40 percent", "forty", "twenty percent", *_policy.TOKENS.values(), "Okonkwo", "Eckhart"):
        assert word not in text
    assert not re.search(r"\$[0-9]|[0-9] ?%|\b(?:s|a|c|m|ev)_[0-9]+", text)


@pytest.mark.parametrize("node", NODES)
def test_every_prompt_explains_every_reason_for_a_person(pack: Pack, node: str) -> None:
    text = pack.blueprint.by_id[node].instructions
    assert all(f"| `{code}` |" in text for code in get_args(_policy.ReasonCode))


def test_only_reception_is_forbidden_to_answer_about_kinds_of_case(pack: Pack) -> None:
    assert "is never answered here" in pack.blueprint.by_id["reception"].instructions
    assert all("is never answered here" not in pack.blueprint.by_id[node].instructions for node in NODES[1:])


@pytest.mark.parametrize("module", [_arguments, _fees, _policy, intake, screening])
def test_examples_in_docstrings_run(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted
    assert results.failed == 0
