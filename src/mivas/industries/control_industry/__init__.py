"""Qualification fixture: a repair service with one tool. Never scored."""
