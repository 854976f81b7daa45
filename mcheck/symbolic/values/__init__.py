"""Values that are not determined: sets of numbers, terms over symbols, and which symbols give which values."""
