"""Statements that are made outright: plain phrases that mean the same in any sentence which asks nothing.

Beside the hearing model, for what an agent says at the end of every business and a caller waits for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType

_DONE = r"(?:is|are|was|were|has|have|'s|'re|isn't|aren't|hasn't)(?: (?:now|all|already|not|yet|been))*"
_LIST = r"(?:to|on) (?:the|our) wait(?:ing )?list"
_OUTRIGHT: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(pattern)
        for name, pattern in {
            "accepted": rf"\bwe (?:do |don't |do not )?(?:take|accept)\b|{_DONE} accepted\b",
            "booked": rf"\b(?:visit|appointment|evaluation|you) ?{_DONE} (?:booked|scheduled)\b|^booked\b",
            "moved": rf"\b(?:visit|appointment|delivery|it|you) ?{_DONE} (?:moved|rescheduled)\b|^moved\b",
            "cancelled": rf"\b(?:visit|appointment|order|membership|it|that) ?{_DONE} cancell?ed\b|^cancelled\b",
            "waitlisted": rf"\b(?:you're|you are|added you|put you) (?:not |now )?{_LIST}\b",
            "sent": rf"\b{_DONE} (?:sent|on (?:its|the) way|on your phone)\b|\bi(?:'ve| have) (?:just )?sent\b",
            "saved": rf"\b{_DONE} (?:saved|on file)\b|\bi(?:'ve| have) saved\b",
            "refunded": rf"\b{_DONE} refunded\b",
            "refill": rf"\brefill {_DONE} (?:in|requested|sent)\b",
            "message_filed": r"\bi(?:'ve| have) (?:left|filed|sent) (?:a|the|your) message\b|\bmessage is with\b",
            "review": r"\b(?:is|are) under review\b|\b(?:will|to) review\b",
            "held": rf"\b{_DONE} held for you\b",
            "copay": r"\bco-?pay\b",
            "free": r"(?:\bis|'s|\bare|\bbe|\bfor) (?:not )?free(?: of charge)?(?=[.,;!]|$)",
            "fee": r"\b(?:a|the) (?:\w+ )?fee (?:of|is|applies)\b",
            "enrolled": rf"\b{_DONE} enrolled\b",
            "reported": rf"\b{_DONE} reported\b|\breport {_DONE} filed\b",
        }.items()
    }
)
"""Statement id -> how it is said outright, lower case."""
_COSTS = re.compile(r"\b(?:fee|charge|charged|cost|costs|owe|due|pay|balance)\b")
_NOTHING = re.compile(r"\b(?:no|not|nothing|never|without|zero|any)\b|n't\b|^none\b")
_NAMED_FEE = re.compile(r"\b(?:fees?|charges?)\b")
_NOT_FREE = re.compile(r"(?:\bnot|n't) (?:\w+ )?free\b")
_UNDONE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "booking": frozenset({"booked", "confirmed"}),
        "callback": frozenset({"callback_promised", "message_filed"}),
        "cancel": frozenset({"cancelled"}),
        "email": frozenset({"sent"}),
        "refund": frozenset({"refunded"}),
        "reschedule": frozenset({"moved"}),
        "return_label": frozenset({"sent"}),
        "text": frozenset({"sent"}),
        "upgrade": frozenset({"enrolled"}),
        "waitlist": frozenset({"waitlisted"}),
    }
)
"""Offer kind -> statements that its words resemble, which are true only once it was taken."""
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n't\b|^no(?:thing|body)?\b")


def said_outright(sentence: str) -> dict[str, bool]:
    """Statement id -> whether the sentence affirms it.

    >>> said_outright("Your card is saved."), said_outright("Your visit is not booked yet."), said_outright("Saved?")
    ({'saved': True}, {'booked': False}, {})
    """
    spoken = sentence.lower().replace("’", "'").strip()
    affirmed = _DENIED.search(spoken) is None
    return {name: affirmed for name, pattern in _OUTRIGHT.items() if pattern.search(spoken)}


def undone(offers: Collection[str]) -> frozenset[str]:
    """Statements that a sentence which makes these offers doesn't make by the same words.

    >>> sorted(undone({"callback"}))
    ['callback_promised', 'message_filed']
    """
    return frozenset(name for offer in offers for name in _UNDONE.get(offer, ()))


def of_costs(sentence: str) -> dict[str, bool]:
    """`fee` and `free`, which deny each other: whether each holds, by the words for costs.

    >>> of_costs("You owe nothing."), of_costs("It isn't free."), of_costs("There is no fee.")
    ({'free': True}, {'fee': True, 'free': False}, {'free': True, 'fee': False})
    """
    spoken = sentence.lower().replace("’", "'")
    if _NOT_FREE.search(spoken):
        return {"fee": True, "free": False}
    if not _COSTS.search(spoken) or re.search(r"\bfree\b", spoken):
        return {}
    if not _NOTHING.search(spoken):
        return {"fee": True}
    return {"free": True, "fee": False} if _NAMED_FEE.search(spoken) else {"free": True}
