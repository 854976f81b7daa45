"""`lfc build`: compiles a program for this machine. May import: click; the stages when called."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click

from lfc.cli.machine import load_machine
from lfc.cli.output import current_output, output_options
from lfc.cli.sources import search_option

SUFFIXES = {"ir": ".ll", "asm": ".s", "obj": ".o", "exe": ""}


@click.command("build", short_help="Compile a program.")
@click.argument("file", metavar="FILE")
@click.option(
    "--emit",
    type=click.Choice(list(SUFFIXES)),
    default="exe",
    help="LLVM IR (optimised with the kernel), assembler text, an object, or an executable (exe).",
)
@click.option("-o", "--output", metavar="FILE", help="Where to write it (beside the working directory; -: stdout).")
@click.option("--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Of the executable (rr).")
@click.option("-O", "level", type=click.IntRange(0, 3), default=2, metavar="LEVEL", help="Optimisation, 0 to 3 (2).")
@search_option
@output_options
def command(file: str, emit: str, output: str | None, scheduler: str, level: int, path: tuple[str, ...]) -> None:
    """Compile a program for this machine. The executable runs without Python."""
    from lfc.codegen.program import generate
    from lfc.host import executable
    from lfc.host.native import count_checks, host_target

    machine = load_machine(file, path, (), with_environment=False)
    generated = generate(machine, host_target(), scheduler)
    if emit == "ir":
        content = executable.ir_text(generated, level).encode()
    elif emit == "asm":
        content = executable.assembly_text(generated, level).encode()
    elif emit == "obj":
        content = executable.object_code(generated, level)
    else:
        content = executable.executable(generated, level, scheduler)
    target = Path(output) if output not in (None, "-") else Path(Path(file).stem + SUFFIXES[emit])
    if output == "-":
        sys.stdout.buffer.write(content)
        return
    write_whole(target, content, emit == "exe")
    if current_output().form == "text":
        checks, left = count_checks(generated.ir, level)
        summary = f"{target}: {len(content)} bytes; {checks} checks, {checks - left} of them proven away"
        print(summary, file=sys.stderr)


def write_whole(target: Path, content: bytes, executable_file: bool) -> None:
    """All or nothing."""
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".lfc-", delete=False) as new:
            new.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(new.name, (0o777 if executable_file else 0o666) & ~mask)
        os.replace(new.name, target)
    except OSError as error:
        raise click.ClickException(f"{target} cannot be written: {error.strerror}") from None
