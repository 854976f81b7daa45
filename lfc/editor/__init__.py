"""The language server: the toolchain as an editor sees it."""
