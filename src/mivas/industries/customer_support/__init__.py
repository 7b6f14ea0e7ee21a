"""Kestrel Electronics: a retailer's care line as a pack."""
