"""Boards as data: chips, pins, memory, linker scripts; one TOML file each."""
