"""The practice's rules as data: fees, windows, prices, visit types, routes, deadlines. Money is integer US cents.

Each figure stands here once; what is said about it is derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

from mivas.industries._shared.speech import count, dollars, in_words

IDENTITY_ATTEMPTS = 3
"""Failed attempts after which a call can't be verified any more."""


# Cancelling


@dataclass(frozen=True, slots=True, kw_only=True)
class CancellationRule:
    """Cancelling closer to the visit than the window costs the fee."""

    window_hours: int
    fee_cents: int

    @property
    def window(self) -> timedelta:
        return timedelta(hours=self.window_hours)


MEDICAL_CANCELLATION = CancellationRule(window_hours=24, fee_cents=5000)
COSMETIC_CANCELLATION = CancellationRule(window_hours=72, fee_cents=12500)
_COSMETIC_PREFIX = "COS"


def cancellation_rule(appointment_type_code: str) -> CancellationRule:
    """The rule for a visit of that type."""
    return COSMETIC_CANCELLATION if appointment_type_code.startswith(_COSMETIC_PREFIX) else MEDICAL_CANCELLATION


# Visits

VisitClass: TypeAlias = Literal["mohs", "allergy", "medical"]
VISIT_CLASSES: tuple[VisitClass, ...] = ("mohs", "allergy", "medical")
Urgency: TypeAlias = Literal["routine", "urgent"]
URGENCIES: tuple[Urgency, ...] = ("routine", "urgent")
VisitTypeCode: TypeAlias = Literal["NP_MED", "MED_FOLLOWUP", "MOHS_CONSULT", "ALLERGY_EVAL"]
COSMETIC_CONSULT = "COS_CONSULT"


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitType:
    """A kind of medical visit. Credential and duration are advice; no booking enforces them."""

    label: str
    required_credential: Literal["MD", "MD_OR_PA"]
    duration_min: int
    urgency: Urgency
    constraints: tuple[str, ...] = ()


VISIT_TYPES: Mapping[VisitTypeCode, VisitType] = {
    "NP_MED": VisitType(
        label="First medical visit", required_credential="MD_OR_PA", duration_min=30, urgency="routine"
    ),
    "MED_FOLLOWUP": VisitType(
        label="Medical follow-up", required_credential="MD_OR_PA", duration_min=20, urgency="routine"
    ),
    "MOHS_CONSULT": VisitType(
        label="Mohs surgery consult",
        required_credential="MD",
        duration_min=45,
        urgency="urgent",
        constraints=("Book with an MD only, never with a PA.",),
    ),
    "ALLERGY_EVAL": VisitType(
        label="Allergy evaluation",
        required_credential="MD",
        duration_min=40,
        urgency="routine",
        constraints=("Allergy services come with preparation the patient has to know about.",),
    ),
}


def visit_type_code(visit_class: VisitClass, *, is_new_patient: bool) -> VisitTypeCode:
    """The type a request is booked as."""
    if visit_class == "mohs":
        return "MOHS_CONSULT"
    if visit_class == "allergy":
        return "ALLERGY_EVAL"
    return "NP_MED" if is_new_patient else "MED_FOLLOWUP"


# Allergy services

AllergyServiceName: TypeAlias = Literal[
    "skin_testing",
    "patch_testing",
    "food_challenge",
    "allergy_shot",
    "drops_pickup",
    "asthma_eval",
    "immunotherapy_buildup",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AllergyService:
    """What a service asks of the patient beyond the opening itself."""

    observation_min: int = 0
    prep: str = ""
    return_visits: tuple[str, ...] = ()


ALLERGY_SERVICES: Mapping[AllergyServiceName, AllergyService] = {
    "skin_testing": AllergyService(prep="Please stop taking antihistamines seven days before the test."),
    "patch_testing": AllergyService(
        prep="Keep your back dry, and put no topical steroid on it for a week beforehand.",
        return_visits=("Reading after forty-eight hours", "Reading after ninety-six hours"),
    ),
    "food_challenge": AllergyService(
        observation_min=240, prep="Come fasting, and set aside about four hours for the visit."
    ),
    "allergy_shot": AllergyService(observation_min=30),
    "drops_pickup": AllergyService(),
    "asthma_eval": AllergyService(prep="If it is safe for you, hold your rescue inhaler for six hours beforehand."),
    "immunotherapy_buildup": AllergyService(observation_min=30, return_visits=("Weekly build-up visits",)),
}


def allergy_type_code(service: AllergyServiceName) -> str:
    """The appointment type a service is booked as."""
    return f"ALLERGY_{service.upper()}"


# Plans

ACCEPTED_CARRIERS = frozenset({"aetna", "unitedhealthcare", "cigna", "bcbs", "medicare"})
REFUSED_CARRIERS = frozenset({"medicaid"})
UNNAMED_CARRIER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Benefits:
    """What the payer answers for every plan it knows."""

    copay_cents: int
    deductible_remaining_cents: int
    coinsurance_pct: int


BENEFITS = Benefits(copay_cents=3000, deductible_remaining_cents=25000, coinsurance_pct=20)


# Money

LineItemId: TypeAlias = Literal["li_noshow", "li_visit"]
WAIVABLE_LINE_ITEM: LineItemId = "li_noshow"
FINANCING_PROVIDER = "CareCredit"
FINANCING_MINIMUM_CENTS = 25000
"""Smallest amount that can be financed."""
FEE_REVIEW_BUSINESS_DAYS = 2


# Cosmetic work

CosmeticServiceName: TypeAlias = Literal["botox", "filler", "chemical_peel", "microneedling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRange:
    """From the simplest to the fullest treatment."""

    low_cents: int
    high_cents: int


COSMETIC_PRICES: Mapping[CosmeticServiceName, PriceRange] = {
    "botox": PriceRange(low_cents=30000, high_cents=60000),
    "filler": PriceRange(low_cents=60000, high_cents=120000),
    "chemical_peel": PriceRange(low_cents=20000, high_cents=40000),
    "microneedling": PriceRange(low_cents=35000, high_cents=70000),
}
COSMETIC_DEPOSIT_CENTS = 12500

_deposit = dollars(COSMETIC_DEPOSIT_CENTS)
_cosmetic_window = count(COSMETIC_CANCELLATION.window_hours, "hour")
COSMETIC_POLICY_LINES = (
    f"A deposit of {_deposit} holds your consult.",
    f"You can move it or cancel it free of charge until {_cosmetic_window} before.",
    f"Within {_cosmetic_window} of the consult, the deposit is lost.",
    "Whatever remains for your treatment is due at the visit.",
)


# Refills

MedicationName: TypeAlias = Literal[
    "triamcinolone",
    "isotretinoin",
    "accutane",
    "dupixent",
    "humira",
    "skyrizi",
    "xanax",
    "tramadol",
    "adderall",
    "oxycodone",
    "codeine",
]
RefillRouteName: TypeAlias = Literal[
    "routed_to_provider", "isotretinoin_program", "controlled_substance", "biologic_coordinator"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefillRoute:
    """Where a refill request goes; none is ever approved on the phone."""

    hard_stop: bool
    note: str
    is_commitment: bool = False
    """Whether the note has to be spoken word for word."""


REFILL_ROUTES: Mapping[RefillRouteName, RefillRoute] = {
    "routed_to_provider": RefillRoute(
        hard_stop=False, note="Your request is with the clinical team now. That is not an approval yet."
    ),
    "isotretinoin_program": RefillRoute(
        hard_stop=True, note="This one needs its monthly program visit first. I can book that visit for you."
    ),
    "controlled_substance": RefillRoute(
        hard_stop=True,
        note="This medication is never refilled over the phone. Your prescriber has to see you for it.",
        is_commitment=True,
    ),
    "biologic_coordinator": RefillRoute(
        hard_stop=True, note="Our biologic coordinator looks after this one and will call you back."
    ),
}
FORMULARY: Mapping[MedicationName, RefillRouteName] = {
    "triamcinolone": "routed_to_provider",
    "isotretinoin": "isotretinoin_program",
    "accutane": "isotretinoin_program",
    "dupixent": "biologic_coordinator",
    "humira": "biologic_coordinator",
    "skyrizi": "biologic_coordinator",
    "xanax": "controlled_substance",
    "tramadol": "controlled_substance",
    "adderall": "controlled_substance",
    "oxycodone": "controlled_substance",
    "codeine": "controlled_substance",
}


# Deadlines

Priority: TypeAlias = Literal["stat", "urgent", "routine"]
ROUTINE: Priority = "routine"
CALLBACK_SLA_HOURS: Mapping[Priority, int] = {"stat": 1, "urgent": 4, "routine": 24}
CALLBACK_WINDOWS: Mapping[Priority, str] = {
    "stat": f"within {count(CALLBACK_SLA_HOURS['stat'], 'hour')}",
    "urgent": f"within {count(CALLBACK_SLA_HOURS['urgent'], 'hour')}",
    "routine": "by the end of the next business day",
}
"""When the clinical team answers a message."""
PORTAL_LINK_HOURS = 72


# Desks and channels

PortalChannel: TypeAlias = Literal["sms", "email"]
PORTAL_CHANNELS: tuple[PortalChannel, ...] = ("sms", "email")
SmsTemplate: TypeAlias = Literal["appointment_confirmation"]
SMS_TEMPLATES: tuple[SmsTemplate, ...] = ("appointment_confirmation",)
CallbackQueue: TypeAlias = Literal["billing", "clinical", "front_desk", "cosmetic", "records"]
CALLBACK_QUEUES: tuple[CallbackQueue, ...] = ("billing", "clinical", "front_desk", "cosmetic", "records")
TransferDestination: TypeAlias = Literal[
    "patient_support_center",
    "billing_team",
    "location_front_desk",
    "cosmetic_coordinator",
    "clinical_triage",
    "records",
    "on_call",
]
TRANSFER_DESTINATIONS: tuple[TransferDestination, ...] = (
    "patient_support_center",
    "billing_team",
    "location_front_desk",
    "cosmetic_coordinator",
    "clinical_triage",
    "records",
    "on_call",
)


# Billing texts

CHARGE_SCRIPTS: Mapping[LineItemId, str] = {
    "li_noshow": (
        f"That is the {dollars(MEDICAL_CANCELLATION.fee_cents)} missed visit fee. It applies when a visit is cancelled "
        f"inside the {in_words(MEDICAL_CANCELLATION.window_hours)} hour notice window. "
        "If it looks wrong to you, I can open a billing review."
    ),
    "li_visit": (
        "That is the part of your visit that your insurance left to your deductible or copay "
        "once the claim was processed."
    ),
}
LINE_ITEM_LABELS: Mapping[LineItemId, str] = {
    "li_noshow": "Missed visit fee",
    "li_visit": "Visit balance after insurance",
}
