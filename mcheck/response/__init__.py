"""Response times: an image under its board's own scheduler, from an interrupt to what the program does about it."""
