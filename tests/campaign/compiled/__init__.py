"""Campaigns of compiled programs: against the naive evaluator, the effects table, the kernel's branches."""
