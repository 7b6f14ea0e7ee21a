"""The care line's catalogue in order: 32 tools the state service answers, 7 that the harness carries out."""

from __future__ import annotations

from mivas.industries.customer_support.handlers import (
    everywhere,
    fraud,
    handoffs,
    membership,
    orders,
    price_match,
    public,
    refunds,
    returns,
    service,
    verification,
)
from mivas.industries.customer_support.handlers._refusals import UNEXPECTED
from mivas.state import Toolset

TOOLS = Toolset(
    tools=(
        public.search_kb,
        public.get_store_info,
        public.get_policy,
        public.get_fee,
        verification.identify_customer,
        verification.verify_identity,
        verification.get_customer_summary,
        orders.get_order,
        orders.quote_delivery_change,
        orders.confirm_delivery_change,
        orders.cancel_order,
        price_match.quote_price_match,
        price_match.confirm_price_match,
        returns.check_return_eligibility,
        returns.quote_return,
        returns.confirm_return,
        refunds.create_return_label,
        refunds.get_refund_status,
        service.get_protection_plans,
        service.check_coverage,
        service.book_service_appointment,
        service.get_service_appointment,
        service.cancel_service_appointment,
        membership.get_membership,
        membership.quote_membership_upgrade,
        membership.confirm_membership_upgrade,
        membership.quote_membership_cancellation,
        membership.confirm_membership_cancellation,
        fraud.check_subscription_charge,
        fraud.check_outbound_contact,
        fraud.report_scam_contact,
        everywhere.escalate_to_human,
        everywhere.end_call,
        handoffs.transfer_to_verification,
        handoffs.transfer_to_fraud,
        handoffs.transfer_to_orders,
        handoffs.transfer_to_returns,
        handoffs.transfer_to_service,
        handoffs.transfer_to_membership,
    ),
    unexpected=UNEXPECTED,
)
