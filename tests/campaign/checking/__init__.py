"""Campaigns of the checker: against naive explorers and slow judges."""
