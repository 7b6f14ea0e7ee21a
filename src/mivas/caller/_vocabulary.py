"""The closed list of what a caller can hear: questions, offers and statements, with what each means.

Never a tool name, an argument name or an id: a caller decides by what it heard (formats.md 3). How they are put into
words is learned from `data/` (`tools/train_hearing.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "name": "who the caller or the person concerned is",
        "date_of_birth": "when that person was born",
        "phone": "the number on record or for the record",
        "callback": "where to ring the caller back",
        "carrier": "which insurance, or whether there is one",
        "member_id": "the number on the insurance card",
        "zip": "the zip code",
        "email": "the e-mail address",
        "channel": "how to be contacted or sent something",
        "order_number": "which order",
        "card_last4": "how the payment card ends",
        "office": "which office, store or branch",
        "provider": "which doctor, hospital or attorney",
        "service": "which treatment, test or service",
        "medication": "which medicine",
        "reason": "why somebody calls or what is wrong",
        "new_or_existing": "been here before or not",
        "which_time": "a choice among times, or an hour",
        "date": "a day to come, or of a visit, purchase or delivery",
        "read_back": "to confirm what was repeated or understood",
        "consent": "a yes to terms, fees or an action",
        "anything_else": "whether there is more to do",
        "opposing_party": "who is on the other side",
        "practice_area": "which kind of legal matter",
        "state": "which state",
        "incident_date": "when a legal matter happened",
        "matter": "which of the caller's cases",
        "representation": "whether a lawyer acts for the caller already",
        "relationship": "whose record, account or matter it is",
        "product": "which item or device",
        "condition": "opened, used, damaged, activated, swollen",
        "amount": "which sum was charged, asked for or seen",
        "still_there": "whether anybody is on the line",
    }
)
"""Question id -> what is asked."""

OFFERS: Mapping[str, str] = MappingProxyType(
    {
        "waitlist": "a place on a list for something earlier",
        "text": "something sent as a text message",
        "human": "a person on this call",
        "booking": "a visit, evaluation or service time",
        "payment": "to pay now, or by a link",
        "callback": "a person later, by phone",
        "financing": "to pay over time",
        "reschedule": "another time for something booked",
        "email": "something sent by e-mail",
        "cancel": "to call off a visit, order or membership",
        "refund": "money back",
        "replacement": "another item, an exchange",
        "repair": "to have it mended",
        "protection_plan": "coverage added to an item",
        "upgrade": "a higher membership",
        "return_label": "a label to send an item back",
    }
)
"""Offer kind -> what is offered."""

STATEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "accepted": "the office takes the plan",
        "booked": "a visit or service time is made",
        "moved": "something booked has another time or place",
        "cancelled": "a visit, order or membership is called off",
        "waitlisted": "the caller is on a list for an earlier place",
        "sent": "a message, paper, parcel or money went out",
        "amount": "a sum is named",
        "free": "it costs nothing",
        "copay": "a copay is due",
        "window": "a span within which something must or will happen",
        "address": "where a place is",
        "saved": "what was told is on file",
        "review": "a person looks at it",
        "results": "test results are in",
        "refill": "a medicine is refilled or asked for",
        "portal": "the portal is on, or the place for it",
        "message_filed": "a message was left for the staff",
        "transferred": "the call is put through",
        "policy": "a rule of the house",
        "greeting": "the call is opened",
        "wait": "a moment is asked for",
        "goodbye": "the call is ended",
        "verified": "identity matched or the record was found",
        "hours": "when a place is open",
        "available": "a time, person or item can be had",
        "arrival": "when a parcel or a technician comes",
        "status": "where an order, claim or matter stands",
        "fee": "a charge applies",
        "covered": "a plan or warranty pays",
        "eligible": "it or the caller qualifies",
        "refunded": "money was given back",
        "deadline": "a last day",
        "conflict": "the check found a conflict of interest",
        "practice": "the firm takes this kind of matter",
        "licensed": "its lawyers may act in that state",
        "held": "a time or an item is kept",
        "confirmed": "a booking or detail is final",
        "callback_promised": "somebody will ring",
        "reported": "a report was filed",
        "enrolled": "the caller is a member",
        "documents": "papers are needed, signed or received",
        "records": "a file or a copy of it",
        "emergency": "ring 911 or go to the emergency room",
    }
)
"""Statement id -> what is said to be so; usable as a `value` condition beside the caller's own facts."""
