"""The moves between desks, carried out by the harness and only told to agents here."""

from __future__ import annotations

from mivas.industries.customer_support.handlers._inputs import NoInput
from mivas.state import advertised

transfer_to_verification = advertised(
    "transfer_to_verification",
    """Use when the caller wants anything from an own order, refund, repair or membership. Moves the call silently to
    the identity check. A suspicious message or charge goes to transfer_to_fraud instead, unverified.""",
    NoInput,
)
transfer_to_fraud = advertised(
    "transfer_to_fraud",
    """Use when the caller tells of a charge, message or call that may be a scam, before any look-up. Moves the call
    silently to the fraud desk. A real question about an own account is transfer_to_verification.""",
    NoInput,
)
transfer_to_orders = advertised(
    "transfer_to_orders",
    """Use for a verified caller's order status, delivery change, cancellation or price match. Moves the call silently
    to the orders desk. Sending something back is transfer_to_returns.""",
    NoInput,
)
transfer_to_returns = advertised(
    "transfer_to_returns",
    """Use when a verified caller wants to send something back, needs a label or asks where a refund is. Moves the call
    silently to the returns desk. Repairs are transfer_to_service, unshipped orders transfer_to_orders.""",
    NoInput,
)
transfer_to_service = advertised(
    "transfer_to_service",
    """Use when a verified caller's product is broken, or they ask for coverage, a plan or a TechCrew visit. Moves the
    call silently to the service desk. Sending it back is transfer_to_returns.""",
    NoInput,
)
transfer_to_membership = advertised(
    "transfer_to_membership",
    """Use for a verified caller's Plus or Total membership: what it is, moving up, cancelling. Moves the call silently
    to the membership desk. Using a benefit, such as a repair, is transfer_to_service.""",
    NoInput,
)
