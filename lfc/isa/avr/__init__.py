"""AVR machine code: decoding, text, flow, liveness, cycles, and the core that executes it."""
