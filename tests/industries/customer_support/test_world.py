"""The retailer is the one its fact sheet describes: graph, tools, tables, seed."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import Pack, memory_database

REPOSITORY = Path(__file__).parents[3]
FREE_WORDING = {
    "fees": {"conditions"}, "policies": {"body"}, "kb": {"answer"}, "competitors": {"note"},
    "outbound_contacts": {"summary"},
}  # fmt: skip

INDUSTRY = {
    "reception": "search_kb get_store_info get_policy get_fee",
    "verification": "search_kb identify_customer verify_identity get_customer_summary",
    "orders": "search_kb get_customer_summary get_order quote_delivery_change confirm_delivery_change cancel_order"
    " quote_price_match confirm_price_match get_fee",
    "returns": "search_kb get_order check_return_eligibility quote_return confirm_return create_return_label"
    " get_refund_status get_fee",
    "service": "search_kb get_order get_protection_plans check_coverage book_service_appointment"
    " get_service_appointment cancel_service_appointment",
    "membership": "search_kb get_membership quote_membership_upgrade confirm_membership_upgrade"
    " quote_membership_cancellation confirm_membership_cancellation get_fee",
    "fraud": "search_kb get_fee check_subscription_charge check_outbound_contact report_scam_contact",
}
EDGES = {
    "reception": ["verification", "fraud"],
    "verification": ["orders", "returns", "service", "membership"],
    "orders": ["returns", "service", "fraud"],
    "returns": ["orders", "service", "fraud"],
    "service": ["returns", "membership", "fraud"],
    "membership": ["service", "fraud"],
    "fraud": ["verification"],
}
STATE = [
    "customers", "orders", "order_items", "protection_plans", "refunds", "holds", "rmas", "return_labels",
    "price_matches", "delivery_changes", "order_cancellations", "service_appointments", "membership_changes",
    "scam_reports", "escalations",
]  # fmt: skip
HIDDEN = {"stores", "fees", "policies", "kb", "competitors", "service_slots", "outbound_contacts"}


@pytest.fixture
def database(pack: Pack) -> Iterator[sqlite3.Connection]:
    connection = memory_database(pack)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


@pytest.mark.parametrize("node", INDUSTRY)
def test_each_desk_has_its_tools_in_order(pack: Pack, node: str) -> None:
    transfers = [f"transfer_to_{target}" for target in EDGES[node]]
    expected = [*INDUSTRY[node].split(), "escalate_to_human", "end_call", *transfers]
    assert [tool.name for tool in pack.blueprint.by_id[node].tools] == expected


def test_seven_desks_share_thirty_nine_tools(pack: Pack) -> None:
    assert [node.id for node in pack.blueprint.nodes] == list(INDUSTRY)
    assert pack.blueprint.entry.id == "reception"
    assert sum(len(node.tools) for node in pack.blueprint.nodes) == 76
    assert (len(pack.tools), len(pack.posted_tools)) == (39, 32)
    assert pack.human_tools == {"escalate_to_human"}


def test_the_eighteen_transfers_and_no_other(pack: Pack) -> None:
    edges = [(edge.source, edge.tool, edge.target) for edge in pack.blueprint.edges()]
    assert edges == [(node, f"transfer_to_{target}", target) for node in EDGES for target in EDGES[node]]
    assert len(edges) == 18
    assert {f"transfer_to_{node}" for node in EDGES if node != "reception"} == pack.scoring.transfer_set


def test_every_desk_can_reach_a_person_and_fraud_needs_no_identity_check(pack: Pack) -> None:
    assert [edge.source for edge in pack.blueprint.human_exits()] == list(INDUSTRY)
    assert pack.blueprint.route("reception", "fraud") == ("transfer_to_fraud",)


def test_the_opening_sentence_names_the_firm_the_ai_and_the_recording(pack: Pack) -> None:
    first = (pack.blueprint.greeting or "").split(".")[0]
    for part in ("Kestrel Electronics", "AI assistant", "recorded"):
        assert part in first


def test_the_day_is_the_first_of_august_a_saturday(pack: Pack) -> None:
    assert pack.clock is not None
    assert pack.clock.date().isoformat() == "2026-08-01"
    assert all("Saturday, 1 August 2026" in node.instructions for node in pack.blueprint.nodes)


def test_the_state_shows_fifteen_tables_in_order_and_all_of_them_are_scored(desk: Any, pack: Pack) -> None:
    assert list(desk.state()) == STATE
    assert set(pack.scoring.tables) == set(STATE)


def test_reference_tables_are_hidden(pack: Pack, database: sqlite3.Connection) -> None:
    names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    assert {name for (name,) in names} - set(STATE) == HIDDEN == pack.hidden_tables


def test_no_column_may_be_null(database: sqlite3.Connection) -> None:
    for table in (*STATE, *HIDDEN):
        for column in database.execute(f"PRAGMA table_info({table})"):
            assert column["notnull"] or column["pk"], f"{table}.{column['name']}"


def test_the_seed_is_that_of_the_fact_sheet(database: sqlite3.Connection) -> None:
    root = Path(os.environ.get("MIVAS_REFERENCE") or REPOSITORY.parent / "shared" / "reference")
    sheet = root.parent / "spec" / "packs" / "customer-support.seed.json"
    if not sheet.is_file():
        pytest.skip("no fact sheet here")
    expected = json.loads(sheet.read_text(encoding="utf-8"))
    assert set(expected) == {*STATE, *HIDDEN}
    for table, rows in expected.items():
        free = FREE_WORDING.get(table, set())
        ours = [dict(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid")]
        assert len(ours) == len(rows)
        for row, wanted in zip(ours, rows, strict=True):
            assert {key for key in row if not row[key] and key in free} == set()
            assert {k: v for k, v in row.items() if k not in free} == {k: v for k, v in wanted.items() if k not in free}
