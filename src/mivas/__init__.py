"""MIVAS: benchmark and training ground for voice agents that answer real phones."""

__version__ = "0.1.0"
