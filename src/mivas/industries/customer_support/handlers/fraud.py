"""Fraud desk: was it us? Asks nobody who they are, and tells a plan's price only to disprove a charge."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._arguments import cents, digits, number, text, text_if_true
from mivas.industries.customer_support.handlers._inputs import Email, Phone
from mivas.industries.customer_support.handlers._policy import MEMBERSHIPS
from mivas.industries.customer_support.handlers._records import Customer, customers
from mivas.industries.customer_support.handlers._scripts import NEVER_ASKED, NO_CONTACT, SCAM
from mivas.industries.customer_support.handlers._speech import dollars, spoken_day
from mivas.industries.customer_support.handlers.membership import NO_START, running_year
from mivas.state import Arguments, Call, Refusal, tool

NO_SUCH_CHARGE = Refusal("NO_SUCH_CHARGE", SCAM)
NO_OUTBOUND_CONTACT = Refusal("NO_OUTBOUND_CONTACT", NO_CONTACT)
_LOCAL_DIGITS = 7

STEP_BANK = "Call your bank or card company now, say that it was a scam, and ask them to stop or dispute the payment."
STEP_DEVICE = "Take that device off the internet, change your passwords from another one, and have it looked over."
STEPS = (
    "Do not call that number back and do not answer the message.",
    "Report it at reportfraud.ftc.gov as well.",
)


class _Charge(TypedDict):
    phone: NotRequired[Phone]
    email: NotRequired[Email]
    amount: NotRequired[Annotated[float, Field(description="Amount they were told, in dollars, such as 399.99.")]]


class _Contact(TypedDict):
    phone: NotRequired[Phone]
    email: NotRequired[Email]


class _Report(TypedDict):
    phone: NotRequired[Phone]
    email: NotRequired[Email]
    channel: Annotated[str, Field(description="How it reached them: phone, email, sms or another word of theirs.")]
    claimed_brand: NotRequired[Annotated[str, Field(description="Who it claimed to be, such as TechCrew.")]]
    amount: NotRequired[Annotated[str, Field(description="Amount named, digits only, such as 399.99.")]]
    payment_requested: NotRequired[
        Annotated[str, Field(description="How they were to pay, such as gift cards; none when nothing was asked for.")]
    ]
    remote_access_given: NotRequired[Annotated[bool, Field(description="Whether somebody got into their device.")]]
    money_sent: NotRequired[Annotated[bool, Field(description="Whether money or gift card codes were given.")]]


@tool(_Charge)
def check_subscription_charge(call: Call, arguments: Arguments) -> Outcome:
    """Check a renewal or bill that the caller was told of, by phone or e-mail, before you comment on it. Tells whether
    there is such a charge and, if a plan exists, its real price and renewal. Whether we wrote or called at all is
    check_outbound_contact."""
    person = _by_contact(call, arguments)
    membership = None if person is None else MEMBERSHIPS.get(person.tier)
    if person is None or membership is None:
        return NO_SUCH_CHARGE
    year = running_year(person, call.now.date())
    if year is None:
        return NO_START
    facts: dict[str, object] = {
        "has_active_subscription": True,
        "plan": membership.label,
        "annual_price": dollars(membership.annual_cents),
        "next_renewal": year.renews_on.isoformat(),
        "billed_by": "Kestrel Electronics, to the card on file",
    }
    amount = number(arguments.get("amount"))
    if amount is None:
        return facts
    if cents(amount) == membership.annual_cents:
        return facts | {"amount_matches": True}
    script = (
        f"{SCAM} What you do have is {membership.label}, {dollars(membership.annual_cents)} a year, and it renews on "
        f"{spoken_day(year.renews_on)}."
    )
    return facts | {"amount_matches": False, "script": script}


def _by_contact(call: Call, arguments: Arguments) -> Customer | None:
    phone, email = digits(arguments.get("phone")), text(arguments.get("email")).lower()
    for person in customers(call):
        if (phone and person.phone == phone) or _same_local(phone, person.phone) or _same_email(email, person.email):
            return person
    return None


def _same_local(heard: str, stored: str) -> bool:
    return len(heard) >= _LOCAL_DIGITS and heard[-_LOCAL_DIGITS:] == stored[-_LOCAL_DIGITS:]


def _same_email(heard: str, stored: str) -> bool:
    return bool(heard) and heard == stored.lower()


@tool(_Contact)
def check_outbound_contact(call: Call, arguments: Arguments) -> Outcome:
    """Check whether Kestrel or TechCrew really called, wrote or texted, by the caller's phone or e-mail. When there is
    no record, say so as a fact. A charge they were told of is check_subscription_charge; file the rest with
    report_scam_contact."""
    phone, email = digits(arguments.get("phone")), text(arguments.get("email")).lower()
    contacts = [
        {"channel": row["channel"], "date": row["contact_date"], "summary": row["summary"]}
        for row in call.rows("SELECT * FROM outbound_contacts ORDER BY id")
        if _same_local(phone, row["phone"]) or _same_email(email, row["email"])
    ]
    return {"contacts": contacts, "count": len(contacts)} if contacts else NO_OUTBOUND_CONTACT


@tool(_Report)
def report_scam_contact(call: Call, arguments: Arguments) -> Outcome:
    """File the scam once, after both checks and with what the caller said; the two flags are told truthfully either
    way. Returns the steps to speak. If money or access was given, escalate_to_human follows; the checks themselves
    are check_subscription_charge and check_outbound_contact."""
    access, money = (bool(arguments.get(key)) for key in ("remote_access_given", "money_sent"))
    report_id = call.insert(
        "scam_reports",
        {
            "phone": digits(arguments.get("phone")),
            "email": text_if_true(arguments.get("email")),
            "channel": text_if_true(arguments.get("channel")).lower() or "unknown",
            "claimed_brand": text_if_true(arguments.get("claimed_brand")),
            "amount_text": text_if_true(arguments.get("amount")),
            "payment_requested": text_if_true(arguments.get("payment_requested")).lower(),
            "remote_access_given": int(access),
            "money_sent": int(money),
        },
    )
    steps = [*([STEP_BANK] if money else []), *([STEP_DEVICE] if access else []), *STEPS]
    return {"report_id": report_id, "status": "reported", "next_steps": steps, "note": NEVER_ASKED}
