"""Campaigns of reductions and slices: the same verdicts as without."""
