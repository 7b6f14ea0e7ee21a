"""The firm's catalogue in order: 19 tools the state service answers, 5 that the harness carries out."""

from __future__ import annotations

from mivas.industries.legal.handlers import (
    client_services,
    everywhere,
    handoffs,
    intake,
    reception,
    scheduling,
    screening,
)
from mivas.industries.legal.handlers._refusals import UNEXPECTED
from mivas.state import Toolset

TOOLS = Toolset(
    tools=(
        reception.lookup_caller,
        reception.get_caller_matters,
        reception.take_message,
        screening.check_conflict,
        screening.check_practice_area,
        screening.check_jurisdiction,
        screening.calculate_filing_deadline,
        intake.record_intake,
        intake.add_intake_note,
        intake.send_intake_packet,
        intake.request_records_authorization,
        scheduling.get_attorney,
        scheduling.find_evaluation_slots,
        scheduling.hold_evaluation,
        scheduling.confirm_evaluation,
        scheduling.hold_cancellation,
        scheduling.confirm_cancellation,
        client_services.get_case_status,
        everywhere.escalate_to_human,
        everywhere.end_call,
        handoffs.transfer_to_screening,
        handoffs.transfer_to_client_services,
        handoffs.transfer_to_intake,
        handoffs.transfer_to_scheduling,
    ),
    unexpected=UNEXPECTED,
)
