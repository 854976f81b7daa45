"""Instruction sets: what machine code does, as far as the stages after the linker must know."""
