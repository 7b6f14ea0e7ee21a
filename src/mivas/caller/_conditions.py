"""Conditions of a caller's program as logic: can one ever hold, does one imply another.

A condition becomes the alternatives that meet it, each a set of things heard in one turn. A question or an offer is
heard or not; a value is affirmed or denied, never both.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import TypeAlias

from mivas.pack import HeardFile

Alternative: TypeAlias = frozenset[tuple[str, str, str]]
"""Things heard together: (kind, id, polarity), polarity "" where it has none."""
MOST_ALTERNATIVES = 4_096


def alternatives(condition: HeardFile) -> frozenset[Alternative]:
    """The consistent ways to meet a condition; empty when nothing can. Raises ValueError for one too large to check."""
    return frozenset(one for one in _expanded(condition) if _is_consistent(one))


def implies(first: HeardFile, second: HeardFile) -> bool:
    """Whether a turn that meets the first condition always meets the second."""
    wanted = alternatives(second)
    return all(any(other <= one for other in wanted) for one in alternatives(first))


def _expanded(condition: HeardFile) -> Iterator[Alternative]:
    if condition.question is not None:
        yield frozenset({("question", condition.question, "")})
    elif condition.offer is not None:
        yield frozenset({("offer", condition.offer, "")})
    elif condition.value is not None:
        polarities = ("yes", "no") if condition.polarity in (None, "any") else (condition.polarity,)
        for polarity in polarities:
            yield frozenset({("value", condition.value, str(polarity))})
    elif condition.all is not None:
        ways = [list(alternatives(part)) for part in condition.all]
        if (size := prod(map(len, ways))) > MOST_ALTERNATIVES:
            raise ValueError(f"has {size} alternatives, {MOST_ALTERNATIVES} are the most")
        for chosen in product(*ways):
            yield frozenset().union(*chosen)
    else:
        for part in condition.any or ():
            yield from alternatives(part)


def _is_consistent(heard: Alternative) -> bool:
    return not any((kind, name, "no") in heard for kind, name, polarity in heard if polarity == "yes")
