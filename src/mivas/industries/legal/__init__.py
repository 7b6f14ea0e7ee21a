"""Halverson & Reed: a claimant-side law firm with five desks behind one voice."""
