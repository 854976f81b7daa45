"""The grammar, its parse tables, the lexer, the tree and its builders."""
