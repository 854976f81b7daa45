"""The debugger: one program stepped forwards and backwards, and the Debug Adapter Protocol over it."""


def gdb_script() -> str:
    """The file for gdb's `source`."""
    from pathlib import Path

    return str(Path(__file__).with_name("gdb_processes.py"))
