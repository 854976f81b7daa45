"""Certificates: evidence that a property holds, and the small program that validates it.

Imports nothing of the checker.
"""
