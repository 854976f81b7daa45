"""Compiled programs on this machine: object code, running, reports, charts."""
