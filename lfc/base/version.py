"""The version, for all who say it."""

__version__ = "0.1.0"
