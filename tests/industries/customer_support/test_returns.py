"""Windows, fees, refunds, return numbers, labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

# Item, its owner and order, and what the numbers of its return and label are
NUMBERS = [
    ("it_01", "KE-4471209", "SKU-APP-2210", "RMA-7796591", "KL-249579"),
    ("it_02", "KE-4408117", "SKU-CMP-1180", "RMA-7793266", "KL-366577"),
    ("it_03", "KE-4399052", "SKU-CMP-2280", "RMA-7794857", "KL-766626"),
    ("it_04", "KE-4462884", "SKU-MOB-7702", "RMA-7792859", "KL-171752"),
    ("it_05", "KE-4455031", "SKU-MOB-7702", "RMA-7798270", "KL-379326"),
    ("it_06", "KE-4431775", "SKU-BWM-0450", "RMA-7796035", "KL-514503"),
    ("it_07", "KE-4479002", "SKU-AUD-3390", "RMA-7797826", "KL-301979"),
    ("it_08", "KE-4483316", "SKU-PWR-5510", "RMA-7793741", "KL-157390"),
    ("it_09", "KE-4490224", "SKU-HOM-6120", "RMA-7799676", "KL-314297"),
    ("it_10", "KE-4498870", "SKU-AUD-3350", "RMA-7799011", "KL-127693"),
    ("it_11", "KE-4487740", "SKU-DRN-4400", "RMA-7798555", "KL-409232"),
    ("it_12", "KE-4492551", "SKU-DRN-4400", "RMA-7797311", "KL-632463"),
    ("it_13", "KE-4495108", "SKU-AUD-7720", "RMA-7795788", "KL-822301"),
    ("it_14", "KE-4495108", "SKU-TV-4410", "RMA-7798121", "KL-377397"),
    ("it_15", "KE-4471860", "SKU-CMP-9930", "RMA-7794931", "KL-822798"),
    ("it_16", "KE-4500001", "SKU-APP-7740", "RMA-7795661", "KL-256262"),
    ("it_17", "KE-4495108", "SKU-AUD-8820", "RMA-7797721", "KL-698828"),
]
# Who, order, window, days since delivery, what is left or over
WINDOWS = [
    ("marcus", "KE-4408117", 15, 22, -7),
    ("marcus", "KE-4399052", 15, 44, -29),
    ("priya", "KE-4462884", 14, 12, 2),
    ("glen", "KE-4455031", 14, 17, -3),
    ("rosalind", "KE-4431775", 14, 57, -43),
    ("amina", "KE-4483316", 60, 3, 57),
    ("victor", "KE-4490224", 60, 59, 1),
    ("owen", "KE-4487740", 60, 7, 53),
    ("nadia", "KE-4492551", 60, 6, 54),
    ("grace", "KE-4471860", 60, 264, -204),
]


@pytest.mark.parametrize(("who", "order", "window", "elapsed", "left"), WINDOWS)
def test_every_delivered_order_has_its_window(
    caller: Callable[[str], Any], who: str, order: str, window: int, elapsed: int, left: int
) -> None:
    data = caller(who)("check_return_eligibility", order_number=order)
    assert (data["window_days"], data["days_since_delivery"]) == (window, elapsed)
    assert data["window_reason"]
    if left >= 0:
        assert (data["eligible"], data["days_remaining"]) == (True, left)
        assert not {"reason", "days_over", "explanation"} & set(data)
    else:
        assert (data["eligible"], data["reason"], data["days_over"]) == (False, "out_of_return_window", -left)
        assert str(window) in data["explanation"]
        assert str(-left) in data["explanation"]
        assert not {"days_remaining", "refund_amount", "refund_method"} & set(data)


@pytest.mark.parametrize(
    ("who", "order", "delivered", "window"),
    [
        ("marcus", "KE-4408117", date(2026, 7, 10), 15),
        ("glen", "KE-4455031", date(2026, 7, 15), 14),
        ("amina", "KE-4483316", date(2026, 7, 29), 60),
        ("owen", "KE-4487740", date(2026, 7, 25), 60),
    ],
)
@pytest.mark.parametrize(("past", "eligible"), [(-1, True), (0, True), (1, False)])
def test_the_last_day_of_a_window_still_counts(
    on_day: Callable[..., Any], who: str, order: str, delivered: date, window: int, past: int, eligible: bool
) -> None:
    desk = on_day(delivered + timedelta(days=window + past), who)
    assert desk("check_return_eligibility", order_number=order)["eligible"] is eligible
    if eligible:
        desk("quote_return", order_number=order)
    else:
        assert desk.refused("quote_return", order_number=order) == "NOT_RETURNABLE"


def test_a_window_counts_over_a_leap_day(on_day: Callable[..., Any]) -> None:
    for day, eligible in ((date(2028, 3, 1), True), (date(2028, 3, 2), False)):
        desk = on_day(day, "marcus")
        desk.look("UPDATE orders SET delivered_date = '2028-02-15' WHERE order_number = 'KE-4408117'")
        assert desk("check_return_eligibility", order_number="KE-4408117")["eligible"] is eligible


def test_an_eligible_answer_tells_all(caller: Callable[[str], Any]) -> None:
    data = caller("priya")("check_return_eligibility", opened=True)
    assert data.pop("window_reason")
    assert data.pop("restocking_fee_reason")
    assert data == {
        "order_number": "KE-4462884", "sku": "SKU-MOB-7702", "item_name": "Solstice X5 Smartphone",
        "price": "$1,099.99", "delivered_date": "2026-07-20", "days_since_delivery": 12, "window_days": 14,
        "tier": "plus", "opened": True, "record_opened": True, "purchase_state": "WA", "restocking_fee": "$45.00",
        "restocking_fee_cents": 4500, "eligible": True, "days_remaining": 2, "refund_amount": "$1,054.99",
        "refund_method": "back to the card ending 3361",
    }  # fmt: skip


def test_an_undelivered_order_answers_with_five_fields(caller: Callable[[str], Any]) -> None:
    desk = caller("dana")
    data = desk("check_return_eligibility")
    assert set(data) == {"eligible", "reason", "window_days", "window_reason", "explanation"}
    assert (data["eligible"], data["reason"], data["window_days"]) == (False, "not_delivered", 60)
    assert desk.refused("quote_return") == "NOT_RETURNABLE"


@pytest.mark.parametrize(
    ("who", "opened", "fee", "refund"),
    [
        pytest.param("priya", True, 4500, 105499, id="activatable"),
        pytest.param("priya", None, 4500, 105499, id="the record counts when nothing is said"),
        pytest.param("priya", False, 0, 109999, id="unopened by the caller's word"),
        pytest.param("priya", "false", 4500, 105499, id="a text is true"),
        pytest.param("priya", 0, 0, 109999, id="zero is false"),
        pytest.param("priya", "", 0, 109999, id="an empty text is false"),
        pytest.param("owen", True, 0, 99999, id="fifteen percent, but bought in Ohio"),
        pytest.param("nadia", True, 14999, 85000, id="fifteen percent, rounded down to the cent"),
        pytest.param("nadia", False, 0, 99999, id="fifteen percent of an unopened box"),
        pytest.param("amina", True, 0, 7999, id="no fee for this kind"),
    ],
)
def test_the_fee_follows_state_box_and_kind(
    caller: Callable[[str], Any], who: str, opened: Any, fee: int, refund: int
) -> None:
    desk = caller(who)
    order = {"nadia": "KE-4492551"}.get(who, "")
    data = desk("check_return_eligibility", order_number=order, opened=opened)
    quote = desk("quote_return", order_number=order, opened=opened)
    payload = json.loads(desk.state()["holds"][0]["payload"])
    assert data["restocking_fee_cents"] == payload["restock_fee_cents"] == fee
    assert payload["refund_cents"] == refund
    assert data["refund_amount"] == quote["refund_amount"] == f"${refund // 100:,}.{refund % 100:02d}"
    assert quote["fee_disclosure_required"] is (fee > 0)


@pytest.mark.parametrize("state", ["AL", "CO", "HI", "IA", "MS", "OH", "OK", "SC", "WA", "OR", "NY", "oh"])
def test_eight_states_have_no_fee(caller: Callable[[str], Any], state: str) -> None:
    desk = caller("priya")
    desk.look("UPDATE orders SET purchase_state = ? WHERE order_number = 'KE-4462884'", state)
    exempt = state in {"AL", "CO", "HI", "IA", "MS", "OH", "OK", "SC"}
    assert desk("check_return_eligibility")["restocking_fee_cents"] == (0 if exempt else 4500)


@pytest.mark.parametrize(("price", "fee"), [(99999, 14999), (100000, 15000), (6, 0), (7, 1), (13, 1), (14, 2), (20, 3)])
def test_a_percentage_is_rounded_down(caller: Callable[[str], Any], price: int, fee: int) -> None:
    desk = caller("nadia")
    desk.look("UPDATE order_items SET price_cents = ? WHERE id = 'it_12'", price)
    assert desk("check_return_eligibility", order_number="drone")["restocking_fee_cents"] == fee


def test_a_return_with_a_fee_needs_the_acknowledgement(caller: Callable[[str], Any]) -> None:
    desk = caller("priya")
    quote = desk("quote_return", opened=True, reason=" Too big ")
    for part in ("Solstice X5 Smartphone", "$1,099.99", "$45.00", "$1,054.99", "3361", quote["restocking_fee_reason"]):
        assert part in quote["summary"]
    for token, acknowledged in (("KE-RTN-4417", False), ("wrong", None), ("KE-RTN-4417", "")):
        refusal = {"confirmation_token": token, "fee_disclosed_acknowledged": acknowledged}
        assert desk.refused("confirm_return", **refusal) == "DISCLOSURE_REQUIRED"
    assert desk.refused("confirm_return", confirmation_token="wrong", fee_disclosed_acknowledged=True) == (
        "TOKEN_NOT_HELD"
    )
    data = desk("confirm_return", confirmation_token=quote["confirmation_token"], fee_disclosed_acknowledged=True)
    assert data.pop("next_step")
    assert data == {
        "status": "return_started", "rma_number": "RMA-7792859", "order_number": "KE-4462884",
        "refund_amount": "$1,054.99", "restocking_fee": "$45.00", "refund_method": "back to the card ending 3361",
    }  # fmt: skip
    assert desk.state()["rmas"] == [
        {"rma_number": "RMA-7792859", "customer_id": "cust_priya", "order_number": "KE-4462884", "sku": "SKU-MOB-7702",
         "reason": " Too big ", "refund_cents": 105499, "restock_fee_cents": 4500,
         "method": "back to the card ending 3361", "status": "open"}
    ]  # fmt: skip
    assert desk.refused("confirm_return", confirmation_token="KE-RTN-4417") == "TOKEN_ALREADY_USED"


def test_a_return_without_a_fee_is_held_as_the_public_lock_has_it(caller: Callable[[str], Any]) -> None:
    desk = caller("amina")
    desk("quote_return", reason="Unwanted item")
    desk("confirm_return", confirmation_token="KE-RTN-4417")
    assert desk.refused("create_return_label") == "HAZMAT_NO_LABEL"
    (hold,) = desk.state()["holds"]
    assert hold == {
        "token": "KE-RTN-4417",
        "kind": "return",
        "customer_id": "cust_amina",
        "payload": (
            '{"order_number": "KE-4483316", "sku": "SKU-PWR-5510", "reason": "Unwanted item", "refund_cents": 7999, '
            '"restock_fee_cents": 0, "hazmat": 1}'
        ),
        "summary": (
            "Returning the Voltbank 20K Power Bank, $79.99. There's no restocking fee, "
            "so the full $79.99 comes back. It goes back to the card ending 6673."
        ),
        "consumed": 1,
    }
    assert desk.state()["rmas"][0]["rma_number"] == "RMA-7793741"
    assert desk.state()["return_labels"] == []


def test_recalled_goods_can_be_quoted(caller: Callable[[str], Any]) -> None:
    assert caller("victor")("quote_return")["refund_amount"] == "$149.99"


@pytest.mark.parametrize(("item", "order", "sku", "rma", "label"), NUMBERS)
def test_numbers_of_returns_and_labels_are_fixed(
    caller: Callable[[str], Any], item: str, order: str, sku: str, rma: str, label: str
) -> None:
    desk = caller("dana")
    desk.look(
        "UPDATE orders SET customer_id = 'cust_dana', fulfillment = 'kestrel', delivered_date = '2026-07-31' "
        "WHERE order_number = ?",
        order,
    )
    desk.look("UPDATE order_items SET hazmat = 0 WHERE id = ?", item)
    desk("quote_return", order_number=order, sku=sku, opened=False)
    assert desk("confirm_return", confirmation_token="KE-RTN-4417")["rma_number"] == rma
    assert desk("create_return_label", rma_number=rma)["label_id"] == label


def test_a_return_confirmed_again_keeps_its_number_and_moves_to_the_end(caller: Callable[[str], Any]) -> None:
    desk = caller("felix")
    for sku in ("SKU-AUD-7720", "SKU-AUD-8820", "SKU-AUD-7720"):
        desk("quote_return", sku=sku, reason=sku)
        desk("confirm_return", confirmation_token="KE-RTN-4417")
    assert [row["sku"] for row in desk.state()["rmas"]] == ["SKU-AUD-8820", "SKU-AUD-7720"]


@pytest.mark.parametrize(
    ("said", "rma"),
    [
        pytest.param(None, "RMA-7797721", id="the newest without a number"),
        pytest.param("rma-7795788", "RMA-7795788", id="any case"),
        pytest.param("5788", "RMA-7795788", id="a part"),
        pytest.param("RMA-0000000", None, id="none of two"),
    ],
)
def test_a_label_goes_to_the_address_on_file(caller: Callable[[str], Any], said: str | None, rma: str | None) -> None:
    desk = caller("felix")
    assert desk.refused("create_return_label") == "NO_SUCH_RMA"
    for sku in ("SKU-AUD-7720", "SKU-AUD-8820"):
        desk("quote_return", sku=sku)
        desk("confirm_return", confirmation_token="KE-RTN-4417")
    if rma is None:
        assert desk.refused("create_return_label", rma_number=said) == "NO_SUCH_RMA"
        return
    for row_id in (1, 2):
        data = desk("create_return_label", rma_number=said)
        assert data["note"]
        assert (data["status"], data["rma_number"], data["sent_to"]) == (
            "label_sent", rma, "felix.moreau@example.test",
        )  # fmt: skip
        label = {"id": row_id, "rma_number": rma, "sent_to": data["sent_to"], "label_id": data["label_id"]}
        assert desk.state()["return_labels"][-1] == label


def test_the_only_return_needs_no_right_number(caller: Callable[[str], Any]) -> None:
    desk = caller("owen")
    desk("quote_return")
    desk("confirm_return", confirmation_token="KE-RTN-4417")
    assert desk("create_return_label", rma_number="RMA-1")["rma_number"] == "RMA-7798555"


def test_a_seeded_refund_is_no_return(caller: Callable[[str], Any]) -> None:
    assert caller("marcus").refused("create_return_label", rma_number="RMA-778201") == "NO_SUCH_RMA"


def test_refunds_come_before_returns_that_wait(caller: Callable[[str], Any]) -> None:
    desk = caller("marcus")
    seeded = {
        "rma_number": "RMA-778201", "order_number": "KE-4399052", "amount": "$329.99", "stage": "processing",
        "posts_by": "2026-08-05", "method": "Visa ending 8802",
    }  # fmt: skip
    assert desk("get_refund_status") == {"refunds": [seeded], "count": 1}
    desk.look("UPDATE orders SET delivered_date = '2026-07-31' WHERE order_number = 'KE-4408117'")
    desk("quote_return", order_number="laptop")
    desk("confirm_return", confirmation_token="KE-RTN-4417")
    refunds = desk("get_refund_status")["refunds"]
    assert refunds[0] == seeded
    assert "3 to 5 business days" in refunds[1].pop("posts_by")
    assert refunds[1] == {
        "rma_number": "RMA-7793266", "order_number": "KE-4408117", "amount": "$899.99", "stage": "awaiting_return",
        "method": "back to the card ending 8802",
    }  # fmt: skip
    assert desk("get_refund_status", rma_number="778201") == {"refunds": [seeded], "count": 1}
    relaxed = desk("get_refund_status", rma_number="RMA-1")
    assert relaxed["count"] == 2
    assert relaxed["relaxed_filter"]


def test_without_refunds_it_says_so(caller: Callable[[str], Any]) -> None:
    assert caller("dana").refused("get_refund_status") == "NO_REFUNDS"


def test_item_stands_in_for_order_and_item(caller: Callable[[str], Any]) -> None:
    assert caller("marcus")("check_return_eligibility", item="monitor")["sku"] == "SKU-CMP-2280"


def test_goods_of_a_seller_are_not_ours_to_take_back(caller: Callable[[str], Any]) -> None:
    desk = caller("tomas")
    for tool in ("check_return_eligibility", "quote_return"):
        envelope = desk.post(tool, {})
        assert envelope["error_code"] == "MARKETPLACE_SELLER_POLICY"
        assert envelope["data"] == {"seller": "Northwind Supply Co"}
