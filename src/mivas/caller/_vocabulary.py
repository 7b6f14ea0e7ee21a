"""The closed list of what a caller can hear: questions, offers and statements, with the words that give them away.

Never a tool name, an argument name or an id: a caller decides by what it heard (formats.md 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

QUESTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "name": ("name",),
        "date_of_birth": ("date of birth", "birth date", "birthday", "when were you born"),
        "phone": ("phone number", "mobile number", "cell number", "mobile", "number to reach", "best number"),
        "callback": ("call you back", "callback number", "number for the callback"),
        "carrier": ("insurance", "carrier", "which plan", "what plan"),
        "member_id": ("member id", "member number", "id on the card", "id on your card"),
        "zip": ("zip", "postal code", "post code"),
        "email": ("email", "e-mail"),
        "channel": ("by text or", "by email or", "text or email", "email or text"),
        "order_number": ("order number",),
        "card_last4": ("last four", "last 4"),
        "office": ("which office", "what office", "which location", "what location", "which of our offices"),
        "provider": ("which doctor", "which provider", "which of our doctors", "particular doctor"),
        "service": ("which service", "what service", "which treatment", "what treatment"),
        "medication": ("medication", "which medicine", "what medicine", "prescription"),
        "reason": ("what brings you", "reason for", "what is the visit for", "what's the visit for", "how can i help"),
        "new_or_existing": ("new patient", "new to", "been with us", "seen us before", "existing patient"),
        "which_time": ("which time", "what time", "which day", "what day", "which of these", "which one works"),
        "date": ("which date", "what date", "from when", "how late"),
        "read_back": ("is that right", "is that correct", "did i get that right", "have i got that right"),
        "consent": (
            "do you agree",
            "do you accept",
            "is that okay",
            "is that all right",
            "shall i go ahead",
            "go ahead",
        ),
        "anything_else": ("anything else", "something else i can"),
        "opposing_party": ("other side", "opposing party", "other party"),
        "practice_area": ("kind of case", "kind of matter", "what happened"),
        "state": ("which state", "what state"),
        "incident_date": ("when did it happen", "when did this happen", "date of the incident"),
        "matter": ("matter number", "case number"),
        "representation": ("have a lawyer", "have an attorney", "represented by"),
        "relationship": ("your own account", "on behalf of", "your relationship"),
        "product": ("which item", "which device", "which product", "what product"),
        "condition": ("opened", "damaged", "still sealed"),
        "amount": ("how much were you", "what amount", "which amount"),
        "still_there": ("are you there", "still there", "still with me"),
    }
)
"""Question id -> phrases, lower case; one of them in a question asks it."""

OFFERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "waitlist": ("waitlist", "waiting list", "wait list"),
        "text": ("confirmation text", "text you", "send you a text", "text message"),
        "human": ("real person", "a person", "a human", "a colleague", "front desk", "someone else"),
        "booking": ("book", "schedule", "appointment"),
        "payment": ("payment link", "pay now", "deposit link"),
        "callback": ("call you back", "callback"),
        "financing": ("financing", "installments", "pay over time"),
        "reschedule": ("move it", "move the visit", "another time", "different time"),
        "email": ("email you", "send you an email", "e-mail you"),
        "cancel": ("cancel it", "cancel the"),
        "refund": ("refund",),
        "replacement": ("replacement", "exchange"),
        "repair": ("repair",),
        "protection_plan": ("protection plan", "coverage for"),
        "upgrade": ("upgrade",),
        "return_label": ("return label", "prepaid label"),
    }
)
"""Offer kind -> phrases; one of them in an offering sentence makes the offer."""

STATEMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "accepted": ("we take", "we accept", "is accepted", "is taken"),
        "booked": ("is booked", "you are booked", "you're booked", "have you down", "on the calendar"),
        "moved": ("is moved", "has been moved", "moved your", "is now on"),
        "cancelled": ("is cancelled", "has been cancelled", "cancelled your"),
        "waitlisted": ("on the waitlist", "on the waiting list"),
        "sent": ("i sent", "has been sent", "is on its way", "i have sent", "i've sent"),
        "amount": ("dollars", "dollar", "cents"),
        "free": ("free", "costs nothing", "no charge"),
        "copay": ("copay", "co-pay"),
        "window": ("hours before", "hours' notice", "hour notice", "days before", "days ahead"),
        "address": ("street", "floor", "suite"),
        "saved": ("is saved", "saved your", "now on file"),
        "review": ("will review", "opened a review", "review is open"),
        "results": ("results are back", "results have come back"),
        "refill": ("refill", "refilled"),
        "portal": ("portal",),
        "message_filed": ("message is with", "i filed a message", "sent a message to the clinical"),
        "transferred": ("transferring you", "transferred to"),
        "policy": ("policy", "by voice", "over the phone"),
        "greeting": ("thank you for calling", "you have reached"),
        "wait": ("one moment", "bear with me", "let me check", "let me look"),
        "goodbye": ("goodbye", "bye now", "have a good day"),
        "verified": ("you are verified", "found your record", "found your account"),
        "hours": ("we are open", "opening hours"),
        "available": ("available", "in stock", "is open"),
        "arrival": ("will arrive", "be delivered", "delivery date"),
        "status": ("status", "stands at"),
        "fee": ("fee",),
        "covered": ("is covered", "covers it", "cover it"),
        "eligible": ("eligible", "qualifies", "can be returned"),
        "refunded": ("is refunded", "have refunded", "refund is on"),
        "deadline": ("deadline", "statute of limitations", "last day"),
        "conflict": ("conflict",),
        "practice": ("we handle", "we take on"),
        "licensed": ("licensed in", "practice in"),
        "held": ("held for you", "holding that"),
        "confirmed": ("is confirmed", "confirmed for"),
        "callback_promised": ("will call you", "will ring you"),
        "reported": ("reported", "report is filed"),
        "enrolled": ("enrolled", "membership is active"),
        "documents": ("documents", "paperwork"),
        "records": ("records",),
        "emergency": ("911", "nine one one", "emergency room"),
    }
)
"""Statement id -> phrases; usable as a `value` condition beside the caller's own facts."""
