"""Records of checks: which image was checked, for what, with which verdict; and the gate that asks for them."""
