"""The strategies of a search: breadth-first, depth-first, directed, context-bounded, by chance; a class each."""
