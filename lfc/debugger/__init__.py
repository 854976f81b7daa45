"""The debugger: one program stepped forwards and backwards, and the Debug Adapter Protocol over it."""
