"""The firm's prompts: their numbers are the rules' numbers, and charges stand in none of them."""

from __future__ import annotations

import doctest
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from types import ModuleType
from typing import Any, get_args

import pytest

from mivas.industries.legal.handlers import _arguments, _fees, _policy, intake, screening
from mivas.pack import Pack

NODES = ["reception", "screening", "intake", "scheduling", "client_services"]


def test_each_prompt_is_as_long_as_the_work_needs(pack: Pack) -> None:
    for node in pack.blueprint.nodes:
        assert 150 <= len(node.instructions.splitlines()) <= 230


@pytest.fixture(scope="module")
def facts(pack: Pack) -> dict[str, Any]:
    """What prompts may name beside the catalogue."""
    read: dict[str, Any] = json.loads((pack.folder / "prompts" / "facts.json").read_text(encoding="utf-8"))
    return read


def test_the_only_figures_with_a_rule_behind_them_are_those_of_the_rule(facts: dict[str, Any]) -> None:
    counted = {figure["unit"]: figure["value"] for figure in facts["figures"] if "unit" in figure}
    assert counted == {"digit": _policy.LEAST_PHONE_DIGITS}
    assert {figure["value"] for figure in facts["figures"] if "unit" not in figure} == {2, 3, 4, 911}


DEADLINE = {"state": "CA", "practice_area": "auto_accident"}
MATTER = {"practice_area": "auto_accident", "state": "CA", "incident_date": "2026-05-15", "summary": "s"}
HOLD = {"slot_id": "s_110", "practice_area": "auto_accident"}
# A call that gets out of the tools everything their prompts speak of, refusals before anybody is identified included.
EVERYTHING: list[tuple[str, dict[str, Any]]] = [
    ("get_caller_matters", {}),
    ("take_message", {}),
    ("record_intake", {}),
    ("get_case_status", {"matter_id": "m_91"}),
    ("escalate_to_human", {}),
    ("confirm_evaluation", {"confirmation_token": "HR-EVAL-3092"}),
    ("confirm_cancellation", {"confirmation_token": "HR-CANC-7715"}),
    ("lookup_caller", {"full_name": "Al", "phone": "1"}),
    ("lookup_caller", {"full_name": "Thomas Eckhart", "phone": "0277"}),
    ("get_caller_matters", {}),
    ("take_message", {"for_whom": "a", "message": "b"}),
    *(("check_conflict", {"opposing_party": name}) for name in ("vertex logistics", "harlow properties", "nobody")),
    *(("check_practice_area", {"practice_area": area}) for area in ("auto", "tax")),
    ("check_jurisdiction", {"state": "CA", "practice_area": "auto"}),
    *(
        ("calculate_filing_deadline", DEADLINE | {"incident_date": day})
        for day in ("2020-01-01", "2024-09-15", "2026-05-15", "")
    ),
    ("calculate_filing_deadline", {"state": "IL", "practice_area": "auto", "incident_date": ""}),
    ("record_intake", MATTER),
    ("find_evaluation_slots", {"practice_area": "auto", "state": "CA", "earliest_date": "2027-01-01"}),
    ("hold_evaluation", HOLD | {"slot_id": "s_1"}),
    ("hold_evaluation", {"slot_id": "s_100", "practice_area": "consumer"}),
    ("hold_evaluation", HOLD),
    ("confirm_evaluation", {"confirmation_token": "HR-EVAL-3092"}),
    ("confirm_evaluation", {"confirmation_token": "HR-EVAL-3092"}),
    ("hold_cancellation", {"evaluation_id": "ev_001", "reason": "caller_request"}),
    ("confirm_cancellation", {"confirmation_token": "HR-CANC-7715"}),
    ("confirm_cancellation", {"confirmation_token": "HR-CANC-7715"}),
    *(("get_case_status", {"matter_id": matter}) for matter in ("m_91", "m_0")),
]


def words_of(value: Any) -> Iterator[str]:
    """Every key and every text of an answer."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from words_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from words_of(item)
    elif isinstance(value, str):
        yield value


def test_every_answer_that_prompts_speak_of_can_be_got(desk: Any, facts: dict[str, Any]) -> None:
    got: dict[str, set[str]] = defaultdict(set)
    for tool, arguments in EVERYTHING:
        got[tool] |= set(words_of(desk.post(tool, arguments)))
    missing = {tool: set(answers) - got[tool] for tool, answers in facts["answers"].items()}
    assert not any(missing.values()), missing


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
