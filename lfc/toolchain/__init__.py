"""The C compiler and linker of the package `ziglang`, the cache of what they make, and ELF files."""
