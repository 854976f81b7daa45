"""Buffers of an editor, analysed: the front end's results for a text that may be wrong, unsaved or half written."""
