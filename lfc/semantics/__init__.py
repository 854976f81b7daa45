"""From trees to a typed program: modules, declarations, bounds."""
