"""Thumb machine code (ARMv6-M, ARMv7-M): decoding, text, flow, and the core that executes it."""
