"""Commands about what a check has left: records, evidence, certificates, traces, pictures."""
