"""Slicing for a claim (Weiser 1984; Hatcliff, Dwyer and Zheng 2000)."""
