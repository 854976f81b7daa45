"""The error of something that is not on this machine."""

from __future__ import annotations


class MissingOnThisMachine(Exception):
    """A tool, package or device that is needed is not there. The message says which, and what to do."""
