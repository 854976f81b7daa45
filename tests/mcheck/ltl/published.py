"""Formulas of the literature, one on each line.

- SPECIFICATION_PATTERNS: Dwyer, Avrunin and Corbett, Property specification patterns (1998): absence, existence,
  bounded existence, universality, precedence, response, chains of them; each globally, before p0, after p0,
  between p0 and p1, after p0 until p1. In the form in which tools for temporal logic exchange them.
- ETESSAMI_HOLZMANN: Optimizing Büchi automata (2000). SOMENZI_BLOEM: Efficient Büchi automata from LTL formulae (2000).
"""

from __future__ import annotations

import re

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.ltl.formula import Formula
from lfc.mcheck.ltl.parse import parse_formula

SPECIFICATION_PATTERNS = """
G !p0
Fp0 -> (!p1 U p0)
G(p0 -> G !p1)
G((p0 & !p1 & Fp1) -> (!p2 U p1))
G((p0 & !p1) -> (!p2 W p1))
Fp0
!p0 W (!p0 & p1)
G(!p0) | F(p0 & Fp1)
G((p0 & !p1) -> (!p1 W (!p1 & p2)))
G((p0 & !p1) -> (!p1 U (!p1 & p2)))
!p0 W (p0 W (!p0 W (p0 W G !p0)))
Fp0 -> ((!p0 & !p1) U (p0 | ((!p0 & p1) U (p0 | ((!p0 & !p1) U (p0 | ((!p0 & p1) U (p0 | (!p1 U p0)))))))))
Fp0 -> (!p0 U (p0 & (!p1 W (p1 W (!p1 W (p1 W G !p1))))))
G((p0 & Fp1) -> ((!p1 & !p2) U (p1 | ((!p1 & p2) U (p1 | ((!p1 & !p2) U (p1 | ((!p1 & p2) U (p1 | (!p2 U p1))))))))))
G(p0 -> ((!p1 & !p2) U (p2 | ((p1 & !p2) U (p2 | ((!p1 & !p2) U (p2 | ((p1 & !p2) U (p2 | (!p1 W p2) | Gp1)))))))))
Gp0
Fp0 -> (p1 U p0)
G(p0 -> Gp1)
G((p0 & !p1 & Fp1) -> (p2 U p1))
G((p0 & !p1) -> (p2 W p1))
!p0 W p1
Fp0 -> (!p1 U (p0 | p2))
G !p0 | F(p0 & (!p1 W p2))
G((p0 & !p1 & Fp1) -> (!p2 U (p1 | p3)))
G((p0 & !p1) -> (!p2 W (p1 | p3)))
G(p0 -> Fp1)
Fp0 -> ((p1 -> (!p0 U (!p0 & p2))) U p0)
G(p0 -> G(p1 -> Fp2))
G((p0 & !p1 & Fp1) -> ((p2 -> (!p1 U (!p1 & p3))) U p1))
G((p0 & !p1) -> ((p2 -> (!p1 U (!p1 & p3))) W p1))
Fp0 -> (!p0 U (!p0 & p1 & X(!p0 U p2)))
Fp0 -> (!p1 U (p0 | (!p1 & p2 & X(!p1 U p3))))
G !p0 | (!p0 U ((p0 & Fp1) -> (!p1 U (!p1 & p2 & X(!p1 U p3)))))
G((p0 & Fp1) -> (!p2 U (p1 | (!p2 & p3 & X(!p2 U p4)))))
G(p0 -> (Fp1 -> (!p1 U (p2 | (!p1 & p3 & X(!p1 U p4))))))
F(p0 & XFp1) -> (!p0 U p2)
Fp0 -> (!(!p0 & p1 & X(!p0 U (!p0 & p2))) U (p0 | p3))
G !p0 | (!p0 U (p0 & (F(p1 & XFp2) -> (!p1 U p3))))
G((p0 & Fp1) -> (!(!p1 & p2 & X(!p1 U (!p1 & p3))) U (p1 | p4)))
G(p0 -> ((!(!p1 & p2 & X(!p1 U (!p1 & p3))) U (p1 | p4)) | G !(p2 & XFp3)))
G((p0 & XFp1) -> XF(p1 & Fp2))
Fp0 -> (((p1 & X(!p0 U p2)) -> X(!p0 U (p2 & Fp3))) U p0)
G(p0 -> G((p1 & XFp2) -> X(!p2 U (p2 & Fp3))))
G((p0 & Fp1) -> (((p2 & X(!p1 U p3)) -> X(!p1 U (p3 & Fp4))) U p1))
G(p0 -> (((p1 & X(!p2 U p3)) -> X(!p2 U (p3 & Fp4))) U (p2 | G((p1 & X(!p2 U p3)) -> X(!p2 U (p3 & Fp4))))))
G(p0 -> F(p1 & XFp2))
Fp0 -> ((p1 -> (!p0 U (!p0 & p2 & X(!p0 U p3)))) U p0)
G(p0 -> G(p1 -> (p2 & XFp3)))
G((p0 & Fp1) -> ((p2 -> (!p1 U (!p1 & p3 & X(!p1 U p4)))) U p1))
G(p0 -> ((p1 -> (!p2 U (!p2 & p3 & X(!p2 U p4)))) U (p2 | G(p1 -> (p3 & XFp4)))))
G(p0 -> F(p1 & !p2 & X(!p2 U p3)))
Fp0 -> ((p1 -> (!p0 U (!p0 & p2 & !p3 & X((!p0 & !p3) U p4)))) U p0)
G(p0 -> G(p1 -> (p2 & !p3 & X(!p3 U p4))))
G((p0 & Fp1) -> ((p2 -> (!p1 U (!p1 & p3 & !p4 & X((!p1 & !p4) U p5)))) U p1))
G(p0 -> ((p1 -> (!p2 U (!p2 & p3 & !p4 & X((!p2 & !p4) U p5)))) U (p2 | G(p1 -> (p3 & !p4 & X(!p4 U p5))))))
"""

ETESSAMI_HOLZMANN = """
p0 U (p1 & Gp2)
p0 U (p1 & X(p2 U p3))
p0 U (p1 & X(p2 & F(p3 & XF(p4 & XF(p5 & XFp6)))))
F(p0 & XGp1)
F(p0 & X(p1 & XFp2))
F(p0 & X(p1 U p2))
FGp0 | GFp1
G(p0 -> (p1 U p2))
G(p0 & XF(p1 & XF(p2 & XFp3)))
GFp0 & GFp1 & GFp2 & GFp3 & GFp4
(p0 U (p1 U p2)) | (p1 U (p2 U p0)) | (p2 U (p0 U p1))
G(p0 -> (p1 U (Gp2 | Gp3)))
"""

SOMENZI_BLOEM = """
p U q
p U (q U r)
!(p U (q U r))
GFp -> GFq
Fp U Gq
Gp U q
!(FFp <-> Fp)
!(GFp -> GFq)
!(GFp <-> GFq)
p R (p | q)
(Xp U Xq) | !X(p U q)
(Xp U q) | !X(p U (p & q))
G(p -> Fq) & ((Xp U q) | !X(p U (p & q)))
G(p -> Fq) & ((Xp U Xq) | !X(p U q))
G(p -> Fq)
!G(p -> X(q R r))
!(FGp | FGq)
G(Fp & Fq)
Fp & F !p
(Xq & r) R X(((s U p) R r) U (s R r))
(G(q | GFp) & G(r | GF !p)) | Gq | Gr
(G(q | FGp) & G(r | FG !p)) | Gq | Gr
!((G(q | GFp) & G(r | GF !p)) | Gq | Gr)
!((G(q | FGp) & G(r | FG !p)) | Gq | Gr)
G(q | XGp) & G(r | XG !p)
G(q | (Xp & X !p))
(p U p) | (q U p)
"""


def read(text: str) -> Formula:
    """In the short notation of the lists above: `&` and `|` bind weaker than UNTIL."""
    spaced = re.sub(r"[FGX](?=[FGX(!pqrs])", r"\g<0> ", text)
    return parse(spaced.replace("&", "/\\").replace("|", "\\/"))


def parse(text: str) -> Formula:
    diagnostics = Diagnostics()
    found = parse_formula(Source("<formula>", text), diagnostics)
    assert found is not None, f"{text}: {[d.message for d in diagnostics.items]}"
    return found


SETS = {
    "specification patterns": SPECIFICATION_PATTERNS.strip().splitlines(),
    "Etessami and Holzmann": ETESSAMI_HOLZMANN.strip().splitlines(),
    "Somenzi and Bloem": SOMENZI_BLOEM.strip().splitlines(),
}
ALL = [line for lines in SETS.values() for line in lines]
