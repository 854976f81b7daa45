"""The image's parts as one optimised module, and the linker's run."""
