"""An example of each command, for the end of its help. Commands of several words have their own."""

from __future__ import annotations

import click

EXAMPLES: dict[str, str] = {
    "actions": "lfc actions blink.lf",
    "add": "lfc add sensors --git https://example.org/sensors.git",
    "boards": "lfc boards",
    "build": "lfc build blink.lf -b uno",
    "check": "lfc check traffic.lf --env traffic_env.lf --time 60",
    "completion": "lfc completion bash > ~/.lfc.bash",
    "cover": "lfc cover buffer.lf",
    "dap": "lfc dap",
    "debug": "lfc debug prodcons.lf",
    "doctor": "lfc doctor --job flash",
    "evidence": "lfc evidence blink.lf -b uno --html evidence.html",
    "explain": "lfc explain LF0602",
    "explore": "lfc explore prodcons.lf",
    "export": "lfc export mutex.lf --as promela -o mutex.pml",
    "flash": "lfc flash blink.lf -b uno -p /dev/ttyACM0",
    "fmt": "lfc fmt --check blink.lf",
    "graph": "lfc graph prodcons.lf",
    "header": "lfc header sensor.lf",
    "hil": "lfc hil conform blink.lf -b uno",
    "hil conform": "lfc hil conform blink.lf -b uno -p /dev/ttyACM0",
    "hil replay": "lfc hil replay counterexample.trace blink.lf -b uno",
    "hil test": "lfc hil test blink.lf -b uno",
    "layout": "lfc layout prodcons.lf",
    "lint": "lfc lint test_boards.py",
    "loader": "lfc loader --board-file uno_update.toml --key update.key",
    "lsp": "lfc lsp",
    "ltl": "lfc ltl 'ALWAYS (asked IMPLIES EVENTUALLY served)'",
    "mcp": "lfc mcp --root .",
    "monitor": "lfc monitor blink.elf -b uno",
    "new": "lfc new lamp -b uno",
    "observe": "lfc observe blink.lf -b uno -p /dev/ttyACM0",
    "ports": "lfc ports",
    "query": "lfc query prodcons.graph 'AG (i < 100)'",
    "record": "lfc record show",
    "record attest": "lfc record attest .lf/records/RECORD.json --as slsa",
    "record show": "lfc record show blink.hex",
    "record sign": "lfc record sign .lf/records/RECORD.json ~/.ssh/id_ed25519",
    "refine": "lfc refine Buffer.lf Cells.lf --on in,out --model failures",
    "run": "lfc run sieve.lf",
    "size": "lfc size blink.lf -b uno",
    "slice": "lfc slice traffic.lf --for neverTwoGreens",
    "sweep": "lfc sweep telephones.lf --const F=none,cfu,ocs --pairs F",
    "timing": "lfc timing blink.lf -b uno",
    "trace": "lfc trace show counterexample.trace philosophers.lf",
    "trace convert": "lfc trace convert counterexample.trace philosophers.lf -o philosophers.pftrace",
    "trace diff": "lfc trace diff before.trace after.trace",
    "trace msc": "lfc trace msc counterexample.trace philosophers.lf",
    "trace show": "lfc trace show counterexample.trace philosophers.lf",
    "vendor": "lfc vendor",
    "view": "lfc view philosophers.lf -o philosophers.html",
    "verify-certificate": "lfc verify-certificate prodcons.lf prodcons.cert",
}


def with_example(command: click.Command, name: str) -> click.Command:
    """And so for the commands inside."""
    example = EXAMPLES.get(name)
    if example is not None:
        command.epilog = f"Example: {example}"
    if isinstance(command, click.Group):
        for inner, of in command.commands.items():
            with_example(of, f"{name} {inner}")
    return command
