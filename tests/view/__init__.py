"""Tests of pages and of files for other viewers."""
