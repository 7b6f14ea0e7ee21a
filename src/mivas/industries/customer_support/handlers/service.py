"""Service desk: plans, who pays for a repair, and visits of TechCrew."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._arguments import day, digits, first_text, text
from mivas.industries.customer_support.handlers._inputs import NoInput, OrderNumber, Sku
from mivas.industries.customer_support.handlers._policy import Coverage, Plan, coverage
from mivas.industries.customer_support.handlers._records import Customer, Item, Order
from mivas.industries.customer_support.handlers._references import find_item, find_order, find_purchase, sold_by_other
from mivas.industries.customer_support.handlers._refusals import INVALID_DATE
from mivas.industries.customer_support.handlers._scripts import BATTERY, RECALL, RECALL_NEXT_STEP, WARRANTY_NOTE
from mivas.industries.customer_support.handlers._session import for_verified
from mivas.industries.customer_support.handlers._speech import dollars
from mivas.state import Arguments, Call, Refusal, tool

HAZMAT_NO_SERVICE = Refusal("HAZMAT_NO_SERVICE", BATTERY)
RECALLED_NO_SERVICE = Refusal("RECALLED_NO_SERVICE", RECALL)
NO_SUCH_SLOT = Refusal(
    "NO_SUCH_SLOT", "TechCrew can look at it on the bench in a store, at your home, or remotely. Which would you like?"
)
NO_APPOINTMENTS = Refusal("NO_APPOINTMENTS", "I do not see a service appointment on your account.")
UNKNOWN_APPOINTMENT = Refusal("UNKNOWN_APPOINTMENT", "Which of your appointments do you mean? I see more than one.")
BENCH = "bench"
BOOKED, CANCELLED = "booked", "cancelled"
TOTAL_PROTECTION = "Kestrel Total includes TechCrew Protect on most purchases, for two years at the most while it runs."


class _Fault(TypedDict):
    order_number: NotRequired[OrderNumber]
    sku: NotRequired[Sku]
    issue: Annotated[str, Field(description="What is wrong, in the caller's words; say so when it was an accident.")]


class _Visit(TypedDict):
    order_number: NotRequired[OrderNumber]
    sku: NotRequired[Sku]
    service_type: Annotated[str, Field(description="bench (in a store), in_home or remote.")]
    date: NotRequired[Annotated[str, Field(description="Day the caller wants, such as 2026-08-05.")]]
    issue: NotRequired[
        Annotated[
            str, Field(description="What is wrong, in the caller's words; nothing added where they dictate the ticket.")
        ]
    ]


class _Which(TypedDict):
    appointment_id: NotRequired[Annotated[str, Field(description="Id of the appointment, when there are several.")]]


@tool(NoInput)
@for_verified
def get_protection_plans(call: Call, customer: Customer, _arguments: Arguments) -> Outcome:
    """List the verified caller's protection plans with their dates and deductibles. Who pays for a certain fault is
    told by check_coverage; what the membership costs is get_membership."""
    today = call.now.date().isoformat()
    plans = [
        {
            "plan_name": row["plan_name"],
            "sku": row["sku"],
            "order_number": row["order_number"],
            "starts": row["start_date"],
            "ends": row["end_date"],
            "deductible": dollars(row["deductible_cents"]),
            "active": row["start_date"] <= today <= row["end_date"],
        }
        for row in call.rows("SELECT * FROM protection_plans WHERE customer_id = ? ORDER BY id", customer.id)
    ]
    included = {"membership_coverage": TOTAL_PROTECTION} if customer.tier == "total" else {}
    return {"plans": plans, "count": len(plans), "tier": customer.tier} | included


@tool(_Fault)
@for_verified
def check_coverage(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Find out who pays for a repair before you name a price or book anything: recall, plan, Kestrel Total, the
    manufacturer warranty, or the caller. Changes nothing; book_service_appointment comes after it. To send the item
    back instead, check_return_eligibility."""
    purchase = find_purchase(
        call, customer, first_text(arguments, "order_number", "item"), first_text(arguments, "sku", "item")
    )
    if isinstance(purchase, Refusal):
        return purchase
    order, item = purchase.order, purchase.item
    issue = text(arguments.get("issue")).lower()
    plan = _running_plan(call, customer, item)
    found = _coverage(call, customer, order, item, issue)
    facts: dict[str, object] = {
        "item_name": item.name,
        "sku": item.sku,
        "issue": issue,
        "order_number": order.order_number,
        "recalled": bool(item.recalled),
        "battery_safety_flag": bool(item.hazmat),
        "warranty_note": WARRANTY_NOTE,
        "covered": found.covered,
        "coverage": found.name,
        "payer": found.payer,
        "amount_due": dollars(found.amount_cents),
    }
    return facts | _particulars(found, plan)


def _particulars(found: Coverage, plan: Plan | None) -> dict[str, object]:
    """What only some rungs of the ladder tell."""
    if found.name == "recall_remedy":
        return {"script": RECALL, "next_step": RECALL_NEXT_STEP}
    told: dict[str, object] = {}
    if found.name == "techcrew_protect" and plan is not None:
        told["plan_name"] = plan.name
    if found.covers_accidents is not None:
        told["covers_accidental"] = found.covers_accidents
    if found.detail is not None:
        told["detail"] = found.detail
    return told


def _coverage(call: Call, customer: Customer, order: Order, item: Item, issue: str) -> Coverage:
    return coverage(customer, order, item, _running_plan(call, customer, item), issue, call.now.date())


def _running_plan(call: Call, customer: Customer, item: Item) -> Plan | None:
    """The customer's plan for that SKU that runs today, its order not compared; None when there is none."""
    row = call.one(
        "SELECT plan_name, deductible_cents FROM protection_plans "
        "WHERE customer_id = ? AND sku = ? AND ? BETWEEN start_date AND end_date ORDER BY id",
        customer.id,
        item.sku,
        call.now.date().isoformat(),
    )
    return None if row is None else Plan(name=row["plan_name"], deductible_cents=row["deductible_cents"])


@tool(_Visit)
@for_verified
def book_service_appointment(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Book TechCrew for an item once coverage is told and the caller agreed: bench, in_home or remote. It may take
    another day than asked, so say which. Each call books once more; to undo use cancel_service_appointment, and ask
    check_coverage before."""
    order = find_order(call, customer, first_text(arguments, "order_number", "sku", "item"))
    if isinstance(order, Refusal):
        return order
    item = find_item(call, order, first_text(arguments, "sku", "item"))
    if isinstance(item, Refusal):
        return item
    wanted = _wanted_visit(call, order, item, arguments)
    return wanted if isinstance(wanted, Refusal) else _booked(call, customer, order, item, wanted, arguments)


def _wanted_visit(call: Call, order: Order, item: Item, arguments: Arguments) -> dict[str, Any] | Refusal:
    """The opening to book: on the asked day, else the earliest. The dangers of an item come before all else."""
    if item.hazmat:
        return HAZMAT_NO_SERVICE
    if item.recalled:
        return RECALLED_NO_SERVICE
    service_type = call.scoring.aliases["service_type"].spelt(text(arguments.get("service_type"))) or BENCH
    sql = "SELECT date, service_type, time_window FROM service_slots WHERE service_type = ? AND available ORDER BY date"
    openings = list(call.rows(sql, service_type))
    if not openings:
        return NO_SUCH_SLOT
    asked = day(arguments.get("date"), call.now.year)
    if asked is None and text(arguments.get("date")):
        return INVALID_DATE
    if (refusal := sold_by_other(order)) is not None:
        return refusal
    return next((row for row in openings if asked is not None and row["date"] == asked.isoformat()), None) or (
        openings[0] | {"relaxed_filter": "Nothing was open on a day that was asked for; this is the earliest opening."}
    )


def _booked(
    call: Call, customer: Customer, order: Order, item: Item, opening: dict[str, Any], arguments: Arguments
) -> dict[str, object]:
    given = arguments.get("issue")
    issue = "" if given is None else str(given)
    found = _coverage(call, customer, order, item, issue)
    row_id = call.insert(
        "service_appointments",
        {
            "customer_id": customer.id,
            "sku": item.sku,
            "service_type": opening["service_type"],
            "date": opening["date"],
            "time_window": opening["time_window"],
            "issue": issue,
            "payer": found.payer,
            "status": BOOKED,
        },
    )
    return {
        "status": BOOKED,
        "appointment_id": row_id,
        **opening,
        "item_name": item.name,
        "amount_due": dollars(found.amount_cents),
        "coverage": found.name,
    }


@tool(NoInput)
@for_verified
def get_service_appointment(call: Call, customer: Customer, _arguments: Arguments) -> Outcome:
    """List the verified caller's service appointments, cancelled ones included, when they ask about one. To make one
    use book_service_appointment, to drop one cancel_service_appointment."""
    rows = _appointments(call, customer)
    if not rows:
        return NO_APPOINTMENTS
    keys = ("service_type", "date", "time_window", "issue", "status")
    shown = [{"appointment_id": row["id"]} | {key: row[key] for key in keys} for row in rows]
    return {"appointments": shown, "count": len(shown)}


def _appointments(call: Call, customer: Customer) -> list[dict[str, Any]]:
    return list(call.rows("SELECT * FROM service_appointments WHERE customer_id = ? ORDER BY id", customer.id))


@tool(_Which)
@for_verified
def cancel_service_appointment(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Cancel a booked service appointment when the caller asks for it; with only one booked, no id is needed. An order
    is cancelled with cancel_order; see what is booked with get_service_appointment."""
    booked = [row for row in _appointments(call, customer) if row["status"] == BOOKED]
    if not booked:
        return NO_APPOINTMENTS
    said = digits(arguments.get("appointment_id"))
    row = next((row for row in booked if str(row["id"]) == said), booked[0] if len(booked) == 1 else None)
    if row is None:
        return UNKNOWN_APPOINTMENT
    call.execute("UPDATE service_appointments SET status = ? WHERE id = ?", CANCELLED, row["id"])
    return {"status": CANCELLED, "appointment_id": row["id"], "was_on": f"{row['date']} {row['time_window']}"}
