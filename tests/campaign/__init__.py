"""Campaigns: tests with a quota. CI runs a share of each, with a seed that changes and is printed."""
