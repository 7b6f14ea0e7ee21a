"""The moves between desks, carried out by the harness and only told to agents here."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from mivas.industries.healthcare.handlers._inputs import Input, NoInput
from mivas.state import advertised


class _Intent(Input):
    next_intent: Annotated[
        Literal["scheduling", "billing", "clinical", "coverage", "cosmetic"],
        Field(description="Desk that the caller's request belongs to once they are verified."),
    ]


transfer_to_identity = advertised(
    "transfer_to_identity",
    """Use when an existing patient's request needs the chart: visits, bills, results, refills, a card on file. Moves
    the call silently to the identity desk, which goes on to the named one. New patients and public questions need no
    chart: use the other transfers or list_locations.""",
    _Intent,
)
transfer_to_scheduling = advertised(
    "transfer_to_scheduling",
    """Use when a visit is to be booked, moved or cancelled, or for the waitlist and allergy services. Moves the call
    silently to the scheduling desk, for good. Plan questions go to transfer_to_coverage first, cosmetic consults to
    transfer_to_cosmetic.""",
    NoInput,
)
transfer_to_coverage = advertised(
    "transfer_to_coverage",
    """Use for plan acceptance, referrals, copay and eligibility, or a new insurance card. Moves the call silently to
    the coverage desk. What the patient owes is transfer_to_billing instead, booking alone transfer_to_scheduling.""",
    NoInput,
)
transfer_to_cosmetic = advertised(
    "transfer_to_cosmetic",
    """Use for cosmetic prices or a cosmetic consult. Moves the call silently to the cosmetic desk, for good. Medical
    visits go to transfer_to_scheduling; whether an office does cosmetic work is answered by list_locations.""",
    NoInput,
)
transfer_to_billing = advertised(
    "transfer_to_billing",
    """Use for a verified patient's balance, charge, payment, financing or fee dispute. Moves the call silently to the
    billing desk. What a plan covers is transfer_to_coverage instead.""",
    NoInput,
)
transfer_to_clinical = advertised(
    "transfer_to_clinical",
    """Use for a verified patient's results, refills, nurse messages, prior authorisations, portal or records. Moves
    the call silently to the clinical desk. A new visit alone is transfer_to_scheduling.""",
    NoInput,
)
