"""`lfc new`: a project that can be built, run and tested at once."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lfc.cli.common.firmware import required_board
from lfc.cli.common.output import output_options
from lfc.cli.common.project import FILE
from lfc.cli.devices.boards import emulators

PROJECT = """# A project of LF. In this folder `lfc build`, `lfc run` and `lfc size` need no file and no board.
main = "blink.lf"
board = "{board}"
# What `lfc flash` asks of `lfc check`: "proof" (every state was visited), "no-error-found" or "none". A counterexample
# always blocks.
require = "no-error-found"
# at-least-states = 100000  # of a search that ended before all states were visited; or at-least-seconds = 60
"""

BLINK = """(* The light of the board, which blinks in a pattern. *)
MODULE Blink;
IMPORT Clock, GPIO, Pattern;

PROCESS Blinker SERVER;
VAR
  on : BOOLEAN;
  pause : INTEGER;
BEGIN
  LOOP
    Pattern.Next(on, pause);
    GPIO.Light(on);
    Clock.Sleep(pause)
  END
END Blinker;

BEGIN
  GPIO.Configure(GPIO.LED, GPIO.output);
  CREATE Blinker
END Blink.
"""

PATTERN = """(* Two short flashes, then a rest. *)
MODULE Pattern;
CONST
  FLASH* = 100; (* milliseconds *)
  REST* = 700;
VAR step : INTEGER;

(* Whether the light is on next, and for how long it stays so. *)
PROCESS Next*(VAR on : BOOLEAN; VAR pause : INTEGER);
BEGIN
  on := ~ODD(step);
  IF step = 3 THEN pause := REST ELSE pause := FLASH END;
  step := (step + 1) MOD 4
END Next;

END Pattern.
"""

TEST = """(* A test of Pattern, on this machine: lfc run PatternTest.lf *)
MODULE PatternTest;
IMPORT Out, Pattern;
VAR
  on : BOOLEAN;
  pause, i : INTEGER;
BEGIN
  FOR i := 0 TO 7 DO
    Pattern.Next(on, pause);
    ASSERT(on = ~ODD(i));
    ASSERT((pause = Pattern.REST) = (i MOD 4 = 3))
  END;
  Out.String("the pattern is right");
  Out.Ln
END PatternTest.
"""


@click.command("new", short_help="Start a project.")
@click.argument("name", metavar="NAME")
@click.option("-b", "--board", metavar="BOARD", help="The board; `lfc boards` lists them.")
@output_options
def command(name: str, board: str | None) -> None:
    """Start a project in the new folder NAME: lf.toml, a light that blinks, and a test of its pattern."""
    target = required_board(board, None)
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"{folder} already exists and is not empty.")
    files = {
        FILE: PROJECT.format(board=target.name),
        "blink.lf": BLINK,
        "Pattern.lf": PATTERN,
        "PatternTest.lf": TEST,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}") from None
    hints = [
        "lfc build",
        "lfc run PatternTest.lf",
        *(["lfc run --seconds 5"] if emulators(target) else []),
    ]
    print(f"{folder}: {', '.join(files)}", f"Try there: {'; '.join(hints)}", sep="\n", file=sys.stderr)
