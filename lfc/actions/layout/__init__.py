"""The layout of the state block: frames, records, fields, and what there is no room for."""
