"""Tests of the debugger: stepping there and back, and recorded sessions of the protocol over stdio."""
