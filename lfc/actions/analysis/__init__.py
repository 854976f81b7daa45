"""What actions may read, write and ask for; faults, lengths, channels that are known."""
