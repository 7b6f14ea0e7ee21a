"""Long random calls, well-formed and not: nothing breaks, no cent is lost, and each tool writes its own tables only."""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from mivas.pack import Pack
from mivas.state import StateService

CALL_NUMBERS = itertools.count(1)
People = dict[str, tuple[str, str, str, str]]
State = dict[str, list[dict[str, Any]]]
OPEN = {
    "search_kb", "get_store_info", "get_policy", "get_fee", "identify_customer", "verify_identity",
    "check_subscription_charge", "check_outbound_contact", "report_scam_contact", "escalate_to_human",
}  # fmt: skip
WRITES = {
    "quote_delivery_change": {"holds"},
    "confirm_delivery_change": {"orders", "delivery_changes", "holds"},
    "cancel_order": {"orders", "order_cancellations"},
    "quote_price_match": {"holds"},
    "confirm_price_match": {"price_matches", "holds"},
    "quote_return": {"holds"},
    "confirm_return": {"rmas", "holds"},
    "create_return_label": {"return_labels"},
    "book_service_appointment": {"service_appointments"},
    "cancel_service_appointment": {"service_appointments"},
    "quote_membership_upgrade": {"holds"},
    "confirm_membership_upgrade": {"customers", "membership_changes", "holds"},
    "quote_membership_cancellation": {"holds"},
    "confirm_membership_cancellation": {"customers", "membership_changes", "holds"},
    "report_scam_contact": {"scam_reports"},
    "escalate_to_human": {"escalations"},
}
TOKENS = {
    "KE-RTN-4417": "return", "KE-PM-2286": "price_match", "KE-DLV-3390": "delivery_change", "KE-UPG-5512": "upgrade",
    "KE-CXL-7708": "cancel",
}  # fmt: skip
LIKELY: dict[str, list[Any]] = {
    "order_number": ["", "KE-4495108", "KE-4471209", "4408117", "0001", "laptop", "monitor", "KE-9999999"],
    "sku": ["SKU-AUD-7720", "SKU-AUD-8820", "TV", "", "SKU-DRN-4400"],
    "new_date": ["2026-08-18", "2026-08-09", "Aug 6", "2026-09-30", "2026-10-01", "soon"],
    "date": ["2026-08-03", "2026-08-05", "", "August 12"],
    "competitor": ["Rivertide", "Halcyon Mart", "Grimwald's", "mart"],
    "competitor_price": [479.99, 399.99, 0.01, 1, 549.99, 100.125],
    "confirmation_token": [*TOKENS, "KE-RTN-0000"],
    "service_type": ["bench", "in home", "virtual", "in-home"],
    "issue": ["will not charge", "dropped it", ""],
    "reason_code": ["recall", "caller request", "bored"],
    "phone": ["541-555-0119", "0188", "541-555-0108", ""],
    "email": ["dana.whitlock@example.test", "nobody@example.test"],
    "appointment_id": ["1", "2", "3"],
    "rma_number": ["RMA-7795788", "", "RMA-1"],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def argument(name: str, schema: Any) -> st.SearchStrategy[Any]:
    plain: dict[str, st.SearchStrategy[Any]] = {
        "string": st.text(max_size=12),
        "boolean": st.booleans(),
        "number": st.floats(0.01, 3000) | st.integers(1, 3000),
    }
    values = plain[schema["type"]]
    return st.sampled_from(LIKELY[name]) | values if name in LIKELY else values


def well_formed(schema: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Every required argument, and any of the others."""
    told = {name: argument(name, item) for name, item in schema["properties"].items()}
    required = {name: told.pop(name) for name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional=told)


def ill_formed(schema: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Any JSON under real keys and unheard-of ones, or a good call with one bad value."""
    keys = st.sampled_from([*schema["properties"], "item", "customer_id"]) | st.text(max_size=5)
    spoiled = st.builds(lambda good, bad: good | bad, well_formed(schema), st.dictionaries(keys, JSON, max_size=1))
    return st.dictionaries(keys, JSON, max_size=6) | spoiled


def assert_the_books_balance(state: State) -> None:
    """Every cent that is paid back is one that was paid, and every amount is a whole number of cents."""
    price = {(row["order_number"], row["sku"]): row["price_cents"] for row in state["order_items"]}
    for table in state.values():
        for row in table:
            assert all(type(value) is int and value >= 0 for key, value in row.items() if key.endswith("_cents"))
    for row in state["rmas"]:
        assert row["refund_cents"] + row["restock_fee_cents"] == price[row["order_number"], row["sku"]]
    for row in state["price_matches"]:
        assert row["competitor_price_cents"] + row["difference_cents"] == price[row["order_number"], row["sku"]]
    matched = [(row["order_number"], row["sku"]) for row in state["price_matches"]]
    assert len(matched) == len(set(matched))
    for row in state["order_cancellations"]:
        assert row["refund_cents"] == sum(cents for (order, _), cents in price.items() if order == row["order_number"])
    for row in state["delivery_changes"]:
        assert row["fee_cents"] in (0, 2999)
    for row in state["membership_changes"]:
        assert row["amount_cents"] <= 19999


def assert_holds_are_sound(state: State) -> None:
    for row in state["holds"]:
        assert TOKENS[row["token"]] == row["kind"]
        assert row["payload"] == json.dumps(json.loads(row["payload"]))
        assert row["consumed"] in (0, 1)
    assert len({row["token"] for row in state["holds"]}) == len(state["holds"])


def machine(service: StateService, pack: Pack, people: People) -> type[RuleBasedStateMachine]:
    """A machine whose every run is a call of its own on `service`."""
    tools = sorted(pack.posted_tools)
    good = {name: well_formed(pack.tools[name].input_schema) for name in tools}
    bad = {name: ill_formed(pack.tools[name].input_schema) for name in tools}

    class PhoneCall(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.call_id = f"random-{next(CALL_NUMBERS)}"
            self.posted: list[tuple[str, dict[str, Any]]] = []
            self.verified = False
            self.state = service.state(self.call_id)

        def post(self, tool: str, arguments: dict[str, Any]) -> None:
            before = self.state
            answer = service.call_tool(self.call_id, tool, arguments)
            assert answer.status == 200
            envelope = answer.json
            self.posted.append((tool, arguments))
            self.state = service.state(self.call_id)
            if not envelope["ok"]:
                assert self.state == before, "a refusal changed the world"
                assert envelope["caller_safe_message"]
                return
            assert tool in OPEN or self.verified
            changed = {table for table in before if before[table] != self.state[table]}
            assert changed <= WRITES.get(tool, set())
            if tool == "verify_identity":
                self.verified = True
            elif tool == "identify_customer":
                self.verified = False
            elif tool.startswith("confirm_"):
                self.check_spending(arguments["confirmation_token"].strip().upper(), before)

        def check_spending(self, token: str, before: State) -> None:
            """A confirmation spends the one hold it names, and only an open one."""
            was, now = ({row["token"]: row for row in state["holds"]} for state in (before, self.state))
            assert was[token]["consumed"] == 0
            assert now == was | {token: was[token] | {"consumed": 1}}

        @rule(data=st.data(), tool=st.sampled_from(tools))
        def say_something_well_formed(self, data: st.DataObject, tool: str) -> None:
            self.post(tool, data.draw(good[tool]))

        @rule(data=st.data(), tool=st.sampled_from(tools))
        def say_something_ill_formed(self, data: st.DataObject, tool: str) -> None:
            self.post(tool, data.draw(bad[tool]))

        @rule(person=st.sampled_from(sorted(people.values())))
        def prove_who_is_calling(self, person: tuple[str, str, str, str]) -> None:
            name, phone, postal_code, card_last4 = person
            self.post("identify_customer", {"full_name": name, "phone": phone})
            self.post("verify_identity", {"postal_code": postal_code, "card_last4": card_last4})

        @rule(item=st.sampled_from(["SKU-AUD-7720", "SKU-AUD-8820", ""]), opened=st.booleans(), told=st.booleans())
        def return_something(self, item: str, opened: bool, told: bool) -> None:
            self.post("quote_return", {"sku": item, "opened": opened})
            self.post("confirm_return", {"confirmation_token": "ke-rtn-4417", "fee_disclosed_acknowledged": told})

        @rule(to_total=st.booleans())
        def change_the_membership(self, to_total: bool) -> None:
            kind, token = ("upgrade", "KE-UPG-5512") if to_total else ("cancellation", "KE-CXL-7708")
            self.post(f"quote_membership_{kind}", {})
            arguments = {"confirmation_token": token, "proration_acknowledged": True}
            self.post(f"confirm_membership_{kind}", arguments)

        @rule()
        def hang_the_service_up_and_on_again(self) -> None:
            service.close()

        @invariant()
        def the_books_balance(self) -> None:
            assert_the_books_balance(self.state)
            assert_holds_are_sound(self.state)

        @invariant()
        def what_no_tool_writes_never_changes(self) -> None:
            assert [row["id"] for row in self.state["order_items"]] == [f"it_{number:02}" for number in range(1, 18)]
            assert len(self.state["refunds"]) == 1
            assert {row["status"] for row in self.state["orders"]} <= {
                "processing", "delivered", "scheduled", "cancelled",
            }  # fmt: skip

        def teardown(self) -> None:
            """The service's log holds every call, and no handler broke."""
            log = service.calls(self.call_id)
            assert [(call.tool, call.arguments) for call in log] == self.posted
            assert [call.broke for call in log if call.broke] == []

    return PhoneCall


@pytest.mark.timeout(600)  # only a failure needs it: shrinking one takes minutes
def test_random_calls_never_break_the_service_or_its_books(
    world: Callable[[Pack, Path], StateService],
    pack: Pack,
    people: People,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL, logger="mivas.state")
    service = world(pack, tmp_path)
    run_state_machine_as_test(
        machine(service, pack, people),
        settings=settings(
            max_examples=100,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
    service.close()
