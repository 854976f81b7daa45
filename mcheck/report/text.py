"""A verdict told to people: the findings, then what was searched and how. A finding's own text: `text_findings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.mcheck.report.text_details import notes, report_lines

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.result.result import CheckResult, Symbolic, ValueClasses

ANY_TIME = "sleeps end at any time here; --time ordered: in the order of their deadlines"
PROPERTY_VERDICTS = {"holds": "holds", "property": "violated", "inconclusive": "inconclusive"}


def tell(machine: Machine, result: CheckResult, full: bool = False, all_steps: bool = False) -> str:
    """`full`: with the report of what was found beside the verdict. `all_steps`: of long counterexamples, too."""
    lines: list[str] = []
    if result.findings:
        from lfc.mcheck.report.text_findings import tell_finding
    for finding in result.findings:
        lines += tell_finding(machine, finding, all_steps)
        lines.append("")
    if sleeps_freely(result):
        lines += [ANY_TIME, ""]
    lines.append(summary(result))
    if full:
        lines += report_lines(result.beside)
    return "\n".join(lines)


def sleeps_freely(result: CheckResult) -> bool:
    """Whether the end of a sleep is part of a counterexample, and time says nothing of when."""
    woken = any(step[0].name == "wake" for f in result.findings for step in f.steps if step)
    return woken and not any("--time" in text for text in result.assumptions)


def summary(result: CheckResult) -> str:
    states = f"{result.states} state{'s' * (result.states != 1)}"
    if result.walked is not None and not result.walked.counted:
        from lfc.mcheck.statistics.incomplete_search import counts_text

        states = counts_text(result.walked)
    if result.symbolic is not None:
        states = symbolic_text(result.symbolic)
    counts = f"{states}, {result.transitions} transition{'s' * (result.transitions != 1)}, depth {result.depth}"
    cost = f"{result.seconds:.2f} s"
    if result.symbolic is None:
        cost += f", {memory_text(result.memory_bytes)}"
    if result.bytes_per_state is not None:
        cost += f", {result.bytes_per_state:.1f} bytes per state"
    if result.disk is not None:
        cost += f", {result.disk.bytes / 2**20:.1f} MB on disk"
    head = {
        "holds": f"holds{by_induction(result)}: {nothing_found(result)}",
        "inconclusive": f"inconclusive: {result.reason}",
        "image": image_head(result),
    }.get(result.verdict, f"verdict: {result.verdict}")
    lines = [head, f"{counts}; {cost}"]
    if result.symbolic is not None:
        lines += undetermined_lines(result.symbolic)
    if len(result.ranks) > 1:
        lines.append(f"{len(result.ranks)} ranks, with {', '.join(str(r.states) for r in result.ranks)} states")
    if result.resumed:
        lines.append(f"the search was resumed from a checkpoint, {result.resumed}")
    if result.walked is not None:
        lines += result.walked.said
    for p in result.properties:
        lines.append(f"property {p['name']}: {PROPERTY_VERDICTS[str(p['verdict'])]}, product of {p['states']} states")
        if "reason" in p and not (result.verdict == "inconclusive" and p["reason"] == result.reason):
            lines.append(f"  {p['reason']}")
    if result.not_looked_for:
        lines.append(f"properties not checked, because not all states were visited: {', '.join(result.not_looked_for)}")
    if result.undecided:
        lines.append(f"properties not decided, because of the error above: {', '.join(result.undecided)}")
    if result.sampled:
        used = ", ".join(r.name for r in result.reductions if not r.why_not) or "none"
        lines.append(f"reductions chosen after {result.sampled} states: {used} (--reductions none: all states)")
    visited = states if result.walked is None or result.walked.counted else f"{result.walked.visits} visits"
    lines += [r.as_text(visited) for r in result.reductions]
    lines += [f"assumed: {a}" for a in result.assumptions]
    if result.growth.causes:
        lines += result.growth.lines()
    lines += notes(result.beside)
    return "\n".join(lines)


def image_head(result: CheckResult) -> str:
    if result.image is not None and result.image.mismatches:
        return "differs: the image does not behave as the program does, in which no error was found"
    return f"differs: {result.other_bytes}; in the program no error was found"


def by_induction(result: CheckResult) -> str:
    """Ranges that no step leaves, and in which nothing is wrong."""
    return " (by induction)" if result.symbolic is not None and result.symbolic.wide else ""


def symbolic_text(s: Symbolic) -> str:
    found = f"{s.states} symbolic state{'s' * (s.states != 1)}"
    return found if s.concrete is None else f"{found} (of {s.concrete} states)"


MOST_CLASSES = 8


def undetermined_lines(s: Symbolic) -> list[str]:
    """Which values were left undetermined, and what was told apart."""
    lines = [f"undetermined: {c.name} ({classes_text(c)})" for c in s.classes]
    if s.wide:
        lines.append(f"{s.wide} symbolic states are wider than what the program may reach: ranges in place of values")
    lines += [f"invariant: {text}" for text in s.invariant]
    if s.explicit_states:
        lines.append(f"data was left undetermined after {s.explicit_states} states (--data explicit: value by value)")
    return lines


def classes_text(c: ValueClasses) -> str:
    if len(c.classes) > MOST_CLASSES:
        low, high = min(a for own in c.classes for a, _ in own), max(b for own in c.classes for _, b in own)
        return f"{low}..{high} in {len(c.classes)} classes"
    return "; ".join(" and ".join(interval_text(low, high, c.is_boolean) for low, high in own[:4]) +
                     " ..." * (len(own) > 4) for own in c.classes)  # fmt: skip


def interval_text(low: int, high: int, is_boolean: bool) -> str:
    names = ("FALSE", "TRUE")
    if is_boolean:
        return ", ".join(names[low : high + 1])
    return str(low) if low == high else f"{low}..{high}"


def memory_text(size: int) -> str:
    return f"{size / 2**20:.1f} MB" if size >= 2**20 else f"{size / 2**10:.0f} KB"


def nothing_found(result: CheckResult) -> str:
    if result.only:
        return f"{result.only}; nothing else was checked"
    if result.deadlocks_allowed:
        return "no failed assertion and no fault in any state; processes may wait forever"
    return "no failed assertion, fault, deadlock or partial deadlock in any state"
