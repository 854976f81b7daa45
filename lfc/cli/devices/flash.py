"""`lfc flash`: builds a program if needed, and puts it on a board."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import (
    board_options,
    chosen_board,
    chosen_faults,
    fault_options,
    firmware_for,
    refuse,
    required_board,
)
from lfc.cli.common.gate import Asked, Permit, gate_options, pass_gate
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.progress import Bar
from lfc.cli.common.project import file_and_board, find_project
from lfc.cli.common.sources import search_option
from lfc.diagnostics.visible import visible_lines

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board
    from lfc.image.tables import Tables
    from lfc.link.fault_options import FaultOptions
    from lfc.records.gate import Candidate

METHOD = "update"  # of boards that take updates in the field
MADE = (".elf", ".hex", ".bin", ".uf2", ".esp")  # files that need no building


@click.command("flash", short_help="Flash a program to a board.")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@click.option("-p", "--port", metavar="PORT", envvar="LFC_PORT", help="Its port, or id:SERIAL_NUMBER (LFC_PORT).")
@click.option(
    "--drive", metavar="FOLDER", help="Where the drive of the board is mounted (default: it is searched for)."
)
@click.option("--probe", metavar="ID", help="Use a debug probe (needs pyocd): its ID, or `any` for the only one.")
@click.option("--sign", metavar="KEY", help="Sign the image with this key, for a board that takes updates.")
@click.option("--monitor", is_flag=True, help="Then watch the console, as `lfc monitor` does.")
@click.option("--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the image (rr).")
@click.option("--trace", is_flag=True, help="A traced image, for `lfc hil`.")
@gate_options
@fault_options
@with_option
@search_option
@output_options
def command(
    file: str | None,
    board: str | None,
    board_file: str | None,
    port: str | None,
    drive: str | None,
    probe: str | None,
    sign: str | None,
    monitor: bool,
    scheduler: str,
    trace: bool,
    require_checked: bool | None,
    force: bool,
    trusted: str | None,
    policy: str | None,
    faults: str,
    on_fault: str,
    safe: tuple[str, ...],
    c_files: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Build FILE for a board, find the board, write the image, read it back and compare, and start it.

    FILE is a program, or an image: ELF, HEX, BIN, UF2 or ESP. Exits with 9 if it fails, and names the stage: check,
    open, reset, sync, signature, erase, write, verify or start. In a project, or with --require-checked, only an image
    for which `lfc check -b BOARD` has written a record is flashed. One in which it has found an error needs --force
    everywhere.
    """
    by_project = file is None and board is None and board_file is None
    from lfc.boards.serial.failure import FlashError

    c_files = sources_to_link(file, c_files)
    program, name = file_and_board(file, board, board_file)
    if Path(program).suffix in MADE:
        target, content, tables = read_made(program, name, board_file)
        refuse_wrong_key(target, sign)
    else:
        target = required_board(name, board_file)
        refuse_wrong_key(target, sign)
        options = chosen_faults(target, faults, on_fault, safe)
        content, tables = built(program, target, scheduler, options, c_files, trace, path)
    try:
        candidate = candidate_of(target, content, tables, program)
        again = ["lfc check"] if by_project else check_command(program, target, board_file)
        if scheduler != "rr":
            again.append(f"--scheduler {scheduler}")
        if faults != "numbers":
            again.append(f"--faults {faults}")
        if on_fault != "stop":
            again.append(f"--on-fault {on_fault}")
        again += [f"--safe {s}" for s in safe] + ([] if by_project else [f"--with {c}" for c in c_files])
        asked = Asked(require_checked, force, trusted, policy)
        permit = pass_gate(candidate, program, asked, " ".join(again))
        if sign is not None:
            raise click.exceptions.Exit(update(target, content, tables, port, sign, monitor, permit))
    except FlashError as error:
        raise click.exceptions.Exit(tell_failure(target, error)) from None
    raise click.exceptions.Exit(flash(target, content, tables, port, drive, probe, monitor, program, permit))


def candidate_of(board: Board, content: dict[int, bytes], tables: Tables | None, file: str) -> Candidate:
    from lfc.image.digest import flash_digest
    from lfc.records.gate import Candidate
    from lfc.records.making import board_digests

    name = Path(file).name if Path(file).suffix not in MADE else None
    digests = board_digests(board)
    if tables is None:
        return Candidate(flash_digest(content), board.name, None, name, False, digests)
    t = tables
    return Candidate(flash_digest(content), board.name, t.program, name, t.traced, digests, t.scheduler)


def check_command(file: str, board: Board, board_file: str | None) -> list[str]:
    program = file if Path(file).suffix not in MADE else "PROGRAM.lf"
    return ["lfc check", program, f"--board-file {board_file}" if board_file is not None else f"-b {board.name}"]


def built(
    file: str,
    board: Board,
    scheduler: str,
    faults: FaultOptions,
    c_files: tuple[str, ...],
    trace: bool,
    path: tuple[str, ...],
) -> tuple[dict[int, bytes], Tables | None]:
    from lfc.image.tables import read_tables

    machine = load_machine(file, path, (), with_environment=False, board=board)
    firmware = firmware_for(board, machine, scheduler, faults, c_files, trace)
    return dict(firmware.image.flash), read_tables(firmware.image.elf)


def read_made(file: str, name: str | None, board_file: str | None) -> tuple[Board, dict[int, bytes], Tables | None]:
    """An image file. An ELF file of ours says itself which board it is for; of HEX, BIN and UF2 the project does."""
    from lfc.boards.descriptions.board import board_names
    from lfc.image.read_files import read_image_file
    from lfc.toolchain.failure import ImageError

    project = find_project() if name is None and board_file is None and Path(file).suffix != ".elf" else None
    try:
        stated = chosen_board(project.board if project is not None else name, board_file)
        image = read_image_file(Path(file), stated.flash.start if stated else 0)
    except ImageError as error:
        refuse(error.message, *error.detail.splitlines())
    own = image.tables.board if image.tables else None
    if stated is None and own in board_names():
        stated = chosen_board(own, None)
    target = stated or required_board(None, None)
    if own is not None and own != target.name:
        raise click.UsageError(f"{file} was built for the board {own}, not for {target.name}.")
    return target, image.flash, image.tables


def flash(
    board: Board,
    content: dict[int, bytes],
    tables: Tables | None,
    port: str | None,
    drive: str | None,
    probe: str | None,
    monitor: bool,
    file: str,
    permit: Permit,
) -> Exit:
    from lfc.boards.flash.programmer import command_for, refuse_what_does_not_fit, way_of
    from lfc.boards.serial.failure import FlashError

    way = "probe" if probe is not None else way_of(board, port is not None)
    if probe is not None and drive is not None:
        raise click.UsageError("--probe and --drive exclude each other.")
    if drive is not None and way != "drive":
        raise click.UsageError(f"The board {board.name} has no drive; it is flashed by {board.flashing.method}.")
    bar = Bar(current_output().form == "text")
    try:
        refuse_what_does_not_fit(board, content)
        if probe is not None:
            return flash_with_probe(board, content, tables, port, probe, monitor, bar, permit)
        if way == "serial":
            return flash_at_port(board, content, tables, port, monitor, bar, permit)
        if way == "drive":
            return flash_by_drive(board, content, tables, port, drive, monitor, bar, permit)
        if way == "esptool":
            return flash_at_rom(board, content, tables, port, monitor, bar, permit)
        if way == "rvprog":
            return flash_by_link(board, content, tables, port, monitor, bar, permit)
    except FlashError as error:
        bar.interrupted()
        permit.note_if_possible("failed", stage=error.stage)
        return tell_failure(board, error)
    elf = Path(file).with_suffix(".elf")
    first = f"Build with `lfc build {file} -b {board.name}`, then:"
    told = f"lfc: the board {board.name} is flashed by another program. {first}"
    current_output().fail(told, f"  {command_for(board, elf.name)}")
    return Exit.BOARD


def flash_at_port(
    board: Board,
    content: dict[int, bytes],
    tables: Tables | None,
    port: str | None,
    monitor: bool,
    bar: Bar,
    permit: Permit,
) -> Exit:
    from lfc.boards.flash.programmer import flash_over_serial, opened_board
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine

    name = choose_port(board, port, ports_of_this_machine())
    began = time.monotonic()
    with opened_board(board, name) as line:
        written = flash_over_serial(board, line, content, bar.show)
        bar.finished()
        tell_success(board, name, written, time.monotonic() - began, "read back and compared", permit)
        if monitor:
            from lfc.cli.devices.monitor import watch_console

            line.parity = "N"
            line.baudrate = board.console.baud
            return watch_console(board, name, tables, line)
    return Exit.OK


def flash_at_rom(
    board: Board,
    content: dict[int, bytes],
    tables: Tables | None,
    port: str | None,
    monitor: bool,
    bar: Bar,
    permit: Permit,
) -> Exit:
    """By esptool, which opens the port itself."""
    from lfc.boards.flash.esp_tool import flash_by_esptool, refuse_without_esptool
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine

    refuse_without_esptool()
    name = choose_port(board, port, ports_of_this_machine())
    began = time.monotonic()
    written = flash_by_esptool(board, content, name, bar.show)
    bar.finished()
    tell_success(board, name, written, time.monotonic() - began, "compared by its digest", permit)
    if monitor:
        from lfc.cli.devices.monitor import watch_console

        return watch_console(board, name, tables)
    return Exit.OK


def flash_by_link(
    board: Board,
    content: dict[int, bytes],
    tables: Tables | None,
    port: str | None,
    monitor: bool,
    bar: Bar,
    permit: Permit,
) -> Exit:
    """By rvprog, which finds the WCH-LinkE itself; the port is the console's, and wanted for that only."""
    from lfc.boards.flash.wch_tool import flash_by_rvprog
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine

    name = choose_port(board, port, ports_of_this_machine()) if monitor else "WCH-LinkE"
    began = time.monotonic()
    written = flash_by_rvprog(board, content, bar.show)
    bar.finished()
    tell_success(board, name, written, time.monotonic() - began, "read back and compared by rvprog", permit)
    if monitor:
        from lfc.cli.devices.monitor import watch_console

        return watch_console(board, name, tables)
    return Exit.OK


def flash_by_drive(
    board: Board,
    content: dict[int, bytes],
    tables: Tables | None,
    port: str | None,
    drive: str | None,
    monitor: bool,
    bar: Bar,
    permit: Permit,
) -> Exit:
    from lfc.boards.flash.boot_call import call_boot_loader
    from lfc.boards.flash.drive import choose_drive, copy_to_drive, form_of
    from lfc.boards.serial.ports import ports_of_this_machine
    from lfc.toolchain.formats import in_format

    if drive is None:
        call_boot_loader(board, ports_of_this_machine())
    chosen = choose_drive(board, drive)
    began = time.monotonic()
    image = in_format(form_of(board), content, board.flash.start, board.family)
    written = copy_to_drive(chosen, image, bar.show)
    bar.finished()
    tell_success(
        board, str(chosen.path), written, time.monotonic() - began, "accepted by the board's boot loader", permit
    )
    if monitor:
        from lfc.boards.serial.ports import choose_port
        from lfc.cli.devices.monitor import watch_console

        return watch_console(board, choose_port(board, port, ports_of_this_machine()), tables)
    return Exit.OK


def flash_with_probe(
    board: Board,
    content: dict[int, bytes],
    tables: Tables | None,
    port: str | None,
    probe: str,
    monitor: bool,
    bar: Bar,
    permit: Permit,
) -> Exit:
    from lfc.boards.flash.probe import flash_by_probe
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine

    # Where the console is must be known before the board starts to talk.
    console = choose_port(board, port, ports_of_this_machine()) if monitor else None
    began = time.monotonic()
    name, written = flash_by_probe(board, content, probe, bar.show)
    bar.finished()
    tell_success(board, f"the probe {name}", written, time.monotonic() - began, "read back and compared", permit)
    if console is not None:
        from lfc.cli.devices.monitor import watch_console

        return watch_console(board, console, tables)
    return Exit.OK


def refuse_wrong_key(board: Board, key: str | None) -> None:
    """A board takes updates, or it does not: its description says so."""
    takes = board.flashing.method == METHOD
    if takes and key is None:
        raise click.UsageError(f"The board {board.name} takes signed updates: name the key, --sign KEY.")
    if not takes and key is not None:
        raise click.UsageError(
            f'--sign is for boards that take updates (flash.method = "{METHOD}"); {board.name} is flashed by '
            f"{board.flashing.method}."
        )


def update(
    board: Board,
    content: dict[int, bytes],
    tables: Tables | None,
    port: str | None,
    key: str,
    monitor: bool,
    permit: Permit,
) -> Exit:
    """Raises FlashError."""
    from lfc.boards.flash.programmer import refuse_what_does_not_fit
    from lfc.boards.serial.failure import FlashError
    from lfc.boards.serial.open_port import open_port, pulse_dtr
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine
    from lfc.records.signing import SigningError
    from lfc.update.image import signed_image
    from lfc.update.layout import layout_of
    from lfc.update.send import send_update

    layout = layout_of(board)
    refuse_what_does_not_fit(board, content)
    try:
        image = signed_image(layout, content, version_of(permit), Path(key))
    except SigningError as error:
        raise FlashError("signature", str(error), remedy="name the key that its boot loader believes") from None
    name = choose_port(board, port, ports_of_this_machine())
    bar, began = Bar(current_output().form == "text"), time.monotonic()
    line = open_port(name, board.console.baud)
    try:
        if board.flashing.reset == "dtr":
            pulse_dtr(line)
        written = send_update(line, layout, image, bar.show)
        bar.finished()
        how = f"signed, version {image.version}; it stays if it reports"
        tell_success(board, name, written, time.monotonic() - began, how, permit)
        if monitor:
            from lfc.cli.devices.monitor import watch_console

            return watch_console(board, name, tables, line)
    except FlashError as error:
        bar.interrupted()
        permit.note_if_possible("failed", stage=error.stage)
        raise
    finally:
        line.close()
    return Exit.OK


def version_of(permit: Permit) -> int:
    """The second of its check: a board takes nothing that is older than what it keeps. Without a check, this one."""
    from lfc.records.record import time_of

    checked = time_of(str(permit.more.get("checked_at", "")))
    return int(checked.timestamp() if checked is not None else time.time())


def tell_success(board: Board, place: str, written: int, seconds: float, how: str, permit: Permit) -> None:
    permit.note_if_possible("flashed", place=place, bytes=written, verified=how)
    if current_output().form == "json":
        data = {"version": 1, "board": board.name, "at": place, "bytes": written, "seconds": round(seconds, 2)}
        current_output().document(json.dumps({**data, "verified": how, **permit.told, "error": None}))
    else:
        print(f"{board.name} at {place}: {written} bytes written, {how}, in {seconds:.1f} s", file=sys.stderr)


def tell_failure(board: Board, error: object) -> Exit:
    from lfc.boards.serial.failure import FlashError

    assert isinstance(error, FlashError)
    if current_output().form == "json":
        told = {k: getattr(error, k) for k in ("stage", "message", "expected", "received", "remedy")}
        current_output().document(json.dumps({"version": 1, "board": board.name, "error": told}))
    else:
        print(visible_lines(f"lfc: {board.name}: {error}"), file=sys.stderr)
    return Exit.BOARD
