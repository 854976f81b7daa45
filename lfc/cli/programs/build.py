"""`lfc build`: compiles a program for this machine or for a board."""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.external import modules_for_this_machine, sources_to_link, with_option
from lfc.cli.common.firmware import (
    board_options,
    chosen_board,
    chosen_faults,
    fault_options,
    firmware_for,
    refuse_given,
)
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import file_and_board, is_system, required_images
from lfc.cli.common.sources import search_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.image.firmware import Firmware
    from lfc.link.fault_options import FaultOptions

SUFFIXES = {"ir": ".ll", "asm": ".s", "obj": ".o", "exe": ""}
ONLY_FOR_BOARDS = {
    "faults": "--faults",
    "on_fault": "--on-fault",
    "safe": "--safe",
    "trace": "--trace",
    "sbom": "--sbom",
}
BOARD_SUFFIXES = (".elf", ".map", ".hex", ".bin", ".uf2", ".esp")  # may stand in -o: the other files follow it


@click.command("build", short_help="Compile a program.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--emit",
    type=click.Choice(list(SUFFIXES)),
    default="exe",
    help="LLVM IR (optimised with the kernel), assembler text, an object, or an executable (exe).",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Output file (the program's name, in the working directory; -: stdout). For a board: the name of the ELF "
    "file, which the others follow. Of a system: the folder of the images.",
)
@click.option("--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the executable (rr).")
@click.option(
    "-O", "level", type=click.IntRange(0, 3), metavar="LEVEL", help="Optimisation, 0 to 3 (2); not for boards."
)
@click.option("--trace", is_flag=True, help="For a board: a traced image, for `lfc hil`.")
@click.option("--sbom", metavar="FILE", help="For a board: write what the image consists of, as CycloneDX 1.6.")
@board_options
@fault_options
@with_option
@search_option
@output_options
@click.pass_context
def command(
    context: click.Context,
    file: str | None,
    emit: str,
    output: str | None,
    scheduler: str,
    level: int | None,
    trace: bool,
    sbom: str | None,
    board: str | None,
    board_file: str | None,
    faults: str,
    on_fault: str,
    safe: tuple[str, ...],
    c_files: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Compile a program for this machine, or for a board.

    The executable for this machine runs without Python. For a board there are an ELF file, a map, and what the board is
    flashed with: HEX, BIN, UF2 or ESP.
    """
    c_files = sources_to_link(file, c_files)
    program, board = file_and_board(file, board, board_file)
    refuse_sources((program, *c_files), {"-o": output, "--sbom": sbom})
    if is_system(program):
        if board is not None or board_file is not None or c_files:
            raise click.UsageError("A system file says what its boards are; `SYSTEM.toml:NAME` is the program of one.")
        refuse_given(context, {"emit": "--emit", "level": "-O"}, "is not for boards")
        refuse_given(context, {"sbom": "--sbom"}, "is for one board: name it, SYSTEM.toml:NAME")
        build_all(program, output, scheduler, (faults, on_fault, safe), path, trace)
        return
    target = chosen_board(board, board_file)
    if target is not None:
        if emit != "exe" or level is not None:
            raise click.UsageError("--emit and -O are not for boards.")
        options = chosen_faults(target, faults, on_fault, safe)
        build_for_board(program, target, output, scheduler, options, path, c_files, trace, sbom)
        return
    refuse_given(context, ONLY_FOR_BOARDS, "is for boards: name one with -b BOARD")
    build_for_this_machine(program, emit, output, scheduler, 2 if level is None else level, path, c_files)


def refuse_sources(sources: tuple[str, ...], outputs: dict[str, str | None]) -> None:
    """What is made must not take the place of what it is made of."""
    for option, output in outputs.items():
        for source in sources:
            if output is not None and os.path.realpath(output) == os.path.realpath(source):
                raise click.UsageError(f"{option} {output} would overwrite {source}, which is read: give another name.")


def build_all(
    system: str,
    folder: str | None,
    scheduler: str,
    faults: tuple[str, str, tuple[str, ...]],
    path: tuple[str, ...],
    trace: bool,
) -> None:
    """The images of a system's boards, each under the board's name."""
    for image in required_images(system):
        board = chosen_board(image.board, None)
        assert board is not None
        stem = image.name + (".traced" if trace else "")
        file = str(Path(folder or "") / f"{stem}.elf")
        build_for_board(image.program, board, file, scheduler, chosen_faults(board, *faults), path, (), trace)


def build_for_board(
    file: str,
    board: Board,
    output: str | None,
    scheduler: str,
    faults: FaultOptions,
    path: tuple[str, ...],
    c_files: tuple[str, ...] = (),
    trace: bool = False,
    sbom: str | None = None,
) -> None:
    from lfc.toolchain.formats import in_format

    if output == "-":
        raise click.UsageError("A board build writes several files, which cannot go to standard output.")
    elf = Path(output) if output is not None else Path(Path(file).stem + (".traced.elf" if trace else ".elf"))
    base = elf.with_suffix("") if elf.suffix in BOARD_SUFFIXES else elf
    machine = load_machine(file, path, (), with_environment=False, board=board)
    made = firmware_for(board, machine, scheduler, faults, c_files, trace)
    image = made.image
    files = {".elf": image.elf, ".map": image.map.encode()}
    for form in board.outputs:
        files[f".{form}"] = in_format(form, image.flash, board.flash.start, board.family)
    if sbom is not None:
        others = [*(m.source.path for m in machine.program.modules), *c_files, *(f"{base}{s}" for s in files)]
        refuse_to_overwrite("--sbom", sbom, others)
    for suffix, content in files.items():
        write_whole(Path(f"{base}{suffix}"), content, False)
    if sbom is not None:
        write_whole(Path(sbom), materials(board, made, f"{base}", files, c_files), False)
    plain = firmware_for(board, machine, scheduler, faults, c_files) if trace else None
    tell_firmware(board, made, [f"{base}{suffix}" for suffix in files], plain)


def refuse_to_overwrite(option: str, file: str, others: Iterable[str]) -> None:
    """What the program is made of, and what else is written."""
    for other in others:
        if Path(other).resolve() == Path(file).resolve():
            raise click.UsageError(f"{option} {file}: that would overwrite {other}.")


def materials(board: Board, made: Firmware, base: str, files: dict[str, bytes], c_files: tuple[str, ...]) -> bytes:
    """The bill of materials of an image."""
    import json

    from lfc.records.making import board_digest, toolchain
    from lfc.records.sbom import Linked, bill_of_materials

    program = made.generated.machine.program
    name = Path(base).name
    linked = Linked(
        program.main.name,
        made.digest,
        board.name,
        board_digest(board),
        board.cpu.architecture,
        made.traced,
        made.image.map,
        {f"{name}{suffix}": content for suffix, content in files.items()},
        [m.source for m in program.modules if not m.environment],
        c_files,
        toolchain(),
    )
    return (json.dumps(bill_of_materials(linked), indent=2) + "\n").encode()


def tell_firmware(board: Board, made: Firmware, files: list[str], plain: Firmware | None = None) -> None:
    """`plain`: of a traced image, the one without a trace."""
    from lfc.link.tracing import trace_cost
    from lfc.toolchain.elf import read_sizes

    sizes = read_sizes(made.image.elf)
    if current_output().form == "json":
        import json

        figures = {"used": sizes.flash, "size": made.room}, {"used": sizes.ram, "size": board.ram.size}
        data = {"version": 1, "board": board.name, "files": files, "flash": figures[0], "ram": figures[1]}
        data |= {"image": made.digest, "traced": made.traced}
        current_output().document(json.dumps(data, indent=2))
        return
    flash = f"flash {sizes.flash} of {made.room} bytes"
    print(f"{', '.join(files)}: {flash}, RAM {sizes.ram} of {board.ram.size}", file=sys.stderr)
    if plain is not None:
        without = read_sizes(plain.image.elf)
        cost = trace_cost(board, made.generated.machine.layout.size)
        more = f"{sizes.flash - without.flash} bytes of flash and {sizes.ram - without.ram} of RAM more"
        each = f"an action without a partner sends {cost.bytes} bytes, {cost.line_cycles} cycles on the line"
        print(f"traced: {more}; {each}, and about {cost.digest_cycles} for the digest", file=sys.stderr)
        print(f"the image differs from the untraced one: {made.digest[:16]}, {plain.digest[:16]}", file=sys.stderr)


def build_for_this_machine(
    file: str,
    emit: str,
    output: str | None,
    scheduler: str,
    level: int,
    path: tuple[str, ...],
    c_files: tuple[str, ...] = (),
) -> None:
    from lfc.actions.kept_machine import cached_of
    from lfc.run.load_code import host_cpu

    machine = load_machine(file, path, (), with_environment=False)
    modules = modules_for_this_machine(machine, c_files)
    choices = emit, scheduler, level, host_cpu()
    compiles = partial(compiled, machine, emit, scheduler, level, modules)
    content, (checks, left) = compiles() if modules else cached_of(machine, choices, compiles)
    target = Path(output) if output not in (None, "-") else Path(Path(file).stem + SUFFIXES[emit])
    if output == "-":
        sys.stdout.buffer.write(content)
        return
    write_whole(target, content, emit == "exe")
    if current_output().form == "text":
        summary = f"{target}: {len(content)} bytes; {checks} checks, {checks - left} of them proven unnecessary"
        print(summary, file=sys.stderr)


def compiled(
    machine: Machine, emit: str, scheduler: str, level: int, modules: list[str]
) -> tuple[bytes, tuple[int, ...]]:
    """What is built, how many checks the program has, and how many are left."""
    from lfc.codegen.program import generate
    from lfc.run import executable
    from lfc.run.native import count_checks, host_target

    generated = generate(machine, host_target(), scheduler)
    if emit == "ir":
        content = executable.ir_text(generated, level, c_modules=modules).encode()
    elif emit == "asm":
        content = executable.assembly_text(generated, level, modules).encode()
    elif emit == "obj":
        content = executable.object_code(generated, level, modules)
    else:
        content = executable.executable(generated, level, scheduler, modules)
    return content, count_checks(generated.ir, level, generated.machine.wide)


def write_whole(target: Path, content: bytes, executable_file: bool) -> None:
    """All or nothing. A link stays one; a pipe or device is written to, never replaced."""
    target = Path(os.path.realpath(target))
    beside: str | None = None
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=".lfc-")
        with os.fdopen(handle, "wb") as new:
            new.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, (0o777 if executable_file else 0o666) & ~mask)
        os.replace(beside, target)
        beside = None
    except OSError as error:
        raise click.ClickException(f"{target} cannot be written: {error.strerror}") from None
    finally:
        if beside is not None:
            os.unlink(beside)
