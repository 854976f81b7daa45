"""Tests of the playground, as far as they need no browser."""
