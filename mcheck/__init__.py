"""The checker: drives the engine, temporal logic, traces, reports. May import: `lfc`, the runtime as data."""
