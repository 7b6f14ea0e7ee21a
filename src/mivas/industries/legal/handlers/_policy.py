"""The firm's rules that aren't rows of a table: tokens, limits, and the closed lists agents choose from."""

from __future__ import annotations

from typing import Literal, TypeAlias

PracticeArea: TypeAlias = Literal[
    "auto_accident",
    "premises_liability",
    "medical_malpractice",
    "employment",
    "workers_comp",
    "product_liability",
    "consumer",
    "criminal",
    "family",
    "immigration",
    "bankruptcy",
    "patent",
]
ReasonCode: TypeAlias = Literal[
    "identity_failed",
    "conflict",
    "conflict_review",
    "represented_party",
    "adverse_party",
    "practice_area",
    "jurisdiction",
    "deadline_review",
    "legal_advice_requested",
    "caller_request",
    "out_of_scope",
]
PacketChannel: TypeAlias = Literal["email", "sms"]
CancellationReason: TypeAlias = Literal["caller_request", "scheduling_conflict", "no_longer_needed", "referred_out"]

# Who is calling

NEW_CALLER_ID = "c_new"
"""The id of everybody who has no record yet: a call has room for one of them."""
LEAST_NAME_LETTERS = 3
LEAST_PHONE_DIGITS = 10
TAIL_DIGITS = 4
"""Last digits of a number that identify a caller whose name fits."""
SHORT_NAME_LETTERS = 5
"""Up to here a stored name tolerates one slip, beyond it two."""


def name_slips(letters: int) -> int:
    """Edits tolerated in a word of a stored name.

    >>> name_slips(5), name_slips(6)
    (1, 2)
    """
    return 1 if letters <= SHORT_NAME_LETTERS else 2


# Filing deadlines

DAYS_A_YEAR = 365.25
URGENT_DAYS = 90
"""Up to so many days left, that number included, a deadline is urgent."""
DeadlineStatus: TypeAlias = Literal["expired", "urgent", "ok"]


def deadline_status(days_remaining: int) -> DeadlineStatus:
    """What a number of days left means.

    >>> deadline_status(-1), deadline_status(0), deadline_status(90), deadline_status(91)
    ('expired', 'urgent', 'urgent', 'ok')
    """
    if days_remaining < 0:
        return "expired"
    return "urgent" if days_remaining <= URGENT_DAYS else "ok"


# Holding and confirming

EVALUATION, CANCELLATION = "evaluation", "cancellation"
TOKENS = {EVALUATION: "HR-EVAL-3092", CANCELLATION: "HR-CANC-7715"}
BOOKED, CANCELLED = "booked", "cancelled"
OPEN, HELD = "open", "held"
CONTINGENCY = "contingency"
CANCELLATION_FEE = 0

# Paper

INTAKE_PACKET, RECORDS_AUTHORIZATION = "intake_packet", "records_authorization"
CALLBACK_PROMISE = "They will call back before the next business day closes."
