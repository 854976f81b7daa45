"""What this machine has and lacks for the jobs of the toolchain, and how to get it."""
