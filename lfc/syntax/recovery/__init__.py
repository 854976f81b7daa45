"""Error recovery: edits that make a wrong text parse, and the words for what is wrong with it."""
