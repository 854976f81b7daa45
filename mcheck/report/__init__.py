"""Verdicts as text and as JSON documents."""
