"""On-line testing of a black box: what a board does is compared with what a specification allows, while it does it.
Input-output conformance (Tretmans, *Test generation with inputs, outputs and repetitive quiescence*, 1996), as TorX
tested it (Belinfante and others, *Formal test automation: a simple experiment*, 1999).
"""
