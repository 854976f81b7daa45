"""Random small programs that ask how long ago something was, and worlds for them, as source text."""

from __future__ import annotations

from tests.generate.time.timed import Timed

MOST_COMPARED = 9  # with an age


class Aged(Timed):
    """Variables whose names begin with `t` hold what the clock read."""

    def program(self) -> str:
        self.clock = False
        shared = "t, tt : UINT32; ta : ARRAY 2 OF UINT32; late : BOOLEAN; k : 0 .. 3;"
        text = super().program().replace("t : UINT32;", shared)
        text = text.replace("VAR x : UINT8;", "VAR x : UINT8; tx : UINT32;")
        paced = f"\nPROCESS Paced(tp : UINT32);\nVAR tx : UINT32; x : UINT8;\nBEGIN {self.stamp()}; {self.pause()};\n"
        paced += f"  {self.ask('tp')}; {self.ask()}\nEND Paced;\n"
        return text.replace("PORT line : Line;\n", "PORT line : Line;\n" + paced)

    def statement(self, number: int) -> str:
        rng = self.rng
        match rng.choice(["stamp", "stamp", "ask", "ask", "paced", "count", "other", "other"]):
            case "stamp":
                return self.stamp()
            case "ask":
                return self.ask()
            case "count":
                return "k := (k + 1) MOD 4"
            case "paced":
                return rng.choice(["Paced(Clock.Now)", "Paced(t)", "CREATE Paced(t)"] if number < 2 else ["Paced(tx)"])
        return super().statement(number)

    def a_stamp(self) -> str:
        return self.rng.choice(["t", "t", "tt", "tx", "tx", "ta[n MOD 2]", "ta[1]"])

    def stamp(self) -> str:
        value = self.rng.choice(["Clock.Now"] * 4 + ["t", "tx", "0"])
        return f"{self.a_stamp()} := {value}"

    def ask(self, of: str = "") -> str:
        rng = self.rng
        age, most = f"Clock.Now - {of or self.a_stamp()}", rng.randint(0, MOST_COMPARED)
        relation = rng.choice(["<", "<=", ">", ">=", "=", "#"])
        asked = f"{age} {relation} {most}" if rng.random() < 0.8 else f"{most} {relation} {age}"
        asked = asked if rng.random() < 0.8 else f"{age} {relation} UINT32(k)"
        return rng.choice(
            [f"IF {asked} THEN n := (n + 1) MOD 3 END", f"late := {asked}", f"ASSERT(({asked}) OR (n < 2))"]
        )
