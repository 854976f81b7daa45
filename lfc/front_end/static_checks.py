"""All static checks of a typed program, one after the other."""

from __future__ import annotations

from lfc.diagnostics.model import Diagnostics
from lfc.semantics.checks.bounds import check_bounds
from lfc.semantics.checks.busy_loops import check_busy_loops
from lfc.semantics.checks.cases import check_cases
from lfc.semantics.checks.endless_loops import check_endless_loops
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.for_variables import check_for_variables
from lfc.semantics.checks.guards import check_guards
from lfc.semantics.checks.meetings import check_meetings
from lfc.semantics.checks.of_the_board import check_pins, check_registers, check_standing_clock
from lfc.semantics.checks.ports import check_ports
from lfc.semantics.checks.shared import check_shared_variables, shared_variables
from lfc.semantics.checks.unreachable import check_unreachable
from lfc.semantics.checks.unused import check_unused
from lfc.semantics.checks.wraps import check_wraps
from lfc.semantics.model import typed
from lfc.semantics.model.visit import deep_stack
from lfc.semantics.modules import BoardFacts


def run_checks(program: typed.Program, diagnostics: Diagnostics, board: BoardFacts | None = None) -> None:
    """Reports LF07xx. The program has no errors; if it has some, what they left out can make a warning wrong."""
    with deep_stack():
        _run_checks(program, diagnostics, board)


def _run_checks(program: typed.Program, diagnostics: Diagnostics, board: BoardFacts | None) -> None:
    facts = Facts(program)
    check_ports(facts, diagnostics)
    check_unreachable(facts, diagnostics)
    check_endless_loops(facts, diagnostics)
    check_busy_loops(facts, diagnostics)
    check_meetings(facts, diagnostics)
    shared = shared_variables(program, facts)
    check_shared_variables(shared, facts, diagnostics)
    check_guards(facts, shared, diagnostics)
    check_unused(facts, diagnostics)
    check_cases(facts, diagnostics)
    check_for_variables(facts, diagnostics)
    check_wraps(facts, diagnostics)
    check_pins(facts, board, diagnostics)
    check_registers(facts, board, diagnostics)
    check_standing_clock(facts, diagnostics)
    check_bounds(program, facts, diagnostics)
