"""Makes the record of a check: what was checked, and the image that it is about."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path

from lfc.actions.model.machine import Machine
from lfc.base.read_file import IMAGE, read_file
from lfc.base.version import __version__
from lfc.boards.descriptions.board import OPTIMISED_FOR, Board
from lfc.image.digest import flash_digest
from lfc.image.firmware import Firmware
from lfc.image.read_files import flash_in
from lfc.mcheck.check import chosen_properties
from lfc.mcheck.image.check_image import flash_of
from lfc.mcheck.image.report import verdict_of
from lfc.mcheck.request.request import Request
from lfc.mcheck.result.finding import Finding, Verdict
from lfc.mcheck.result.result import CheckResult
from lfc.records.record import DEADLOCKS, INCONCLUSIVE, Build, CheckRecord, Scope
from lfc.records.store import now
from lfc.toolchain.failure import ImageError
from lfc.toolchain.formats import in_format

PACKAGES = ("llvmlite", "ziglang")  # whose versions an image depends on


def record_of(
    machine: Machine,
    board: Board,
    firmware: Firmware,
    build: Build,
    request: Request,
    result: CheckResult,
) -> CheckRecord:
    """`machine`: the one that was checked; `firmware`: made of the same program, without a trace."""
    assert not firmware.traced
    main, made = machine.program.main, forms_of(board, firmware)
    return CheckRecord(
        image=firmware.digest,
        forms={form: flash_digest(flash_in(form, c, board.flash.start)) for form, c in made.items()},
        files={form: hashlib.sha256(content).hexdigest() for form, content in made.items()},
        program=firmware.program.hex(),
        file=Path(main.source.path).name,
        board=board.name,
        board_digest=board_digest(board),
        build=replace(build, definitions=machine.program.definitions),
        scope=scope_of(machine, request),
        verdict=result.verdict,
        reason=result.reason,
        states=result.states,
        transitions=result.transitions,
        errors=errors_of(result),
        properties=properties_of(machine, request, result),
        assumptions=tuple(result.assumptions),
        toolchain=toolchain(),
        checked_at=now(),
        resumed=result.resumed,
        seconds=round(result.seconds, 1),
        image_checked=image_check_of(firmware, board, request, result),
    )


def properties_of(machine: Machine, request: Request, result: CheckResult) -> dict[str, str]:
    """A search that ended too soon has not come to all of them."""
    looked_at = {str(p["name"]): str(p["verdict"]) for p in result.properties}
    if result.verdict != INCONCLUSIVE:
        return looked_at
    return {p.name: INCONCLUSIVE for p in chosen_properties(machine, request.claims)} | looked_at


def errors_of(result: CheckResult) -> tuple[str, ...]:
    found = [f"{f.kind}: {f.message}{place_of(f)}" for f in result.findings]
    if result.image is not None and result.image.mismatches:
        found.append("image: the flash contents do not behave as the program does")
    return tuple(found)


def place_of(f: Finding) -> str:
    """Of what fails at one place of the text."""
    return f" ({Path(f.span.source.path).name}:{f.span.line})" if f.kind in (Verdict.ASSERTION, Verdict.FAULT) else ""


def image_check_of(firmware: Firmware, board: Board, request: Request, result: CheckResult) -> dict[str, object] | None:
    """None: nobody looked. Raises ImageError if what was executed is not the image of the record."""
    if request.image is None or result.image is None:
        return None
    if request.image.flash != flash_of(dict(firmware.image.flash), board.flash):
        raise ImageError(f"{request.image.name} is not the image that is built, which the record describes")
    done = result.image
    return {
        "verdict": verdict_of(done),
        "states": done.states,
        "executions": done.executions,
        "instructions": done.instructions,
        "sampled": done.sampled,
        "stopped": done.stopped,
        "bytes": done.bytes_of_code,
        "executed": done.bytes_of_code - sum(end - start for start, end in done.never_executed()),
    }


def scope_of(machine: Machine, request: Request) -> Scope:
    chosen = {p.name for p in chosen_properties(machine, request.claims)}
    claims = request.claims
    left_out = [p.name for module in machine.program.modules for p in module.properties if p.name not in chosen]
    if claims.allow_deadlocks:
        left_out.append(DEADLOCKS)
    return Scope(
        properties=tuple(sorted(claims.properties)),
        fairness=claims.fairness,
        fair=tuple(claims.fair),
        deadlocks="allow" if claims.allow_deadlocks else "report",
        environment=digests_of_environment(machine),
        left_out=tuple(left_out),
    )


def forms_of(board: Board, firmware: Firmware) -> dict[str, bytes]:
    """The files that `lfc build` writes for the board's flash."""
    flash = firmware.image.flash
    return {form: in_format(form, flash, board.flash.start, board.family) for form in board.outputs}


def board_digest(board: Board) -> str:
    """Of all that its description says, the linker script included, wherever they lie."""
    told = asdict(board) | {"linker_script": board.linker_script.read_text(encoding="utf-8")}
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()


def board_digests(board: Board) -> frozenset[str]:
    """Whatever its images are optimised for: of that the image says all."""
    return frozenset(board_digest(replace(board, optimise=which)) for which in OPTIMISED_FOR)


def digests_of_environment(machine: Machine) -> dict[str, str]:
    """Of all its modules, also of those that others of them import."""
    sources = [m.source for m in machine.program.modules if m.environment]
    return {Path(s.path).name: hashlib.sha256(s.text.encode()).hexdigest() for s in sources}


def digests_of_files(files: Sequence[str]) -> dict[str, str]:
    return {Path(f).name: hashlib.sha256(read_file(f, IMAGE)).hexdigest() for f in files}


def toolchain() -> dict[str, str]:
    return {"lfc": __version__, "python": platform.python_version()} | {p: metadata.version(p) for p in PACKAGES}
