"""`lfc ltl`: the automaton of a formula."""

from __future__ import annotations

import click

from lfc.base.source import Source
from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output, output_options
from lfc.diagnostics.model import Diagnostics


@click.command("ltl", short_help="Show the automaton of a temporal formula.")
@click.argument("formula", metavar="FORMULA")
@click.option("--negate", is_flag=True, help="Show the automaton of the formula's violations.")
@click.option("--buchi", is_flag=True, help="Use accepting states, not sets of accepting transitions.")
@click.option("--dot", "form", flag_value="dot", help="Write DOT.")
@click.option("--hoa", "form", flag_value="hoa", help="Write the Hanoi Omega-Automata format.")
@output_options
def command(formula: str, negate: bool, buchi: bool, form: str | None) -> None:
    """Translate a formula of linear temporal logic into a Büchi automaton, and print it.

    The syntax is that of a PROPERTY, with the usual short forms: lfc ltl '[] (request -> <> grant)'. Atoms are names
    such as p, x[1], READY(P), relations, or any text in double quotes.
    """
    from lfc.mcheck.ltl.bdd import TooLarge
    from lfc.mcheck.ltl.formula import atoms_of, text_of
    from lfc.mcheck.ltl.parse import parse_formula
    from lfc.mcheck.ltl.show import as_dot, as_hoa, as_json, as_text
    from lfc.mcheck.ltl.translate import translate

    output = current_output()
    diagnostics = Diagnostics()
    parsed = parse_formula(Source("<formula>", formula), diagnostics)
    if parsed is None:
        output.finish(diagnostics)
        raise click.exceptions.Exit(Exit.SOURCE_ERROR)
    try:
        momentary = {name for name in atoms_of(parsed) if name.startswith("TAKEN(")}
        automaton = translate(parsed, momentary).automaton(negated=negate, buchi=buchi)
    except TooLarge:
        print("inconclusive: the automaton of this formula would be too large", flush=True)
        raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None
    text = text_of(parsed)
    name = f"violations of {text}" if negate else text
    if output.form == "json":
        output.document(as_json(automaton, text))
    elif form is not None:
        print(as_dot(automaton, name) if form == "dot" else as_hoa(automaton, name))
    else:
        print(name)
        print(as_text(automaton))
