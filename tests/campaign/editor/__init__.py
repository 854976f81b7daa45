"""Campaigns of the language server: edits by chance, renames everywhere, VS Code in a browser."""
