"""Lowering of typed statements to flow graphs that are cut at scheduling points."""
