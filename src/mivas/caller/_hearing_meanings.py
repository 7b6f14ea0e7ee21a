"""Facts that are read back by meaning, not by words: represented or not, new or known, one's own or not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from mivas.caller._heard import KnownFact
from mivas.caller._spoken_items import Item

_SAYS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "representation": (
            r"\b(?:you have|you've got|there is|there's) (?:a|an) (?:lawyer|attorney)|\brepresented by\b",
            r"\b(?:nobody|no one|no lawyer|no attorney|not|don't|haven't|without)\b.*\b(?:represent|lawyer|attorney)|"
            r"\bnobody represents\b|\bunrepresented\b",
        ),
        "new_or_existing": (
            r"\bnew to us\b|\b(?:a )?new (?:patient|client|customer)\b|\bfirst (?:visit|time)\b|\bnever been\b",
            r"\bexisting (?:patient|client)\b|\bbeen (?:here|with us|to us|seen)\b|\balready (?:a |one of )?\b|"
            r"\bestablished\b|\breturning\b",
        ),
        "relationship": (r"\byour own\b|\bfor yourself\b", r"\bon behalf of\b|\bsomebody else's\b|\bsomeone else's\b"),
    }
)
"""Question id -> wording that means yes, new or self; wording that means the opposite."""
_FIRST = frozenset({"yes", "new", "self"})


def meaning_of(fact: KnownFact, found: Sequence[Item]) -> bool | None:
    """Whether a sentence gives such a fact right; None: it doesn't speak of it."""
    spoken = " ".join(item.value for item in found)
    for question in fact.answers:
        if question in _SAYS:
            means_first, means_other = (re.search(pattern, spoken) is not None for pattern in _SAYS[question])
            if means_other or means_first:
                is_first = means_first and not means_other
                return is_first == (fact.value.strip().lower() in _FIRST)
    return None
