"""What a comparison with a specification found: as text, and as data."""

from __future__ import annotations

from typing import Any

from lfc.mcheck.refinement.refine import DIVERGENCE, EVENT, Refinement, Violation

MOST_SHOWN = 12
MODEL_NAMES = {"traces": "traces", "failures": "stable failures", "fd": "failures and divergences"}


def counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def listed(events: list[str]) -> str:
    shown = ", ".join(events[:MOST_SHOWN]) + (f" and {len(events) - MOST_SHOWN} more" * (len(events) > MOST_SHOWN))
    return shown or "nothing"


def verdict_lines(r: Refinement, specification: str, implementation: str, visible: list[str]) -> list[str]:
    found = [f"visible: {', '.join(visible)}"]
    if r.violation is None:
        found.insert(0, f"{implementation} refines {specification} ({MODEL_NAMES[r.model]})")
    else:
        found.insert(0, f"{implementation} does not refine {specification} ({MODEL_NAMES[r.model]})")
        found += violation_lines(r.violation, specification, implementation)
    spec = f"{counted(r.specification_states, 'state')} of {specification} in {counted(r.specification_nodes, 'set')}"
    found.append(
        f"compared: {counted(r.implementation_states, 'state')} of {implementation}, {spec}; {counted(r.pairs, 'pair')}"
    )
    return found


def violation_lines(v: Violation, specification: str, implementation: str) -> list[str]:
    after = f"after {', '.join(v.trace)}:" if v.trace else "at the start:"
    if v.kind == EVENT:
        what = f"{v.event} ({v.fault})" if v.fault else v.event
        return [after, f"  {implementation} can do {what}", f"  {specification} can only do {listed(v.allowed)}"]
    if v.kind == DIVERGENCE:
        return [after, f"  {implementation} can go on for ever without a visible event", f"  {specification} cannot"]
    least = " or ".join(f"{{{listed(a)}}}" for a in v.acceptances) or "something: it never comes to rest"
    return [
        after,
        f"  {implementation} can offer just {listed(v.offers)}",
        f"  {specification} offers at least {least}",
    ]


def as_data(r: Refinement, specification: str, implementation: str, visible: list[str]) -> dict[str, Any]:
    v = r.violation
    found: dict[str, Any] = {
        "version": 1,
        "specification": specification,
        "implementation": implementation,
        "model": r.model,
        "visible": visible,
        "refines": v is None,
        "pairs": r.pairs,
        "specification_states": r.specification_states,
        "specification_sets": r.specification_nodes,
        "implementation_states": r.implementation_states,
        "violation": None,
    }
    if v is not None:
        found["violation"] = {
            "kind": v.kind,
            "trace": v.trace,
            "event": v.event or None,
            "allowed": v.allowed,
            "offers": v.offers,
            "acceptances": v.acceptances,
            "fault": v.fault or None,
            "steps": [[i.to_json() for i in items] for items in v.steps],
            "cycle": v.cycle,
        }
    return found
