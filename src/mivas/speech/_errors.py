"""What can be wrong with voices and ears."""

from __future__ import annotations

from mivas.errors import InputError


class WeightsMissing(InputError):
    """Weights aren't installed, or aren't those that were measured: no sound is made or heard with them."""
