"""Tests of the language server: its analyses as functions, the protocol over stdio, edits by chance, the extension."""
