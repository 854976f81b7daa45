"""Campaigns of the playground."""
