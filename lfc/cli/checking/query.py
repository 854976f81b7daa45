"""`lfc query`: asks a stored state graph."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import refuse
from lfc.cli.common.output import counted, current_output, output_options

if TYPE_CHECKING:
    from lfc.mcheck.queries.ctl import Checker
    from lfc.mcheck.queries.formula import Formula


@click.command("query", short_help="Ask a stored state graph.")
@click.argument("graph", metavar="GRAPH")
@click.argument("query", required=False, metavar="[QUERY]")
@click.option("--from", "start", metavar="CONDITION", help="With --to: where the path begins (the first state).")
@click.option("--to", "goal", metavar="CONDITION", help="Show a shortest path to a state in which this holds.")
@click.option("--ends", is_flag=True, help="List the states in which nothing happens any more.")
@output_options
def command(graph: str, query: str | None, start: str | None, goal: str | None, ends: bool) -> None:
    """Ask the graph that `lfc graph PROGRAM --store GRAPH` wrote, without searching again.

    QUERY is a formula of CTL: lfc query g.graph "AG (asked -> AF served)". Atoms are variables and relations, READY(P),
    WAITING(P), LIVES(P), DEADLOCK, END, FAULT.
    """
    from lfc.mcheck.queries.ctl import Checker
    from lfc.mcheck.queries.formula import BadQuery, parse
    from lfc.mcheck.queries.stored_graph import NotAGraph, read_graph

    if sum(x not in (None, False) for x in (query, goal, ends)) != 1:
        raise click.UsageError("Ask one thing: a QUERY, --to CONDITION, or --ends.")
    if start is not None and goal is None:
        raise click.UsageError("--from needs --to.")
    try:
        stored = read_graph(graph)
    except OSError as error:
        refuse(f"{graph} cannot be read: {error.strerror}")
    except NotAGraph as error:
        raise click.UsageError(f"{error}.") from None
    checker = Checker(stored)
    try:
        if ends:
            code = show_ends(checker)
        elif goal is not None:
            code = show_path(checker, None if start is None else parse(start), parse(goal))
        else:
            code = show_verdict(checker, parse(query or ""))
    except BadQuery as error:
        raise click.UsageError(f"{error}.") from None
    raise click.exceptions.Exit(code)


def show_verdict(checker: Checker, f: Formula) -> Exit:
    found = checker.satisfying(f)
    holds = 0 in found
    states = len(checker.graph.states)
    path = evidence(checker, f, holds)
    if current_output().form == "json":
        told: dict[str, Any] = {"version": 1, "holds": holds, "satisfying": len(found), "states": states}
        current_output().document(json.dumps(told | {"path": path_data(checker, path)}))
    else:
        print(
            f"{'holds' if holds else 'does not hold'} in the first state; in {len(found)} of {counted(states, 'state')}"
        )
        print_path(checker, path)
    return Exit.OK if holds else Exit.PROPERTY


def evidence(checker: Checker, f: Formula, holds: bool) -> list[int] | None:
    """The witness of an EF, the counterexample of an AG: a path from the first state."""
    first = frozenset({0})
    if f.op == "EF" and holds:
        return checker.path(first, checker.satisfying(f.parts[0]))
    if f.op == "AG" and not holds:
        return checker.path(first, checker.everything - checker.satisfying(f.parts[0]))
    return None


def show_path(checker: Checker, start: Formula | None, goal: Formula) -> Exit:
    starts = frozenset({0}) if start is None else checker.satisfying(start)
    path = checker.path(starts, checker.satisfying(goal))
    if current_output().form == "json":
        found = path is not None
        current_output().document(json.dumps({"version": 1, "found": found, "path": path_data(checker, path)}))
    elif path is None:
        print("there is no such path")
    else:
        print(f"{counted(len(path) - 1, 'step')}")
        print_path(checker, path)
    return Exit.OK if path is not None else Exit.PROPERTY


def show_ends(checker: Checker) -> Exit:
    found = [(n, s.mark) for n, s in enumerate(checker.graph.states) if s.mark]
    if current_output().form == "json":
        ends = [{"state": n, "kind": mark.lower(), "data": checker.graph.states[n].data} for n, mark in found]
        current_output().document(json.dumps({"version": 1, "ends": ends}))
    else:
        for n, mark in found:
            print(f"state {n}: {mark.lower()}{shown(checker.graph.states[n].data)}")
        print(counted(len(found), "state") + " in which nothing happens any more")
    return Exit.OK


def print_path(checker: Checker, path: list[int] | None) -> None:
    if path is None:
        return
    states = checker.graph.states
    print(f"  state {path[0]}{shown(states[path[0]].data)}")
    for before, n, label in zip(path, path[1:], checker.labels(path), strict=False):
        changed = {k: v for k, v in states[n].data.items() if states[before].data.get(k) != v}
        mark = f" ({states[n].mark.lower()})" if states[n].mark else ""
        print(f"  {label}: state {n}{mark}{shown(changed)}")


def path_data(checker: Checker, path: list[int] | None) -> list[dict[str, Any]] | None:
    if path is None:
        return None
    labels = [None, *checker.labels(path)]
    return [{"state": n, "label": label} for n, label in zip(path, labels, strict=True)]


def shown(data: dict[str, Any]) -> str:
    text = ", ".join(f"{name} = {value_text(value)}" for name, value in data.items())
    return f": {text}" if text else ""


def value_text(value: Any) -> str:
    return str(value).upper() if isinstance(value, bool) else str(value)
