"""Diagnostics: their codes and pages, and how they are shown as text, JSON and SARIF."""
