"""What this machine has and lacks for the jobs of the toolchain. May import: nothing else of the project."""
