"""RISC-V machine code (RV32I and E, M, A, C): decoding, text, flow, and the binding of the core that executes it."""
