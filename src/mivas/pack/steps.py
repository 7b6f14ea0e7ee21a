"""The steps of a `solution.json`, by kind (formats.md 2)."""

from mivas.pack._files import CallStep, EndStep, Expectation, HandoffStep, HearStep, SayStep, Step

__all__ = ["CallStep", "EndStep", "Expectation", "HandoffStep", "HearStep", "SayStep", "Step"]
