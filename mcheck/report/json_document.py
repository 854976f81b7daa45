"""A verdict as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine
from lfc.mcheck.report.json_details import beside_as_data
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult, Symbolic
from lfc.mcheck.statistics.incomplete_search import as_data as walk_as_data
from lfc.run.wait_for_graph import Wait
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.run.steps import StepText


def as_json(machine: Machine, result: CheckResult, more: Mapping[str, object] = MappingProxyType({})) -> str:
    return json.dumps(
        {
            "version": 1,
            "verdict": result.verdict,
            "states": result.states if result.walked is None or result.walked.counted else None,
            "transitions": result.transitions,
            "depth": result.depth,
            "errors": [finding_as_data(machine, f) for f in result.findings],
            "counted": result.counted,
            "seconds": round(result.seconds, 6),
            "compile_seconds": round(result.compile_seconds, 6),
            "memory_bytes": result.memory_bytes,
            "bytes_per_state": None if result.bytes_per_state is None else round(result.bytes_per_state, 3),
            "disk": None if result.disk is None else asdict(result.disk),
            "executions": result.executions,
            "resumed": result.resumed or None,
            "properties": result.properties,
            "assumptions": result.assumptions,
            "reason": result.reason,
            "only": result.only,
            "many_states": asdict(result.growth),
            "not_looked_for": result.not_looked_for,
            "undecided": result.undecided,
            "reductions": [r.as_data() for r in result.reductions],
            "reductions_chosen_after": result.sampled or None,
            "ranks": [asdict(r) for r in result.ranks],
            "symbolic": None if result.symbolic is None else symbolic_as_data(result.symbolic),
        }
        | beside_as_data(result.beside)
        | ({} if result.walked is None else walk_as_data(result.walked))
        | dict(more),
        indent=1,
    )


def symbolic_as_data(s: Symbolic) -> dict[str, object]:
    return {
        "states": s.states,
        "shapes": s.shapes,
        "concrete_states": s.concrete,
        "wide_states": s.wide,
        "explicit_states_before": s.explicit_states,
        "invariant": s.invariant,
        "undetermined": [{"name": c.name, "classes": c.classes} for c in s.classes],
    }


def finding_as_data(machine: Machine, finding: Finding) -> dict[str, object]:
    line, column = finding.span.source.line_and_column(finding.span.start)
    run = finding.run
    return {
        "kind": finding.kind,
        "message": finding.message,
        "shortest": finding.shortest,
        "of_slice": finding.machine is not None,
        "doubt": finding.doubt,
        "rounds": finding.rounds or None,
        "file": finding.span.source.path,
        "line": line,
        "column": column,
        "stuck": finding.waiting,
        "waits": [wait_as_data(w) for w in finding.circle],
        "cycle": None if run is None else run.cycle,
        "automaton": [] if run is None else run.automaton,
        "unfair": [] if run is None else run.unfair,
        "passed_over": [] if run is None else [p.asked_for for p in run.passed_over],
        "trace": [[item.to_json() for item in step] for step in finding.steps],
        "steps": steps_as_data(finding.machine or machine, finding),
    }


def steps_as_data(machine: Machine, finding: Finding) -> list[dict[str, object]]:
    from lfc.mcheck.report.step_lines import told_steps  # most documents tell of no steps

    return [step_as_data(s.text) for s in told_steps(machine, finding)]


def step_as_data(step: StepText) -> dict[str, object]:
    """Where the action begins, what it does, and the variables that it changes."""
    line, column = (None, None) if step.span is None else (step.span.line, step.span.column)
    return {
        "process": step.who,
        "file": None if step.span is None else step.span.source.path,
        "line": line,
        "column": column,
        "deed": step.deed,
        "changed": step.changed,
    }


def wait_as_data(w: Wait) -> dict[str, object]:
    """Of a circle: who waits for whom, for which message, on which channel, where."""
    span = w.clause.event.span
    return {
        "process": w.name,
        "slot": w.slot,
        "for": w.whose,
        "for_slot": w.whom,
        "attempts": "send" if isinstance(w.clause.event, typed.Send) else "receive",
        "message": w.message,
        "channel": w.channel,
        "file": span.source.path,
        "line": span.line,
        "column": span.column,
    }
