"""Campaigns of pages in a browser."""
