"""AVR machine code: decoding, text, flow, liveness, cycles, and the binding of the core that executes it."""
