"""The program whose figures the language reference has: senders on one channel, and one who receives."""

from __future__ import annotations


def senders(n: int) -> str:
    return f"""MODULE Senders;
TYPE C = [s];
PORT c : C;
VAR i : INTEGER;
PROCESS Send(c : C); BEGIN LOOP c!s END END Send;
PROCESS Receive(c : C); BEGIN LOOP c?s END END Receive;
BEGIN NEW(c); FOR i := 1 TO {n} DO CREATE Send(c) END; CREATE Receive(c)
END Senders.
"""
