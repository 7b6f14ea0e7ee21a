"""Every number that a prompt says stands in the policy or in the published fees."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mivas.industries.customer_support.handlers import _policy
from mivas.pack import Pack

TOTAL_YEARS = _policy.TOTAL_COVERAGE_DAYS / 365
POLICY = {
    (_policy.STANDARD_WINDOW.days, "day"),
    (_policy.MEMBER_WINDOW_DAYS, "day"),
    (_policy.ACTIVATABLE_WINDOW.days, "day"),
    (_policy.LABEL_DAYS, "day"),
    (_policy.ACTIVATABLE_FEE_CENTS / 100, "dollar"),
    (_policy.DIAGNOSTIC_CENTS / 100, "dollar"),
    (_policy.LATE_CHANGE_CENTS / 100, "dollar"),
    (_policy.MEMBERSHIPS["total"].annual_cents / 100, "dollar"),
    (_policy.FEE_PERCENT, "percent"),
    (24 * _policy.LATE_CHANGE_DAYS, "hour"),
    (TOTAL_YEARS, "year"),
    (_policy.IDENTITY_ATTEMPTS, None),
    (4, "digit"),
    (5, "digit"),
}
# No policy: how many things a sentence speaks of, the emergency number, about how many stores there are.
COUNTED = {(3, None), (4, None), (911, None), (1000, None)}


def test_the_figures_of_prompts_are_those_of_the_policy(pack: Pack) -> None:
    facts = json.loads((pack.folder / "prompts" / "facts.json").read_text(encoding="utf-8"))
    figures = {(figure["value"], figure.get("unit")) for figure in facts["figures"]}
    assert figures == POLICY | COUNTED


def test_one_figure_serves_the_two_rules_that_share_it() -> None:
    assert _policy.MEMBERSHIPS["plus"].annual_cents == _policy.LATE_CHANGE_CENTS
    assert _policy.MEMBER_WINDOW_DAYS == _policy.LAST_DELIVERY_DAY


@pytest.mark.parametrize(
    ("code", "cents"),
    [
        ("restocking_activatable", _policy.ACTIVATABLE_FEE_CENTS),
        ("membership_plus", _policy.MEMBERSHIPS["plus"].annual_cents),
        ("membership_total", _policy.MEMBERSHIPS["total"].annual_cents),
        ("delivery_change_late", _policy.LATE_CHANGE_CENTS),
        ("techcrew_bench_diagnostic", _policy.DIAGNOSTIC_CENTS),
    ],
)
def test_published_fees_are_the_ones_that_are_charged(desk: Any, code: str, cents: int) -> None:
    amount = desk("get_fee", fee=code)["fees"][0]["amount_text"]
    assert amount.startswith(f"${cents / 100:,.2f}")


def test_the_published_percentage_and_states_are_the_ones_that_count(desk: Any) -> None:
    (fee,) = desk("get_fee", fee="15 percent")["fees"]
    assert fee["amount_text"].startswith(f"{_policy.FEE_PERCENT}%")
    for code in ("15 percent", "restocking"):
        assert ", ".join(_policy.NO_FEE_STATES) in desk("get_fee", fee=code)["fees"][0]["conditions"]


def test_published_windows_are_the_ones_that_count(desk: Any) -> None:
    (policy,) = desk("get_policy", topic="returns")["policies"]
    for window in (_policy.STANDARD_WINDOW.days, _policy.MEMBER_WINDOW_DAYS, _policy.ACTIVATABLE_WINDOW.days):
        assert f"{window} days" in policy["body"]


@pytest.mark.parametrize("node", ["reception", "verification", "orders", "returns", "service", "membership", "fraud"])
def test_a_prompt_has_the_length_of_a_real_one(pack: Pack, node: str) -> None:
    assert 150 <= len(pack.blueprint.by_id[node].instructions.splitlines()) <= 230


def test_every_answer_that_prompts_name_can_be_given(pack: Pack) -> None:
    facts = json.loads((pack.folder / "prompts" / "facts.json").read_text(encoding="utf-8"))
    sources = [path.read_text(encoding="utf-8") for path in (pack.folder / "handlers").glob("*.py")]
    written = set(re.findall(r"\"(\w+)\"", "\n".join(sources)))
    spelt = {name for table in pack.scoring.aliases.values() for name in table.spellings.values()}
    declared = {name for names in facts["answers"].values() for name in names}
    assert declared - written - spelt == {pack.envelope.message}
