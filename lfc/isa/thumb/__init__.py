"""Thumb machine code (ARMv6-M, ARMv7-M): decoding, text, flow, and the binding of the core that executes it."""
