"""One LLVM module under construction: target, emitter, scope, line tables, and what only the checker asks for."""
