"""Makes what is released: wheels, with what is built ahead of time in them."""
