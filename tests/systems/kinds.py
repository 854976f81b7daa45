"""A board that sends values of all kinds to another, which looks at them."""

from __future__ import annotations

from pathlib import Path

VALUES = """MODULE Sender;
IMPORT Kinds;
PORT out* : Kinds.Line;
PROCESS Send WEAK;
BEGIN
  out!numbers(-2, -300, 70000, -70001, 200, 60000, 4000000000);
  out!others(Kinds.blue, 'z', TRUE, {0, 7}, 9, "abc", {3, 31}, Kinds.Levels);
  out!end
END Send;
BEGIN
  NEW(out);
  CREATE Send
END Sender.
"""
LOOK = """MODULE Looker;
IMPORT Kinds, Out;
PORT in* : Kinds.Line;
VAR a : INT8; b : INT16; c, d : INT32; e : UINT8; f : UINT16; g : UINT32;
  colour : Kinds.Colour; ch : CHAR; yes : BOOLEAN; few : SET8; digit : Kinds.Digit; text : Kinds.Text; many : SET;
  levels : Kinds.Level; seen* : INTEGER;
PROCESS Look WEAK;
BEGIN
  in?numbers(a, b, c, d, e, f, g);
  ASSERT((a = -2) & (b = -300) & (c = 70000) & (d = -70001) & (e = 200) & (f = 60000) & (g = 4000000000));
  in?others(colour, ch, yes, few, digit, text, many, levels);
  ASSERT((colour = Kinds.blue) & (ch = 'z') & yes & (few = {0, 7}) & (digit = 9) & (text = "abc") & (many = {3, 31}));
  ASSERT((levels[0] = -1) & (levels[1] = 2000));
  in?end;
  seen := 3;
  Out.String("all seen"); Out.Ln
END Look;
BEGIN
  NEW(in);
  CREATE Look
END Looker.
"""
KINDS = """MODULE Kinds;
TYPE
  Colour* = (red, green, blue); Digit* = 0 .. 9; Text* = ARRAY 5 OF CHAR; Level* = ARRAY 2 OF INT16;
  Line* = [numbers(INT8, INT16, INT32, INT32, UINT8, UINT16, UINT32),
           others(Colour, CHAR, BOOLEAN, SET8, Digit, Text, SET, Level), end];
CONST Levels* : Level = [-1, 2000];
END Kinds.
"""


def write_kinds(folder: Path, line: str = "") -> Path:
    for name, text in (("Sender", VALUES), ("Looker", LOOK), ("Kinds", KINDS)):
        (folder / f"{name}.lf").write_text(text)
    boards = '[boards.s]\nrun = "Sender.lf"\nboard = "uno"\n[boards.r]\nrun = "Looker.lf"\nboard = "microbit"\n'
    ends = '[links.l]\nfrom = "s.out"\nto = "r.in"\n'
    (folder / "kinds.toml").write_text(boards + ends + line)
    return folder / "kinds.toml"
