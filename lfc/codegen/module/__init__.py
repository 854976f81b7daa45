"""One LLVM module under construction: target, emitter, scope, line tables, what the checker asks for."""
