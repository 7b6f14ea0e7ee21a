"""Straus Dermatology: a skin and allergy practice with seven desks behind one voice."""
