"""The moves between desks, carried out by the harness and only told to agents here."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from mivas.state import advertised


class _CallerSummary(TypedDict):
    handoff_summary: Annotated[str, Field(description="One sentence: who is calling and what about.")]


class _MatterSummary(TypedDict):
    contact_details_only: Annotated[bool, Field(description="True only after an unclear conflict check.")]
    handoff_summary: Annotated[str, Field(description="One sentence: who is calling and what the checks said.")]


class _IntakeSummary(TypedDict):
    handoff_summary: Annotated[str, Field(description="One sentence: kind of case and state as recorded.")]


transfer_to_screening = advertised(
    "transfer_to_screening",
    """Use for every new matter and every question about kinds of case, once lookup_caller succeeded and no lawyer acts
    for the caller. Moves the call silently to the checks, for good. A client asking about their own matter goes to
    transfer_to_client_services.""",
    _CallerSummary,
)
transfer_to_client_services = advertised(
    "transfer_to_client_services",
    """Use when lookup_caller found a client who asks about their own matter with the firm. Moves the call silently, for
    good. A new matter goes to transfer_to_screening, and word for somebody alone is take_message.""",
    _CallerSummary,
)
transfer_to_intake = advertised(
    "transfer_to_intake",
    """Use when every check has passed, or right after check_conflict answered unclear, then with contact details only.
    Moves the call silently to taking down the matter, for good. A check that failed goes to escalate_to_human.""",
    _MatterSummary,
)
transfer_to_scheduling = advertised(
    "transfer_to_scheduling",
    """Use when record_intake is done and the caller wants the evaluation. Moves the call silently to fees and times,
    for good. A caller who wants no evaluation ends with send_intake_packet and a goodbye.""",
    _IntakeSummary,
)
