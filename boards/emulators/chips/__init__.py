"""Chips for the built-in simulator: a core each, with the devices that the ports use."""
