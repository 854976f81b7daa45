"""The exit codes of `lfc`, in one place; docs/reference/exit-codes.md says the same (tested)."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    SOURCE_ERROR = 1
    USAGE = 2
    DEADLOCK = 3
    FAULT = 4
    PROPERTY = 5
    INCONCLUSIVE = 6
    INTERNAL = 7
    ENVIRONMENT = 8
    BOARD = 9
    IMAGE = 10
    INTERRUPTED = 130


MEANING = {
    Exit.OK: "Success; warnings do not change it.",
    Exit.SOURCE_ERROR: "The program has errors, a file cannot be read, or `lfc fmt --check` would change one.",
    Exit.USAGE: "The command line is wrong.",
    Exit.DEADLOCK: "The program deadlocks, fully or in part.",
    Exit.FAULT: "An assertion fails or a fault occurs.",
    Exit.PROPERTY: "A property does not hold.",
    Exit.INCONCLUSIVE: "No verdict: a limit was reached first.",
    Exit.INTERNAL: "An error in `lfc` itself; a crash report is written; please send it in.",
    Exit.ENVIRONMENT: "Something is missing on this machine; `lfc doctor` says what.",
    Exit.BOARD: "A board was not found, or could not be flashed; the message says at which stage.",
    Exit.IMAGE: "An image does not behave as the program that was checked, or is not the one that is built.",
    Exit.INTERRUPTED: "Interrupted with Ctrl-C, or terminated (SIGTERM).",
}
