"""Runs the C compiler, the assembler and the linker of the package `ziglang`.

What they made is kept in a cache, by the content of all that went in: a port is compiled once for each board.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.base.cache import cache_folder, cached, read_from, shipped_folder
from lfc.base.missing_tool import MissingOnThisMachine
from lfc.base.notices import once
from lfc.toolchain.failure import ImageError

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from lfc.boards.descriptions.board import Board

LONGEST = 600  # seconds that a C source of a project may take
MEMORY = 4 << 30  # bytes of addresses that it may take
COMPILER = "compiler"  # the entry that says which one made the others that are shipped
NO_COMPILER = (
    "the C compiler and linker are not installed (boards need them, this machine's programs do not); "
    "install them with: pip install ziglang"
)
NO_ROOM = "{}: no room is left on the disk; make some in {} and {}, or name other folders (TMPDIR, XDG_CACHE_HOME)"
C_FLAGS = (
    "-std=c11",
    "-ffreestanding",
    "-Os",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-sanitize=all",  # the compiler's own default may be otherwise
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-g0",  # the assembler would add lines, with paths of this machine
    "-Wno-avr-rtlib-linking-quirks",  # asks for the compiler's run-time library, which the port replaces
    "-Wno-unused-command-line-argument",
)


def compile_c(board: Board, source: Path, headers: Sequence[Path] = (), defines: Sequence[str] = ()) -> str:
    """The LLVM IR of a C source. `headers` are all the files that it may include."""
    made = _compile(board, source, headers, defines, ("-S", "-emit-llvm"), ".ll")
    return made.decode("utf-8")


def assemble(board: Board, source: Path, headers: Sequence[Path] = (), defines: Sequence[str] = ()) -> bytes:
    """The object of an assembler source."""
    return _compile(board, source, headers, defines, ("-c",), ".o")


def run_linker(arguments: Sequence[str], folder: Path, right: str = "") -> None:
    """`right`: what lld may say of a relocation that is right all the same: it writes the bits that fit."""
    failure = "the program cannot be linked"
    try:
        _run("ld.lld", ["--error-limit=0", *arguments], folder, failure)
    except ImageError as error:
        said = [line for line in error.detail.splitlines() if ": error: " in line]
        if not right or not said or not all(right in line for line in said):
            raise
        _run("ld.lld", ["--noinhibit-exec", "--error-limit=0", *arguments], folder, failure)


def _compile(
    board: Board, source: Path, headers: Sequence[Path], defines: Sequence[str], output: Sequence[str], suffix: str
) -> bytes:
    arguments = [
        *(C_FLAGS if source.suffix == ".c" else C_FLAGS[-3:]),
        "-target",
        board.cpu.c_target,
        f"-mcpu={board.cpu.c_model}",
        *(f"-D{d}" for d in defines),
        *output,
    ]

    def make() -> bytes:
        with (
            tempfile.TemporaryDirectory(prefix="lfc-") as folder,
            once(f"compiling the kernel for the board {board.name}"),
        ):
            made = Path(folder) / ("made" + suffix)
            # Compiled from its own folder under its bare name, so that no path of this machine gets into the output.
            command = [*arguments, source.name, "-o", str(made)]
            _run("cc", command, source.parent, f"{source.name} cannot be compiled")
            return made.read_bytes()

    return cached(_key(arguments, [source, *headers]) + suffix, make)


def _run(tool: str, arguments: Sequence[str], folder: Path, failure: str, bounded: bool = False) -> str:
    """What it has printed."""
    command = [str(_compiler()), tool, *arguments]
    done = _executed(command, folder, failure, False, bounded)
    if _lacks_room(done):
        done = _executed(command, folder, failure, True, bounded)
    if -done.returncode in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None)):
        raise KeyboardInterrupt  # with us, as a terminal or `timeout` ends all of a group
    if _lacks_room(done):
        raise MissingOnThisMachine(NO_ROOM.format(failure, tempfile.gettempdir(), cache_folder()))
    if done.returncode != 0:
        raise ImageError(failure, done.stderr.strip() or f"{tool} ended with status {done.returncode}")
    return done.stdout


def _executed(command: list[str], folder: Path, failure: str, apart: bool, bounded: bool) -> CompletedProcess[str]:
    import subprocess  # most of what is asked for is in the cache

    with _environment(apart) as environment:
        try:
            if bounded:
                return _ended_in_time(command, folder, environment)
            return subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
            )
        except OSError as error:
            raise ImageError(failure, f"{command[0]} cannot be started: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            why = f"the compiler has not ended within {LONGEST} s; is a file that it includes a pipe or a device?"
            raise ImageError(failure, why) from None


def _ended_in_time(command: list[str], folder: Path, environment: dict[str, str]) -> CompletedProcess[str]:
    """Raises TimeoutExpired."""
    from subprocess import PIPE, CompletedProcess, Popen

    apart = _in_a_group_of_its_own()
    running = Popen(
        command, cwd=folder, env=environment, stdout=PIPE, stderr=PIPE, text=True, errors="replace", preexec_fn=apart
    )
    try:
        out, said = running.communicate(timeout=LONGEST)
    except BaseException:
        if apart is not None:
            os.killpg(running.pid, signal.SIGKILL)
        running.kill()
        running.communicate()
        raise
    return CompletedProcess(command, running.returncode, out, said)


def _in_a_group_of_its_own() -> Callable[[], None] | None:
    """What the child does before it becomes the compiler, which has children of its own."""
    if sys.platform != "linux":
        return None
    import resource

    def apart() -> None:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return apart


def _lacks_room(done: CompletedProcess[str]) -> bool:
    return done.returncode != 0 and any(said in done.stderr for said in ("No space left on device", "NoSpaceLeft"))


@cache
def _compiler() -> Path:
    """The program itself. `python -m ziglang` would look for a module of that name in the working directory first,
    which is the folder of somebody's project."""
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise MissingOnThisMachine(NO_COMPILER)
    return Path(spec.origin).with_name("zig")


@contextmanager
def _environment(apart: bool) -> Iterator[dict[str, str]]:
    """The tool has a cache of its own beside ours and fails without one: where none can be written, it gets one for
    this call. `apart`: there is no room in that one."""
    ours = Path(cache_folder())
    try:
        ours.mkdir(mode=0o700, parents=True, exist_ok=True)
        writable = os.access(ours.parent.parent, os.W_OK)
    except OSError:
        writable = False
    if not apart and (writable or "ZIG_GLOBAL_CACHE_DIR" in os.environ):
        yield dict(os.environ)
        return
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        yield {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder}


def shipped_compiler() -> str:
    """Which one made what this installation brings along."""
    content = read_from(shipped_folder(), COMPILER)
    if content is None:
        raise MissingOnThisMachine(NO_COMPILER)
    return content.decode()


@cache
def compiler_version() -> str:
    """Of the package `ziglang`: read from the folder of its description, because the library for that takes longer to
    load than a small program to check."""
    spec = find_spec("ziglang")
    if spec is not None and spec.origin is not None:
        described = [*Path(spec.origin).parent.parent.glob("ziglang-*.dist-info")]
        if len(described) == 1:
            return described[0].name.removeprefix("ziglang-").removesuffix(".dist-info")
        from importlib import metadata

        return metadata.version("ziglang")
    return shipped_compiler()


def _key(arguments: Sequence[str], files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for part in (compiler_version(), *arguments):
        digest.update(part.encode() + b"\0")
    for name, content in sorted((file.name, file.read_bytes()) for file in files):  # wherever they lie
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def run_tool(tool: str, arguments: Sequence[str], folder: Path, failure: str) -> str:
    """What a tool of the package prints, for what has no function of its own here."""
    return _run(tool, arguments, folder, failure)


def compile_source(arguments: Sequence[str], folder: Path, failure: str) -> None:
    """C of somebody's project, which may include a pipe or a device without an end."""
    _run("cc", arguments, folder, failure, bounded=True)


def compile_c_for(source: Path, headers: Sequence[Path], arguments: Sequence[str]) -> str:
    """The LLVM IR of a C source for a target that is no board."""
    full = c_arguments(arguments)

    def make() -> bytes:
        with tempfile.TemporaryDirectory(prefix="lfc-") as folder, once("compiling the kernel for this machine"):
            made = Path(folder) / "made.ll"
            command = [*full, source.name, "-o", str(made)]
            _run("cc", command, source.parent, f"{source.name} cannot be compiled")
            return made.read_bytes()

    return cached(c_name(source, headers, arguments) + ".ll", make).decode("utf-8")


def c_arguments(arguments: Sequence[str]) -> list[str]:
    return [*C_FLAGS, *arguments, "-S", "-emit-llvm"]


def c_name(source: Path, headers: Sequence[Path], arguments: Sequence[str]) -> str:
    """Of what `compile_c_for` makes of these."""
    return _key(c_arguments(arguments), [source, *headers])


def content_key(arguments: Sequence[str], files: Sequence[Path]) -> str:
    """A name for what these arguments make of these files."""
    return _key(arguments, files)
