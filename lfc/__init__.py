"""The LF toolchain: compiler, model checker and board tools."""

__version__ = "0.1.0"
