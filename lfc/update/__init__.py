"""Updates in the field: signed images, the boot loader that takes them, and how they are sent to it."""
