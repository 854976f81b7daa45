"""Emulated boards: simavr, QEMU, the built-in simulator."""
