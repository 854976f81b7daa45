"""From a machine to the image of a board; its stack, usage, latency and digest."""
