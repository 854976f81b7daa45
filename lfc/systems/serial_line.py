"""The main module of a board's image: what carries the frames of its links over its serial line.

A frame is its header (number of the link, whether it is an answer, the bit), the number of the message, its values and
a CRC-16, between two flags, with bytes stuffed as in HDLC (ISO 13239). What is no frame is nobody's affair: text on the
console's line may stand between frames.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.systems.carried import Cable
from lfc.systems.description import Line
from lfc.systems.protocol import FRAMES, module_name

FLAG, ESCAPE, FLIP = 0x7E, 0x7D, 0x20
ANSWER, BIT, NUMBER = 1, 0, 2  # bits of the header; the number of the link begins at the last

TEXT = """(* What runs on board `{part}`: its program, its ends of links, and its serial line. *)
MODULE {own};
IMPORT CRC, SYSTEM, UART, {frames}, {links};
CONST
  FLAG = 7EH; ESCAPE = 7DH; FLIP = 20H;
  CAPACITY = {frames}.SIZE + 4; (* header, message, values, checksum *)
VAR
  out : ARRAY CAPACITY OF UINT8; (* the frame that is being sent, and the one that is coming *)
  came : ARRAY CAPACITY OF UINT8;
  crc : UINT16;

PROCESS Put(b : UINT8);
BEGIN
  IF (b = FLAG) OR (b = ESCAPE) THEN
    UART.Send(CHR(ESCAPE));
    UART.Send(CHR(BXOR(b, FLIP)))
  ELSE
    UART.Send(CHR(b))
  END
END Put;

(* The first bytes of `out`, and their checksum. *)
PROCESS PutFrame(count : UINT8);
VAR i : UINT8;
BEGIN
  crc := CRC.OF_CCITT;
  FOR i := 0 TO count - 1 DO CRC.CCITT(crc, out[i]) END;
  UART.Send(CHR(FLAG));
  FOR i := 0 TO count - 1 DO Put(out[i]) END;
  Put(UINT8(LSR(crc, 8)));
  Put(UINT8(crc MOD 256));
  UART.Send(CHR(FLAG))
END PutFrame;

PROCESS Transmit SERVER;
VAR bit : BOOLEAN; tag : UINT8; data : {frames}.Bytes;

  PROCESS PutData(link, count : UINT8);
  VAR i : UINT8;
  BEGIN
    out[0] := link + UINT8(ORD(bit));
    out[1] := tag;
    IF count > 0 THEN FOR i := 0 TO count - 1 DO out[i + 2] := data[i] END END;
    PutFrame(count + 2)
  END PutData;

BEGIN
  LOOP
    SELECT
{sending}
    END
  END
END Transmit;

PROCESS Listen SERVER;
VAR ch : CHAR; count : UINT8; escaped, whole : BOOLEAN; check : UINT16;
  bit : BOOLEAN; data : {frames}.Bytes; i : UINT8;
BEGIN
  LOOP
    UART.received?byte(ch);
    IF ch = CHR(FLAG) THEN
      IF whole & ~escaped & (count >= 3) THEN
        check := CRC.OF_CCITT;
        FOR i := 0 TO count - 1 DO CRC.CCITT(check, came[i]) END;
        IF check = 0 THEN
          bit := 0 IN came[0];
          CASE SYSTEM.VAL(UINT8, BAND(came[0], 0FEH)) OF
{receiving}
          ELSE
          END
        END
      END;
      count := 0; escaped := FALSE; whole := TRUE
    ELSIF ch = CHR(ESCAPE) THEN
      escaped := TRUE
    ELSIF count < CAPACITY THEN
      came[count] := UINT8(ORD(ch));
      IF escaped THEN came[count] := BXOR(came[count], FLIP); escaped := FALSE END;
      INC(count)
    ELSE
      whole := FALSE
    END
  END
END Listen;

BEGIN
  UART.Start({rate});
  CREATE Transmit;
  CREATE Listen
END {own}.
"""


def main_name(part: str) -> str:
    return f"{part}_board"


def main_module(part: str, cables: Sequence[Cable], line: Line) -> str:
    """Without links it only runs the board's program."""
    mine = [c for c in cables if c.link.ends_at(part)]
    own = main_name(part)
    if not mine:
        return f"MODULE {own};\nIMPORT {part};\nEND {own}.\n"
    links = module_name(part)
    sending, receiving = [], []
    for c in mine:
        name, data = c.link.name, c.link.number << NUMBER
        answer = data | 1 << ANSWER
        if c.link.sender.part == part:
            sending.append(f"      WHEN {links}.{name}?frame(bit, tag, data) THEN PutData({data}, {c.size})")
            receiving.append(f"{answer}: IF count = 3 THEN SELECT WHEN {links}.{name}_post!ack(bit) THEN ELSE END END")
        else:
            take = f"FOR i := 0 TO {c.size - 1} DO data[i] := came[i + 2] END; " if c.size else ""
            offer = f"SELECT WHEN {links}.{name}!frame(bit, came[1], data) THEN ELSE END"
            receiving.append(f"{data}: IF count = {c.size + 4} THEN {take}{offer} END")
            put = f"out[0] := {answer} + UINT8(ORD(bit)); PutFrame(1)"
            sending.insert(0, f"      WHEN {links}.{name}_answers?ack(bit) THEN {put}")
    cases = "            " + "\n            | ".join(receiving)
    return TEXT.format(
        part=part,
        own=own,
        frames=FRAMES,
        links=links,
        sending="\n".join(sending),
        receiving=cases,
        rate=line.rate,
    )
