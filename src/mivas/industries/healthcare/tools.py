"""The practice's catalogue in order: 28 tools the state service answers, 7 that the harness carries out."""

from __future__ import annotations

from mivas.industries.healthcare.handlers import (
    allergy,
    billing,
    clinical,
    cosmetic,
    coverage,
    everywhere,
    handoffs,
    identity,
    offices,
    scheduling,
)
from mivas.industries.healthcare.handlers._refusals import UNEXPECTED
from mivas.state import Toolset

TOOLS = Toolset(
    tools=(
        everywhere.create_callback_task,
        everywhere.transfer_to_human,
        everywhere.end_call,
        offices.list_locations,
        identity.identify_patient,
        identity.verify_identity,
        identity.get_patient_summary,
        scheduling.classify_visit_request,
        scheduling.find_slots,
        scheduling.book_appointment,
        scheduling.reschedule_appointment,
        scheduling.cancel_appointment,
        scheduling.join_waitlist,
        allergy.schedule_allergy_service,
        scheduling.send_sms,
        coverage.check_plan_accepted,
        coverage.run_eligibility_check,
        coverage.capture_insurance_update,
        cosmetic.quote_cosmetic_service,
        cosmetic.book_cosmetic_consult,
        billing.get_account_balance,
        billing.explain_charge,
        billing.send_payment_link,
        billing.offer_financing,
        billing.request_fee_waiver,
        clinical.get_results_status,
        clinical.request_rx_refill,
        clinical.create_clinical_message,
        clinical.send_portal_activation,
        handoffs.transfer_to_identity,
        handoffs.transfer_to_scheduling,
        handoffs.transfer_to_coverage,
        handoffs.transfer_to_cosmetic,
        handoffs.transfer_to_billing,
        handoffs.transfer_to_clinical,
    ),
    unexpected=UNEXPECTED,
)
