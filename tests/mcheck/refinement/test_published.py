"""Small examples of the literature on CSP and of its checkers, rebuilt, with the verdicts that are published."""

from __future__ import annotations

import pytest

from lfc.mcheck.refinement.refine import MODELS, Refinement, refine
from tests.campaign.checking.refinement import behaviour, opened

HEAD = "MODULE Visible; TYPE Bit* = 0 .. 1; Ch* = [m(Bit), n]; PORT a*, b*, c* : Ch; h, i, j, k : Ch;\n"
TAIL = " END Visible.\n"
NEWS = "NEW(a); NEW(b); NEW(c); NEW(h); NEW(i); NEW(j); NEW(k);"


def one(body: str) -> str:
    """A module with one process."""
    return f"{HEAD}PROCESS P; VAR x, y : Bit; BEGIN {body} END P;\nBEGIN {NEWS} CREATE P{TAIL}"


def many(processes: str, *creates: str) -> str:
    return f"{HEAD}{processes}\nBEGIN {NEWS} {'; '.join(f'CREATE {c}' for c in creates)}{TAIL}"


def compared(specification: str, implementation: str, model: str, ports: str = "abc") -> Refinement:
    first, second = (behaviour(*opened(text, True), list(ports)) for text in (specification, implementation))
    return refine(first, second, model)


def verdicts(specification: str, implementation: str, ports: str = "abc") -> list[str]:
    """In traces, failures, fd: `yes`, or what is wrong."""
    first, second = (behaviour(*opened(text, True), list(ports)) for text in (specification, implementation))
    results = [refine(first, second, model) for model in MODELS]
    return ["yes" if r.violation is None else r.violation.kind for r in results]


EXTERNAL = one("SELECT WHEN a!n THEN WHEN b!n THEN END")  # a -> STOP [] b -> STOP
INTERNAL = one("CHOICE a!n | b!n END")  # a -> STOP |~| b -> STOP
STOP = one("h!n")
LOOP_A = one("LOOP a!n END")  # P = a -> P
LOOP_OR_STOP = one("LOOP CHOICE a!n | h!n END END")  # P = a -> P |~| STOP
SPIN = one("LOOP RESCHEDULE END")  # DIV
HIDDEN = one("LOOP a!n; LOOP b!n END END")
RUN = one("LOOP SELECT WHEN a!n THEN WHEN b!n THEN WHEN c!n THEN END END")
CHAOS = one("LOOP CHOICE SELECT WHEN a!n THEN WHEN b!n THEN WHEN c!n THEN END | a!n | b!n | c!n | h!n END END")


@pytest.mark.parametrize(
    ("specification", "implementation", "ports", "published"),
    [
        # Hoare 1985, 3.3: both choices have the same traces; only the external one never refuses what it offers.
        (INTERNAL, EXTERNAL, "abc", ["yes", "yes", "yes"]),
        (EXTERNAL, INTERNAL, "abc", ["yes", "refusal", "refusal"]),
        # STOP refines everything in the traces model (Roscoe 1997, 1.3.2), and nothing that must offer something.
        (LOOP_A, STOP, "abc", ["yes", "refusal", "refusal"]),
        (STOP, LOOP_A, "abc", ["event", "event", "event"]),
        # The least deterministic behaviour: its refinements may stop (Roscoe 1997, 3.3).
        (LOOP_OR_STOP, LOOP_A, "abc", ["yes", "yes", "yes"]),
        (LOOP_A, LOOP_OR_STOP, "abc", ["yes", "refusal", "refusal"]),
        # DIV has no stable failures, so it refines all in failures; in failures and divergences nothing but what
        # diverges, and everything refines it (Roscoe 1997, 8.3).
        (LOOP_A, SPIN, "abc", ["yes", "yes", "divergence"]),
        (SPIN, LOOP_A, "abc", ["event", "refusal", "yes"]),
        (SPIN, SPIN, "abc", ["yes", "yes", "yes"]),
        # Hiding makes (P = b -> P) \ {b} diverge (Hoare 1985, 3.5.1), after a.
        (one("a!n; h!n"), HIDDEN, "a", ["yes", "yes", "divergence"]),
        # RUN and CHAOS (Roscoe 1997, 1.1.1 and 3.3): all traces; CHAOS may refuse all as well, RUN nothing.
        (CHAOS, RUN, "abc", ["yes", "yes", "yes"]),
        (RUN, CHAOS, "abc", ["yes", "refusal", "refusal"]),
        (CHAOS, INTERNAL, "abc", ["yes", "yes", "yes"]),
    ],
)
def test_the_small_examples_of_the_books(
    specification: str, implementation: str, ports: str, published: list[str]
) -> None:
    assert verdicts(specification, implementation, ports) == published


COPY = "PROCESS Copy(p, q : Ch); VAR x : Bit; BEGIN LOOP p?m(x); q!m(x) END END Copy;"
BUFFER = """PROCESS Buffer; VAR q : ARRAY 2 OF Bit; n : 0 .. 2; x : Bit;
BEGIN LOOP SELECT
  WHEN a?m(x) & (n < 2) THEN q[n] := x; INC(n)
  WHEN b!m(q[0]) & (n > 0) THEN q[0] := q[1]; DEC(n)
END END END Buffer;"""


def test_a_chain_of_copies_is_a_buffer() -> None:
    """COPY >> COPY = a buffer of two (Hoare 1985, 4.4; `B2` among FDR's examples)."""
    buffer, chain = many(BUFFER, "Buffer"), many(COPY, "Copy(a, h)", "Copy(h, b)")
    assert verdicts(buffer, chain) == ["yes", "yes", "yes"] == verdicts(chain, buffer)
    assert verdicts(buffer, many(COPY, "Copy(a, b)")) == ["yes", "refusal", "refusal"]
    three = compared(buffer, many(COPY, "Copy(a, h)", "Copy(h, i)", "Copy(i, b)"), "fd").violation
    assert three is not None and (three.trace, three.event) == (["a?m(0)", "a?m(0)"], "a?m(0)")


ABP = """PROCESS Sender; VAR x, bit, got : Bit; done : BOOLEAN;
BEGIN LOOP a?m(x); done := FALSE;
  WHILE ~done DO SELECT
    WHEN h!p(x, bit) THEN
    WHEN k?q(got) THEN IF got = bit THEN done := TRUE; bit := 1 - bit END
  END END END END Sender;
PROCESS Forward; VAR x, y : Bit; BEGIN LOOP h?p(x, y); CHOICE i!p(x, y) | RESCHEDULE END END END Forward;
PROCESS Back; VAR x : Bit; BEGIN LOOP j?q(x); CHOICE k!q(x) | RESCHEDULE END END END Back;
PROCESS Receiver; VAR x, bit, want : Bit;
BEGIN want := 0; LOOP SELECT
    WHEN i?p(x, bit) THEN IF bit = want THEN b!m(x); want := 1 - want END
    WHEN j!q(1 - want) THEN
  END END END Receiver;"""


def abp(text: str) -> str:
    """The inner ports carry numbered messages and acknowledgements."""
    inner = HEAD.replace("PORT", "Link = [p(Bit, Bit), q(Bit)]; PORT").replace("k : Ch", "k : Link")
    return many(text, "Sender", "Forward", "Back", "Receiver").replace(HEAD, inner)


def test_the_alternating_bit_protocol() -> None:
    """It is a buffer of one place (Roscoe 1997, 5.3), where one forgives that it may lose for ever."""
    buffer = many(COPY, "Copy(a, b)")
    assert verdicts(buffer, abp(ABP)) == ["yes", "yes", "divergence"]
    forgets = ABP.replace("IF bit = want THEN b!m(x); want := 1 - want END", "b!m(x); want := 1 - want")
    found = compared(buffer, abp(forgets), "traces").violation
    assert found is not None and (found.kind, found.trace, found.event) == ("event", ["a?m(0)", "b!m(0)"], "b!m(0)")


def test_a_fault_is_an_event_that_the_specification_lacks() -> None:
    found = compared(LOOP_A, one("a!n; ASSERT(x = 1)"), "traces").violation
    assert found is not None
    assert (found.trace, found.event, found.fault) == (["a!n"], "fault", "the assertion failed")
    assert len(found.blocks) == len(found.steps)
