"""From text to tree, whatever the text."""
