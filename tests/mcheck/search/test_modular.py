"""Modular exploration beside the full search: the same verdicts, far fewer states where modules are loosely coupled."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.request.bounds import NotModular
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.result.result import CheckResult
from tests.generate.clustered import RING
from tests.generate.recipes import text_of
from tests.support.searched import example, machine_from, philosophers


def checked(text: str, search: str, **more: object) -> CheckResult:
    return check(machine_from(text), request_from(strategy=search, threads=1, **more))


def agree(seeds: range) -> Counter[str]:
    """Ways to errors are replayed before they are told."""
    verdicts: Counter[str] = Counter()
    for seed in seeds:
        machine = machine_from(text_of("clustered", seed))
        whole = check(machine, request_from(threads=1, states=20_000))
        if whole.verdict == "inconclusive":
            continue
        modular = check(machine, request_from(threads=1, strategy="modular"))
        assert modular.verdict == whole.verdict, seed
        kinds = ("assertion", "fault")
        assert {f.message for f in modular.findings if f.kind in kinds} <= {f.message for f in whole.findings} or (
            whole.findings[0].kind in kinds
        ), seed
        verdicts[whole.verdict] += 1
    return verdicts


def test_verdicts_of_random_programs() -> None:
    verdicts = agree(range(14))
    assert min(verdicts[v] for v in ("holds", "deadlock", "partial-deadlock")) >= 1
    assert verdicts.total() >= 12


EARLY = """MODULE Early;
TYPE Ch = [m];
PORT c : Ch;
PROCESS S SERVER; BEGIN CHOICE RESCHEDULE; c!m | RESCHEDULE END END S;
PROCESS W; BEGIN CHOICE RESCHEDULE | c?m END END W;
BEGIN NEW(c); CREATE S; CREATE W END Early.
"""


def test_a_deadlock_beside_a_good_end_of_the_same_server() -> None:
    """The server waits and nobody else is there: that is fine. If it has ended, `W` waits for ever."""
    assert checked(EARLY, "breadth").verdict == "deadlock"
    assert checked(EARLY, "modular").verdict == "deadlock"


def test_verdicts_of_processes_that_choose_with_whom_they_speak() -> None:
    verdicts: Counter[str] = Counter()
    for seed in [2047, *range(8)]:
        machine = machine_from(text_of("choosing", seed))
        whole = check(machine, request_from(threads=1, keep_going=True))
        try:
            modular = check(machine, request_from(threads=1, strategy="modular"))
        except NotModular:
            continue
        assert modular.verdict in ({f.kind for f in whole.findings} or {Verdict.HOLDS}), seed
        verdicts[whole.verdict] += 1
    assert min(verdicts[v] for v in ("holds", "deadlock")) >= 1
    assert verdicts.total() >= 7


def test_loosely_coupled_modules_take_few_states() -> None:
    """The whole program of two stations has 48,889 states, that of three 7,035,337."""
    whole = checked(RING.format(k=2, n=3), "breadth")
    assert (whole.verdict, whole.states) == ("holds", 48889)
    two = checked(RING.format(k=2, n=3), "modular")
    assert (two.verdict, two.states) == ("holds", 865)
    three = checked(RING.format(k=3, n=3), "modular")
    assert (three.verdict, three.states) == ("holds", 4107)
    assert three.walked is not None
    told = three.walked.more["modular"]
    assert isinstance(told, dict)
    assert [len(m["processes"]) for m in told["modules"]] == [3, 3, 3]
    assert told["synchronisation_states"] + sum(m["states"] for m in told["modules"]) == three.states


def test_an_error_of_one_module_and_one_of_all() -> None:
    failing = RING.replace("ASSERT(x < N)", "ASSERT(x < N - 1)").format(k=3, n=3)
    assert checked(failing, "modular").verdict == checked(failing, "breadth").verdict == "assertion"
    stops = RING.replace("LOOP left?go;", "left?go; LOOP").format(k=3, n=3)
    assert checked(stops, "modular").verdict == "partial-deadlock"
    found = checked(philosophers(3), "modular")
    assert found.verdict == "deadlock" and found.findings[0].circle


def test_each_process_is_a_module_where_nothing_binds_them() -> None:
    result = checked(philosophers(3), "modular", keep_going=True)
    assert result.walked is not None
    told = result.walked.more["modular"]
    assert isinstance(told, dict)
    assert sum(len(m["processes"]) for m in told["modules"]) == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (example("peterson3"), "all processes are in one group"),
        (example("clockdemo"), "processes wait for time"),
        (example("sieve"), "makes a channel at run time"),
        ("MODULE T; TYPE A = [p(B)]; B = [m]; PORT a : A; b : B; PROCESS P; PORT x : B; BEGIN a?p(x) END P;\n"
         "PROCESS Q; BEGIN a!p(b) END Q; BEGIN NEW(a); NEW(b); CREATE P; CREATE Q END T.", "carries a port"),
        ("MODULE T; TYPE B = [m]; PORT b : B; PROCESS P; PORT x : B; BEGIN NEW(x); b?m END P;\n"
         "BEGIN NEW(b); CREATE P; CREATE P END T.", "makes a channel at run time"),
        ("MODULE T; PROCESS P; BEGIN RESCHEDULE END P; BEGIN CREATE P; RESCHEDULE; CREATE P END T.",
         "the initialisation does not end with its first action"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotModular, match=reason):
        checked(text, "modular")


def test_reductions_of_the_whole_program_are_not_used() -> None:
    result = checked(RING.format(k=2, n=3), "modular", reductions=("por", "dead"))
    told = {r.name: r.why_not for r in result.reductions}
    assert told == {"por": "modules are searched separately (--search modular)", "dead": ""}
    assert result.verdict == "holds"


def test_the_command() -> None:
    from tests.cli.lfc import lfc

    done = lfc("check", "examples/prodcons.lf", "--search", "modular", "--json")
    assert done.exit == 0
    document = json.loads(done.out)
    assert document["search"] == "modular" and document["modular"]["meetings"] > 0
    refused = lfc("check", "examples/peterson3.lf", "--search", "modular")
    assert refused.exit == 2
    assert "A modular search is not possible: all processes are in one group" in refused.err


# When `Giver` comes to its next `work!job`, it meets `Once` within its module, or nobody there, whatever it sees.
ONCE_WITHIN = """MODULE Main;
TYPE Work = [job];
PORT work : Work;
VAR v : INTEGER;
PROCESS Giver; BEGIN LOOP work!job; v := v + 0 END END Giver;
PROCESS Once; BEGIN v := v + 0; work?job; v := v + 0 END Once;
PROCESS Always; BEGIN LOOP work?job END END Always;
BEGIN NEW(work); CREATE Giver; CREATE Once; CREATE Always END Main.
"""


def test_nobody_waits_for_a_partner_outside_who_is_there() -> None:
    """Whether a slot waits depends on its whole module, not on what its attempt can depend on alone."""
    assert checked(ONCE_WITHIN, "breadth").verdict == "holds"
    found = checked(ONCE_WITHIN, "modular")
    assert found.verdict == "holds"
    assert found.walked is not None
    told = found.walked.more["modular"]
    assert isinstance(told, dict)
    assert sorted(m["processes"] for m in told["modules"]) == [["Main.Always[0]"], ["Main.Giver[0]", "Main.Once[0]"]]
