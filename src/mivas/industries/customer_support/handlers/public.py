"""Public desk: stores, published policy, fees and the brands. Needs no account and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._arguments import text, words
from mivas.state import Arguments, Call, Refusal, tool

NO_SUCH_POLICY = Refusal(
    "NO_SUCH_POLICY", "I have no published policy under that name. Could you put it in other words?"
)
NO_SUCH_FEE = Refusal("NO_SUCH_FEE", "I have no published fee under that name. Could you put it in other words?")

_SHORT = 2
"""Words are searched for when they are longer."""
_PLUS, _TOTAL = "membership_plus", "membership_total"
FEE_ALIASES: Mapping[str, tuple[str, ...]] = {
    "restocking_activatable": ("restocking", "restock", "restocking fee", "phone restocking"),
    "restocking_percent": ("drone restocking", "15 percent", "fifteen percent"),
    _PLUS: ("plus", "kestrel plus", "membership"),
    _TOTAL: ("total", "kestrel total"),
    "haul_away_with_delivery": ("haul away", "hauling", "take my old one", "old appliance"),
    "delivery_change_late": ("reschedule", "change my delivery", "delivery change"),
    "appliance_install": ("install", "installation"),
    "waterline_install": ("waterline", "water line", "ice maker line"),
    "techcrew_bench_diagnostic": ("diagnostic", "look at it", "bench"),
    "techcrew_in_home_visit": ("in home", "house call"),
    "protect_deductible_mobile": ("deductible",),
    "return_shipping": ("return shipping", "shipping label"),
    "recycling_dropoff": ("recycling", "recycle"),
}
"""What callers call a fee. A fee without an entry is found by its code or label only."""
_CODES = {alias: code for code, aliases in FEE_ALIASES.items() for alias in aliases}


class _Question(TypedDict):
    query: Annotated[str, Field(description="What the caller wants to know, in a few words.")]


class _Store(TypedDict):
    store: Annotated[str, Field(description="Name or town of the store.")]


class _Topic(TypedDict):
    topic: Annotated[
        str,
        Field(
            description="What the policy is about: returns, restocking, price match, membership, delivery and install, "
            "open box, marketplace or recycling."
        ),
    ]


class _Fee(TypedDict):
    fee: Annotated[str, Field(description="Which fee or price, in the caller's words.")]


@tool(_Question)
def search_kb(call: Call, arguments: Arguments) -> Outcome:
    """Look up general facts about Kestrel: its brands, TechCrew, warranty and plans, scams, recalls, how to return
    something. Use it before you say that you do not know. Published rules are in get_policy, prices in get_fee, a
    store's hours in get_store_info, and a caller's own order in get_order."""
    query = text(arguments.get("query")).lower()
    topics = list(call.rows("SELECT * FROM kb ORDER BY topic"))
    wanted = [query, *words(query, _SHORT)] if query else []
    found = [row for row in topics if _holds_any(wanted, row["topic"], row["keywords"], row["answer"])]
    results = [{"topic": row["topic"], "answer": row["answer"]} for row in found or topics]
    relaxed = {} if found else {"relaxed_filter": "Nothing fits the question, so every topic is listed."}
    return {"results": results, "count": len(results)} | relaxed


def _holds_any(wanted: list[str], *texts: str) -> bool:
    about = " ".join(texts).lower()
    return any(word in about for word in wanted)


@tool(_Store)
def get_store_info(call: Call, arguments: Arguments) -> Outcome:
    """Find one store's address, hours and departments when the caller names a store or a town. Without a match it
    returns all six. For what Kestrel's brands are use search_kb."""
    said = text(arguments.get("store")).lower()
    stores = list(call.rows("SELECT * FROM stores ORDER BY id"))
    match = next((row for row in stores if said and _is_store(row, said)), None)
    if match is not None:
        return {"stores": [match], "count": 1}
    relaxed = "No store of that name, so all of them are listed."
    return {"stores": stores, "count": len(stores), "relaxed_filter": relaxed}


def _is_store(row: dict[str, Any], said: str) -> bool:
    about = f"{row['id']} {row['name']} {row['address']}".lower()
    return said in about or row["name"].split()[0].lower() in said


@tool(_Topic)
def get_policy(call: Call, arguments: Arguments) -> Outcome:
    """Read a published policy before you state it: returns, restocking, price match, membership, delivery and
    install, open box, Marketplace, recycling. For one amount use get_fee; how a rule applies to an order is answered
    by that desk's own tools, such as check_return_eligibility."""
    topic = text(arguments.get("topic")).lower()
    rows = list(call.rows("SELECT * FROM policies ORDER BY topic"))
    wanted = [topic, *words(topic, _SHORT)] if topic else []
    exact = [row for row in rows if row["topic"] == topic.replace(" ", "_")]
    found = exact or [row for row in rows if _holds_any(wanted, row["topic"], row["keywords"], row["title"])]
    return {"policies": found, "count": len(found)} if found else NO_SUCH_POLICY


@tool(_Fee)
def get_fee(call: Call, arguments: Arguments) -> Outcome:
    """Read one published fee or price with its conditions before you name it: restocking, memberships, haul-away,
    delivery changes, installation, TechCrew visits, deductible, labels, recycling. The whole rule behind it is in
    get_policy. What a caller pays for an own order comes from that order's quote, such as quote_return."""
    asked = text(arguments.get("fee")).lower().rstrip("s")
    if not asked:
        return NO_SUCH_FEE
    wanted = _fee_code(asked) or asked
    rows = list(call.rows("SELECT * FROM fees ORDER BY code"))
    exact = [row for row in rows if row["code"] == wanted.replace(" ", "_")]
    found = exact or [row for row in rows if _fee_mentions(row, wanted)]
    return {"fees": found, "count": len(found)} if found else NO_SUCH_FEE


def _fee_code(asked: str) -> str | None:
    """The fee that a name stands for, or the one whose longest name occurs in the text; None when none does."""
    for spelling in (asked, f"{asked} fee", f"{asked}s"):
        if spelling in _CODES:
            return _CODES[spelling]
    inside = sorted((alias for alias in _CODES if alias in asked), key=len)
    codes = {_CODES[alias] for alias in inside}
    if {_PLUS, _TOTAL} <= codes:
        return _TOTAL  # the two names share words, and only the dearer one is ever named in full
    return _CODES[inside[-1]] if inside else None


def _fee_mentions(row: dict[str, Any], wanted: str) -> bool:
    about = f"{row['code'].replace('_', ' ')} {row['label']}".lower()
    longer = words(wanted, _SHORT)
    return wanted in about or (bool(longer) and all(word in about for word in longer))
