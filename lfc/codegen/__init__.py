"""From the machine to one LLVM module, with the monitors of properties."""
