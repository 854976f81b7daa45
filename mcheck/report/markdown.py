"""A check in a page of Markdown, as code hosts show it beside a change: the verdict, a table, and the first
counterexample as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.diagnostics.visible import visible

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.report.junit import Case
    from lfc.mcheck.result.finding import Finding
    from lfc.mcheck.result.result import CheckResult

SIGNS = {"passed": "✅ passed", "failure": "❌ failed", "error": "❓ no verdict", "skipped": "➖ not looked for"}
MOST_ROWS = 60  # of a chart: viewers refuse what is much longer


def as_markdown(machine: Machine, result: CheckResult, image: str, record: str) -> str:
    from lfc.mcheck.report.junit import cases_of
    from lfc.mcheck.report.text import summary

    head, counts, *_ = summary(result).split("\n")
    name = machine.program.main.name
    lines = [f"## `{name}`: {escaped(head)}", "", escaped(counts), ""]
    lines += table(cases_of(machine, result))
    if result.findings:
        lines += counterexample(machine, result.findings[0])
    if result.assumptions:
        lines += ["### Assumed", "", *(f"- {escaped(a)}" for a in result.assumptions), ""]
    if image:
        lines += [f"Image `{image}`, record `{escaped(record)}`.", ""]
    return "\n".join(lines)


def table(cases: list[Case]) -> list[str]:
    rows = [f"| {escaped(c.name)} | {SIGNS[c.state]} | {escaped(c.message)} |" for c in cases]
    return ["| what | verdict | |", "| --- | --- | --- |", *rows, ""]


def counterexample(machine: Machine, finding: Finding) -> list[str]:
    from lfc.mcheck.report.text_findings import SENTENCES, tell_finding
    from lfc.run.chart import as_mermaid, chart_of

    machine = finding.machine or machine
    cycle = finding.run.cycle if finding.run is not None and not finding.run.lost else None
    chart = chart_of(machine, finding.steps, finding.blocks, "" if finding.run else finding.message, cycle)
    lines = [f"### {SENTENCES[finding.kind].capitalize()}: {escaped(finding.message)}", ""]
    if len(chart.rows) <= MOST_ROWS:
        lines += ["```mermaid", *map(visible, as_mermaid(chart).rstrip("\n").split("\n")), "```", ""]
    told = [visible(line).replace("```", "'''") for line in tell_finding(machine, finding)]
    return [*lines, "<details><summary>Each step</summary>", "", "```text", *told, "```", "", "</details>", ""]


def escaped(text: str) -> str:
    """Nothing of it is taken for markup."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{c}" if c in "\\`*_[]|#" else c for c in shown)
