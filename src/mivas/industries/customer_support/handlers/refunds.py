"""After a return was started: its label, and where the refund stands."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._arguments import text
from mivas.industries.customer_support.handlers._identifiers import label_number
from mivas.industries.customer_support.handlers._policy import LABEL_DAYS, REFUND_DAYS
from mivas.industries.customer_support.handlers._records import Customer
from mivas.industries.customer_support.handlers._scripts import BATTERY
from mivas.industries.customer_support.handlers._session import for_verified
from mivas.industries.customer_support.handlers._speech import days, dollars
from mivas.state import Arguments, Call, Refusal, tool

NO_SUCH_RMA = Refusal("NO_SUCH_RMA", "There is no return open that I could send a label for. Let me start one first.")
HAZMAT_NO_LABEL = Refusal("HAZMAT_NO_LABEL", BATTERY)
NO_REFUNDS = Refusal("NO_REFUNDS", "I do not see any refund on your account.")


class _Rma(TypedDict):
    rma_number: NotRequired[Annotated[str, Field(description="RMA number of the return, such as RMA-7790000.")]]


@tool(_Rma)
@for_verified
def create_return_label(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Send a prepaid label for a return that confirm_return has started, when the caller wants to mail it. It goes to
    the e-mail address on file; each call sends another. Refuses a dangerous battery: then speak the script."""
    rma = _own_rma(call, customer, text(arguments.get("rma_number")))
    if rma is None:
        return NO_SUCH_RMA
    item = call.one(
        "SELECT hazmat FROM order_items WHERE order_number = ? AND sku = ?", rma["order_number"], rma["sku"]
    )
    if item is not None and item["hazmat"]:
        return HAZMAT_NO_LABEL
    label_id = label_number(rma["rma_number"])
    call.insert("return_labels", {"rma_number": rma["rma_number"], "sent_to": customer.email, "label_id": label_id})
    return {
        "status": "label_sent",
        "rma_number": rma["rma_number"],
        "label_id": label_id,
        "sent_to": customer.email,
        "note": f"The label is prepaid, free, and good for {days(LABEL_DAYS)}.",
    }


def _own_rma(call: Call, customer: Customer, said: str) -> dict[str, Any] | None:
    """The newest return whose number holds the text, else the only one there is, else None."""
    rmas = list(call.rows("SELECT * FROM rmas WHERE customer_id = ? ORDER BY rowid DESC", customer.id))
    found = next((rma for rma in rmas if said.lower() in rma["rma_number"].lower()), None)
    return found or (rmas[0] if len(rmas) == 1 else None)


@tool(_Rma)
@for_verified
def get_refund_status(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Read where the verified caller's refunds stand: stage, amount, and the day they post by. Say that and promise
    nothing more. A return that was only started waits for the item; to start one use quote_return."""
    refunds = _refunds(call, customer)
    if not refunds:
        return NO_REFUNDS
    said = text(arguments.get("rma_number")).lower()
    matching = [row for row in refunds if said in str(row["rma_number"]).lower()]
    relaxed = {} if matching else {"relaxed_filter": "No refund has that number, so all of them are listed."}
    shown = matching or refunds
    return {"refunds": shown, "count": len(shown)} | relaxed


def _refunds(call: Call, customer: Customer) -> list[dict[str, object]]:
    """Refunds under way by RMA number, then returns that wait for their item, the oldest first."""
    under_way = [
        {
            "rma_number": row["rma_number"],
            "order_number": row["order_number"],
            "amount": dollars(row["amount_cents"]),
            "stage": row["stage"],
            "posts_by": row["posts_by"],
            "method": row["method"],
        }
        for row in call.rows("SELECT * FROM refunds WHERE customer_id = ? ORDER BY rma_number", customer.id)
    ]
    waiting = [
        {
            "rma_number": row["rma_number"],
            "order_number": row["order_number"],
            "amount": dollars(row["refund_cents"]),
            "stage": "awaiting_return",
            "posts_by": f"{REFUND_DAYS} after we receive it",
            "method": row["method"],
        }
        for row in call.rows("SELECT * FROM rmas WHERE customer_id = ? ORDER BY rowid", customer.id)
    ]
    return under_way + waiting
