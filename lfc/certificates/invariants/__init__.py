"""Certificates of invariants over sets of values: made by the search with ranges, validated step by step."""
