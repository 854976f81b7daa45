"""The LF toolchain: compiler, model checker and board tools."""

from lfc.base.version import __version__

__all__ = ["__version__"]
