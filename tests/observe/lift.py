"""The program that the tests watch: a lift whose door opens one floor too early, where it is told to."""

from __future__ import annotations

LIFT = """MODULE Lift;

CONST LAST = 4;
VAR floor : INTEGER; moving, door : BOOLEAN;

PROPERTY safe = ALWAYS ~(moving & door);
PROPERTY starts = EVENTUALLY moving;
PROPERTY answers = ALWAYS (moving IMPLIES EVENTUALLY door);
PROPERTY late = EVENTUALLY moving WITHIN 5 MS;
PROPERTY never;
BEGIN
  WHILE ~(moving & door) DO RESCHEDULE END;
  LOOP ACCEPT; RESCHEDULE END
END never;

BEGIN
  LOOP
    moving := TRUE;
    RESCHEDULE;
    floor := floor + 1;
    moving := floor = LAST;
    RESCHEDULE;
    door := TRUE;
    RESCHEDULE;
    moving := FALSE;
    door := FALSE;
    RESCHEDULE
  END
END Lift.
"""
