"""Reductions that keep the verdict: the registry and chains of single successors."""
