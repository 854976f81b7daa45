"""Partial-order reduction by persistent sets (Godefroid 1996; Valmari 1990)."""
