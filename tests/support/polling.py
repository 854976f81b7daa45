"""A program that asks a device until it is ready, and the device."""

from __future__ import annotations

PROGRAM = """MODULE {name};
CONST STATUS* = {status}; DATA* = {data};
VAR status : UINT8;
BEGIN
  RESCHEDULE;
  REPEAT
    RESCHEDULE;
    status := PORTIN(STATUS)
  UNTIL status = 1;
  PORTOUT(DATA, 99)
END {name}.
"""
DEVICE = """ENVIRONMENT MODULE {name};
IMPORT {program}, SYSTEM;
VAR ready : BOOLEAN; value : UINT32;
PROCESS Registers SERVER;
BEGIN
  LOOP
    SELECT
      WHEN SYSTEM.IOPORT?PORTIN(8, {program}.STATUS) THEN
        CHOICE ready := FALSE | ready := TRUE END;
        SYSTEM.IOPORT!VALUE(UINT32(ORD(ready)))
      WHEN SYSTEM.IOPORT?PORTOUT(8, {program}.DATA, value) THEN
        ASSERT(ready & (value < 256))
    END
  END
END Registers;
BEGIN
  CREATE Registers
END {name}.
"""
