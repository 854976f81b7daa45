"""Campaigns: tests with a quota. The tests run a share of each, with a pinned seed."""
