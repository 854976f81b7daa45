"""From a file to a typed program with its warnings, or to its canonical layout."""
