"""Two steps: a quote holds what was offered under a token, a confirmation spends it as it was quoted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from mivas.industries.customer_support.handlers._arguments import text
from mivas.industries.customer_support.handlers._records import Customer
from mivas.state import Arguments, Call, Refusal

HoldKind: TypeAlias = Literal["return", "price_match", "delivery_change", "upgrade", "cancel"]

TOKENS: Mapping[HoldKind, str] = {
    "return": "KE-RTN-4417",
    "price_match": "KE-PM-2286",
    "delivery_change": "KE-DLV-3390",
    "upgrade": "KE-UPG-5512",
    "cancel": "KE-CXL-7708",
}
"""One token for each kind, the same in every call."""

TOKEN_NOT_HELD = Refusal("TOKEN_NOT_HELD", "I have no open quote for that yet. Let me work it out first.")
TOKEN_WRONG_KIND = Refusal("TOKEN_WRONG_KIND", "That quote was for something else. Let me work this one out first.")
TOKEN_ALREADY_USED = Refusal(
    "TOKEN_ALREADY_USED", "That one has gone through already. There is nothing more to confirm."
)
TOKEN_CUSTOMER_MISMATCH = Refusal(
    "TOKEN_CUSTOMER_MISMATCH", "That quote was made for another account. Let me work it out again for yours."
)


def hold(call: Call, customer: Customer, kind: HoldKind, payload: Mapping[str, object], summary: str) -> str:
    """Keep a quote under its kind's token, in place of any earlier one. Returns the token."""
    token = TOKENS[kind]
    call.execute("DELETE FROM holds WHERE token = ?", token)
    row = {
        "token": token,
        "kind": kind,
        "customer_id": customer.id,
        "payload": json.dumps(payload),
        "summary": summary,
        "consumed": 0,
    }
    call.insert("holds", row)
    return token


def open_payload(call: Call, kind: HoldKind) -> dict[str, Any] | None:
    """What the unspent quote of that kind says, whoever it was made for; None when there is none."""
    row = call.one("SELECT payload FROM holds WHERE token = ? AND consumed = 0", TOKENS[kind])
    return None if row is None else dict(json.loads(row["payload"]))


def spend(call: Call, customer: Customer, kind: HoldKind, arguments: Arguments) -> dict[str, Any] | Refusal:
    """Use up the quote that `confirmation_token` names and return what it holds, exactly as it was quoted."""
    token = text(arguments.get("confirmation_token")).upper()
    row = call.one("SELECT * FROM holds WHERE token = ?", token)
    if row is None:
        return TOKEN_NOT_HELD
    if row["kind"] != kind:
        return TOKEN_WRONG_KIND
    if row["consumed"]:
        return TOKEN_ALREADY_USED
    if row["customer_id"] != customer.id:
        return TOKEN_CUSTOMER_MISMATCH
    call.execute("UPDATE holds SET consumed = 1 WHERE token = ?", token)
    return dict(json.loads(row["payload"]))
