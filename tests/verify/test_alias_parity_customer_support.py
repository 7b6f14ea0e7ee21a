"""The care line's spellings of orders, kinds of service and reasons go to the handlers and to the verifier alike.

Source: scoring.md 3.5.3. Handlers and verifier read one table, and this file would notice a second one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mivas.pack import load_pack
from mivas.state import StateService, open_on_folder
from mivas.verify import Verdict

Judge = Callable[..., Verdict]
Honoured = Callable[[str, str, dict[str, Any]], dict[str, Any]]
PACK = load_pack("customer-support")
FORMS = settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
DANA, MARCUS, GRACE = (
    ("0188", "97330", "4417"),
    ("0104", "97402", "8802"),
    ("0112", "97005", "6628"),
)
PROOF = {"dana": DANA, "marcus": MARCUS, "grace": GRACE}
FRIDGE, LAPTOP = "KE-4471209", "KE-4408117"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StateService]:
    opened = open_on_folder(PACK, tmp_path_factory.mktemp("service"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def honoured(service: StateService) -> Honoured:
    """Answer of a tool to a verified customer, each in a call of their own."""
    for who, (phone, postal_code, card_last4) in PROOF.items():
        service.call_tool(who, "identify_customer", {"phone": phone})
        proof = {"postal_code": postal_code, "card_last4": card_last4}
        assert service.call_tool(who, "verify_identity", proof).json["ok"] is True
    return lambda who, tool, arguments: dict(service.call_tool(who, tool, arguments).json)


def met(judge: Judge, tool: str, expected: dict[str, Any], sent: dict[str, Any], answer: dict[str, Any]) -> bool:
    lock = (tool, expected, {"output": {"ok": True}})
    return judge("customer-support", expected=[lock], actual=[(tool, sent, {"output": answer})]).combined is True


def spellings(table: str) -> list[tuple[str, str]]:
    """(spelling, canonical name), each name as a spelling of itself included."""
    known = PACK.scoring.aliases[table].spellings
    return sorted({**known, **{name: name for name in known.values()}}.items())


def any_form(spelling: str, form: Random) -> str:
    """Another case, spaces for underscores, spaces around."""
    words = "".join(form.choice(" _") if mark in " _" else mark for mark in spelling)
    cased = "".join(mark.upper() if form.random() < 0.5 else mark for mark in words)
    return form.choice(["", " "]) + cased + form.choice(["", "  "])


@FORMS
@given(form=st.integers().map(Random))
def test_every_kind_of_service_goes_to_both(honoured: Honoured, judge: Judge, form: Random) -> None:
    for spelling, kind in spellings("service_type"):
        sent = {"service_type": any_form(spelling, form), "sku": "SKU-CMP-9930"}
        answer = honoured("grace", "book_service_appointment", sent)
        assert answer["data"]["service_type"] == kind
        assert met(judge, "book_service_appointment", {"service_type": kind}, sent, answer)


@FORMS
@given(form=st.integers().map(Random))
def test_every_reason_goes_to_both(honoured: Honoured, judge: Judge, form: Random) -> None:
    for spelling, reason in spellings("reason_code"):
        sent = {"reason_code": any_form(spelling, form)}
        answer = honoured("grace", "escalate_to_human", sent)
        assert answer["data"]["reason_code"] == reason
        assert met(judge, "escalate_to_human", {"reason_code": reason}, sent, answer)


@pytest.mark.parametrize("spelt", ["in-home", "bring it in", "come to the house"])
def test_what_is_no_kind_of_service_is_missed_by_both(spelt: str, honoured: Honoured, judge: Judge) -> None:
    answer = honoured("grace", "book_service_appointment", {"service_type": spelt})
    assert answer["error_code"] == "NO_SUCH_SLOT"
    sent = {"service_type": spelt}
    assert not met(judge, "book_service_appointment", {"service_type": "in_home"}, sent, answer)


NUMBERS = ["KE-4408117", " ke-4408117", "4408117", "44 08 117", "8117", "KE 4408117", "order 4408117", "99994408117"]


@pytest.mark.parametrize("spelt", NUMBERS)
@pytest.mark.parametrize("tool", ["get_order", "check_return_eligibility", "check_coverage", "quote_price_match"])
def test_every_spelling_of_an_order_number_goes_to_both(
    tool: str, spelt: str, honoured: Honoured, judge: Judge
) -> None:
    sent = {"order_number": spelt} | ({"issue": "dead"} if tool == "check_coverage" else {})
    answer = honoured("marcus", tool, sent)
    if tool == "quote_price_match":
        assert answer["error_code"] == "PRICE_MATCH_WINDOW_CLOSED"  # the laptop's window: it was found
        answer = {**answer, "ok": True}
    assert met(judge, tool, {"order_number": LAPTOP}, sent, answer)


@pytest.mark.parametrize("spelt", ["117", "KE-4408118", "4399052", "the monitor"])
def test_another_order_is_missed_by_both(spelt: str, honoured: Honoured, judge: Judge) -> None:
    sent = {"order_number": spelt}
    answer = honoured("marcus", "get_order", sent)
    assert (answer["data"] or {}).get("order_number") != LAPTOP
    assert not met(judge, "get_order", {"order_number": LAPTOP}, sent, answer)


@pytest.mark.parametrize("said", ["the refrigerator", "northwind", "what I bought", "SKU-APP-2210"])
@pytest.mark.parametrize(
    ("tool", "more"),
    [("get_order", {}), ("quote_delivery_change", {"new_date": "2026-08-18"}), ("check_coverage", {"issue": "hums"})],
)
def test_an_order_that_the_answer_names_counts_whatever_was_said(
    tool: str, more: dict[str, Any], said: str, honoured: Honoured, judge: Judge
) -> None:
    sent = {"order_number": said, **more}
    answer = honoured("dana", tool, sent)
    assert answer["data"]["order_number"] == FRIDGE
    assert met(judge, tool, {"order_number": FRIDGE}, sent, answer)
