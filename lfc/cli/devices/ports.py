"""`lfc ports`: the serial ports of this machine, and the boards that they match."""

from __future__ import annotations

import json
import sys

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.output import current_output, output_options


@click.command("ports", short_help="List the serial ports.")
@board_options
@output_options
def command(board: str | None, board_file: str | None) -> None:
    """List the serial ports: USB ids, serial number, the boards that they match, and whether they can be used.

    With -b BOARD it prints the port of that board, and exits with 9 if none or several match.
    """
    from lfc.boards.descriptions.board import board_names, load_board
    from lfc.boards.serial.failure import FlashError
    from lfc.boards.serial.ports import choose_port, matching_boards, ports_of_this_machine

    target = chosen_board(board, board_file)
    boards = [load_board(name) for name in board_names()]
    if target is not None:
        boards = [target]
    ports = ports_of_this_machine()
    chosen, failure = None, None
    if target is not None:
        try:
            chosen = choose_port(target, None, ports)
        except FlashError as error:
            failure = error
    if current_output().form == "json":
        data = [
            {
                "port": p.name,
                "usb": p.usb_text or None,
                "serial_number": p.serial_number or None,
                "description": p.description,
                "permitted": p.permitted,
                "used_by": p.user or None,
                "boards": matching_boards(p, boards),
            }
            for p in ports
        ]
        chosen_too = {} if target is None else {"chosen": chosen, "error": failure and str(failure)}
        current_output().document(json.dumps({"version": 1, "ports": data, **chosen_too}, indent=2))
    else:
        rows = [("port", "USB id", "serial number", "boards", "", "")]
        for p in ports:
            may = "no permission" if not p.permitted else f"used by {p.user}" if p.user else ""
            names = ", ".join(matching_boards(p, boards)) or "-"
            rows.append((p.name, p.usb_text or "-", p.serial_number or "-", names, p.description, may))
        if ports:
            widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
            for row in rows:
                print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
        else:
            print("there are no serial ports", file=sys.stderr)
        if chosen is not None:
            print(f"the board {target.name if target else ''} is expected at {chosen}", file=sys.stderr)
    if failure is not None:
        if current_output().form != "json":
            print(f"lfc: {failure}", file=sys.stderr)
        raise click.exceptions.Exit(Exit.BOARD)
