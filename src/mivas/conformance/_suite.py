"""What `mivas conformance` runs: the suite, with the provider of the command line."""

from mivas.conformance import Conformance


class TestConformance(Conformance):
    """The fixture `provider` is the command's."""
