"""Numbers of returns and labels: the same for the same thing in every call, so that a lock can name them."""

from __future__ import annotations

from hashlib import sha256

_FIRST_RMA, _RMAS = 7791000, 8999
_FIRST_LABEL, _LABELS = 100000, 900000


def return_number(order_number: str, sku: str) -> str:
    """RMA number of an item's return.

    >>> return_number("KE-4471209", "SKU-APP-2210")
    'RMA-7796591'
    """
    return f"RMA-{_FIRST_RMA + _stable_number(order_number + sku) % _RMAS}"


def label_number(rma_number: str) -> str:
    """Id of a return's label.

    >>> label_number("RMA-7796591")
    'KL-249579'
    """
    return f"KL-{_FIRST_LABEL + _stable_number(rma_number) % _LABELS}"


def _stable_number(key: str) -> int:
    return int(sha256(key.encode()).hexdigest(), 16)
