"""The files of a new project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.cli.common.sources import FILE

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

PROJECT = """# A project of LF. In this folder `lfc build`, `lfc run` and `lfc size` need no file and no board.
main = "blink.lf"
board = "{board}"
# What `lfc flash` asks of `lfc check`: "proof" (every state was visited), "no-error-found" or "none". A counterexample
# always blocks.
require = "no-error-found"
# at-least-states = 100000  # of a search that ended before all states were visited; or at-least-seconds = 60
# env = ["World.lf"]  # models of the hardware, with which `lfc check` and editors check
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

WORLD = """(* A model of the hardware around the program: lfc check --env World.lf

   A register reads as it was written last. Before that {before}. Devices
   that answer otherwise, such as a button or a sensor, are clauses of their own. *)
ENVIRONMENT MODULE World;
IMPORT SYSTEM;
CONST
  MOST = 12; (* registers that the program may write *)
  ONES = 0FFFFFFFFH;
VAR
  address, value : ARRAY MOST OF UINT32;
  known : INTEGER;

PROCESS Answer(width : UINT8; bits : UINT32);
BEGIN
  IF width = 8 THEN bits := bits MOD 256 ELSIF width = 16 THEN bits := bits MOD 65536 END;
  SYSTEM.IOPORT!VALUE(bits)
END Answer;

PROCESS Registers SERVER;
VAR
  width : UINT8;
  at, written : UINT32;
  i : INTEGER;
BEGIN
  LOOP
    SELECT
      WHEN SYSTEM.IOPORT?PORTIN(width, at) THEN
        i := 0;
        WHILE (i < known) & (address[i] # at) DO INC(i) END;
        IF i < known THEN
          Answer(width, value[i])
        ELSE
          {unwritten}
        END
      WHEN SYSTEM.IOPORT?PORTOUT(width, at, written) THEN
        i := 0;
        WHILE (i < known) & (address[i] # at) DO INC(i) END;
        ASSERT(i < MOST);
        IF i = known THEN address[i] := at; INC(known) END;
        value[i] := written
    END
  END
END Registers;

BEGIN
  CREATE Registers
END World.
"""
ANYTHING = {"before": "its bits are all 0 or all 1", "unwritten": "CHOICE Answer(width, 0) | Answer(width, ONES) END"}
# Drivers wait for such bits, each of which would be chosen again in each round.
READY = {"before": "all its bits are 1, as if every device were ready", "unwritten": "Answer(width, ONES)"}
WAITS_FOR_ONES = ("rp2040",)  # chips

README = """# {name}

A program in LF for the board {board}: a light that blinks in a pattern.

| file | what it is |
| --- | --- |
| `blink.lf` | the program |
| `Pattern.lf` | a module: which light comes next, for how long |
| `PatternTest.lf` | a test of that module, on this machine |
| `World.lf` | a model of the hardware, for checks with assumptions about it |
| `lf.toml` | the program, the board, and what `lfc flash` asks of a check |

```sh
lfc check                    # every state that the program can reach
lfc check --env World.lf     # with a model of the hardware
lfc run PatternTest.lf       # the test
lfc build                    # the image
lfc flash                    # onto the board: only what was checked
```

`pip install lf-toolchain` installs `lfc`; `lfc doctor` says what else is useful.
"""

IGNORED = """# What `lfc` makes: images, and records of checks
*.elf
*.hex
*.bin
*.uf2
*.esp
*.map
.lf/
"""

CI = """name: check
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install lf-toolchain
      - run: lfc fmt --check *.lf
      - run: lfc check --time 600
      - run: lfc run PatternTest.lf
      - run: lfc build
"""

VSCODE = """{
  "files.associations": { "*.lf": "lf-toolchain" },
  "[lf-toolchain]": { "editor.formatOnSave": true }
}
"""

EDITORCONFIG = """[*.lf]
charset = utf-8
end_of_line = lf
indent_style = space
indent_size = 2
insert_final_newline = true
"""


def project_files(name: str, board: Board) -> dict[str, str]:
    """By path in its folder."""
    first_reads = READY if board.cpu.chip.startswith(WAITS_FOR_ONES) else ANYTHING
    return {
        FILE: PROJECT.format(board=board.name),
        "blink.lf": BLINK,
        "Pattern.lf": PATTERN,
        "PatternTest.lf": TEST,
        "World.lf": WORLD.format(**first_reads),
        "README.md": README.format(name=name, board=board.name),
        ".gitignore": IGNORED,
        ".editorconfig": EDITORCONFIG,
        ".github/workflows/check.yml": CI,
        ".vscode/settings.json": VSCODE,
    }
