"""The LF toolchain: compiler, model checker and board tools. Imports nothing."""

__version__ = "0.1.0"
