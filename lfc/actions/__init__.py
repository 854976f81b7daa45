"""From a typed program to the machine: actions over one state block."""
