"""What is said of names that every module knows."""

from __future__ import annotations

from lfc.semantics.model import types as ty
from lfc.semantics.names.universe import PREDECLARED_TYPES

# name -> (how it is called, what it does)
PREDECLARED: dict[str, tuple[str, str]] = {
    "ABS": ("ABS(x)", "the absolute value; a fault for the lowest value of a signed type"),
    "ODD": ("ODD(x)", "whether a number is odd"),
    "ORD": ("ORD(x)", "the number of a CHAR, an enumeration's value, a BOOLEAN or a set"),
    "CHR": ("CHR(x)", "the CHAR with this code, checked"),
    "LEN": ("LEN(a)", "the number of elements of an array or a string"),
    "MIN": ("MIN(x, y)", "the smaller of two numbers; `MIN(T)`: the lowest value of a type"),
    "MAX": ("MAX(x, y)", "the larger of two numbers; `MAX(T)`: the highest value of a type"),
    "SIZE": ("SIZE(T)", "the bytes of a type"),
    "LSL": ("LSL(x, n)", "x shifted left by n bits, in the type of x"),
    "ASR": ("ASR(x, n)", "x shifted right by n bits; copies of the sign come in if its type is signed, else zeros"),
    "LSR": ("LSR(x, n)", "x shifted right by n bits; zeros come in"),
    "BAND": ("BAND(x, y)", "the bits that both unsigned numbers have"),
    "BOR": ("BOR(x, y)", "the bits that one of the unsigned numbers has, or both"),
    "BXOR": ("BXOR(x, y)", "the bits in which the unsigned numbers differ"),
    "BNOT": ("BNOT(x)", "all bits of an unsigned number turned over"),
    "BITS": (
        "BITS(x, low, high)",
        "the number in these bits of an unsigned number; or BITS(x, field), a constant set",
    ),
    "SETBITS": (
        "SETBITS(x, low, high, v)",
        "x with v in these bits, or SETBITS(x, field, v); a fault if v has no room",
    ),
    "ROR": ("ROR(x, n)", "x rotated right by n bits in the width of its type"),
    "ROUND": ("ROUND(T, x)", "the value of T nearest to the exact x, a fixed-point expression; halves go up"),
    "FLOOR": ("FLOOR(T, x)", "the highest value of T that is not above the exact x, a fixed-point expression"),
    "SATURATE": ("SATURATE(T, x)", "as ROUND, but what lies beyond T becomes its lowest or highest value"),
    "PORTIN": ("PORTIN(address)", "reads a byte from the hardware, a UINT8"),
    "PORTIN16": ("PORTIN16(address)", "reads two bytes from the hardware, a UINT16"),
    "PORTIN32": ("PORTIN32(address)", "reads four bytes from the hardware, a UINT32"),
    "INC": ("INC(x, n)", "adds n to x, or 1 without n"),
    "DEC": ("DEC(x, n)", "subtracts n from x, or 1 without n"),
    "INCL": ("INCL(s, n)", "puts the element n into the set s; sets bit n of an unsigned number"),
    "EXCL": ("EXCL(s, n)", "takes the element n out of the set s; clears bit n of an unsigned number"),
    "NEW": ("NEW(p)", "makes a channel and lets port p name it"),
    "ASSERT": ("ASSERT(b)", "a fault if b is FALSE; `lfc check` looks for it in every state"),
    "PORTOUT": ("PORTOUT(address, v)", "writes a byte to the hardware"),
    "PORTOUT16": ("PORTOUT16(address, v)", "writes two bytes to the hardware"),
    "PORTOUT32": ("PORTOUT32(address, v)", "writes four bytes to the hardware"),
    "READY": ("READY(P[i])", "in a property: the process in slot i is ready to run"),
    "WAITING": ("WAITING(P[i])", "in a property: the process in slot i waits"),
    "ENDED": ("ENDED(P)", "in a property: no process of this kind lives"),
    "TAKEN": ("TAKEN(p.m)", "in a property: the last step was a meeting with message m on the channel of port p"),
    "SYSTEM.VAL": ("SYSTEM.VAL(T, x)", "the low bits of x taken as a T, unchecked"),
    "SYSTEM.INT": ("SYSTEM.INT[n]", "the channel of interrupt n; its message is INTERRUPT"),
    "SYSTEM.IOPORT": ("SYSTEM.IOPORT", "the other side of port accesses, for environments"),
    "SYSTEM.WRITE": ("SYSTEM.WRITE(c)", "writes a CHAR to the console"),
    "SYSTEM.READ": ("SYSTEM.READ(c)", "reads a CHAR from the console: a scheduling point"),
    "Clock.Now": ("Clock.Now", "the time in milliseconds, a UINT32 that wraps"),
    "Clock.After": ("Clock.After(t)", "as the event of a SELECT: nothing else went for t milliseconds"),
    "Clock.Sleep": ("Clock.Sleep(t)", "waits for t milliseconds: a scheduling point"),
    "SYSTEM": ("IMPORT SYSTEM", "interrupts, port accesses and the console below the library"),
    "Clock": ("IMPORT Clock", "time"),
    "TRUE": ("TRUE", "a BOOLEAN"),
    "FALSE": ("FALSE", "a BOOLEAN"),
}


def predeclared_text(name: str) -> str:
    if name in PREDECLARED_TYPES:
        return f"```lf\n{name}\n```\n\n{of_type(PREDECLARED_TYPES[name])}"
    call, said = PREDECLARED.get(name, PREDECLARED.get(name.upper(), (name, "")))
    return f"```lf\n{call}\n```\n\n{said}"


def of_type(t: ty.Type) -> str:
    size = ty.size_and_alignment(t)[0]
    bytes_text = f"{size} byte{'s' * (size != 1)}"
    if isinstance(t, ty.IntegerType):
        return f"numbers from {t.low} to {t.high}; {bytes_text}"
    if isinstance(t, ty.SetType):
        return f"sets of the numbers 0 to {t.bits - 1}; {bytes_text}"
    return f"{'TRUE and FALSE' if t is ty.BOOLEAN else 'characters by their codes, 0X to 0FFX'}; {bytes_text}"
