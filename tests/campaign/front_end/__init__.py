"""Campaigns of the front end: hostile and mistyped texts."""
