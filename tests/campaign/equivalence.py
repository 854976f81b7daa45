"""Whether two checkouts of the project behave alike, as far as their command line tells:

    python -m tests.campaign.equivalence --collect before.json --checkout DIR
    python -m tests.campaign.equivalence --compare before.json after.json

The first drives `DIR/.venv/bin/lfc` over all examples and the right and wrong programs of the tests: checks with and
without reductions, traces, charts, certificates, images for every board, records, dumps. Nothing is imported from
the checkout, so the script of one tree collects from another. Times, rates, memory and paths are masked; whatever else
differs between two runs is a mistake. `--quick` takes a part, `--only 'check * examples/m*'` the items of that name.

The second prints what differs: numbers, verdicts and bytes, which must be equal, and sentences that say the same in
other words. It ends with 1 if any of the first kind differs, with 2 if there is nothing to compare.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

FORMAT = "lf-equivalence"
AT_ONCE = 2  # processes
PATIENCE = 300  # seconds for one command
LONGEST = 60_000  # characters of a text that are kept; of a longer one, its digest
STATES = "220000"  # of one check: none but the largest examples have more
OF_THE_MACHINE = frozenset({"seconds", "compile_seconds", "memory_bytes", "bytes_per_state", "disk", "checked_at"})
SENTENCES = frozenset(
    {"message", "reason", "reasons", "notes", "not_for", "assumptions", "remedy", "doubt", "title", "told", "error"}
)
IMAGES = (".hex", ".bin", ".uf2")
SCHEDULERS = ("rr", "edf")
TIMED = ("uno", "microbit")  # boards with cycles
QUICK_BOARDS = ("uno", "microbit")
QUICK_PROGRAMS = ("mutex", "philosophers", "traffic")
SMALL = ("mutex", "prodcons", "semaphore")
FORMULAS = ("[] p", "[] (p -> <> q)", "(<> [] p) -> [] <> q", "p U (q U r)", "(<> p) /\\ (<> q) /\\ [] <> (r \\/ x[1])")
ENVIRONMENTS = {"examples/env/UartDriver.lf": "examples/env/UartModel.lf"}
SEARCHES = (
    "--keep-going",
    "--search best",
    "--search astar",
    "--search modular",
    "--search random --seed 1 --steps 5000",
    "--search swarm --seed 1 --searches 4 --steps 5000",
    "--search depth --store hash",
    "--search depth --store bitstate",
    "--depth 10",
    "--contexts 2",
    "--fairness weak",
    "--fairness strong",
    "--cycle-search ndfs",
    "--time ordered",
    "--time discrete",
    "--queues fifo",
    "--for deadlock",
    "--for faults",
    "--reductions por",
    "--reductions por,dead,sleep",
    "--sarif",
)
EXPLORED = ("1", "2", "list", "state", "run 15", "state", "undo 3", "1", "way", "trace {out}/way.json", "frob", "q")
_ENVIRONMENT = re.compile(r"^\s*ENVIRONMENT\s+MODULE\b", re.MULTILINE)
_PROPERTY = re.compile(r"^\s*PROPERTY\s+(?!PROCESS\b)(\w+)", re.MULTILINE)
_FORMULA = re.compile(r"^\s*PROPERTY\s+(\w+)\s*=", re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_MASKS = (
    (re.compile(r"^compiling .* \(once for this version\) \.\.\.\n", re.MULTILINE), ""),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r"\b\d+(\.\d+)? s\b"), "<seconds> s"),
    (re.compile(r"\b\d+(\.\d+)? bytes (a|per) state"), "<bytes> bytes per state"),
)


@dataclass(frozen=True, slots=True)
class Call:
    """One command. In its arguments and its input `{out}` is the folder of its item."""

    arguments: tuple[str, ...]
    typed: str = ""
    exact: bool = False  # its text is data, not sentences
    inside: bool = False  # works in the folder of its item, not in the checkout's


@dataclass(frozen=True, slots=True)
class Item:
    """Commands that belong together; with them go the files that they write."""

    name: str
    calls: tuple[Call, ...]
    copies: tuple[tuple[str, str], ...] = ()  # files in its folder to begin with: name and text


@dataclass(frozen=True, slots=True)
class Program:
    """As the command line names it: files relative to the checkout."""

    name: str
    text: str
    options: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        return Path(self.name).stem

    @property
    def asked(self) -> tuple[str, ...]:
        return (self.name, *self.options)


@dataclass(slots=True)
class Checkout:
    folder: Path
    command: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    cold: bool = False

    def __post_init__(self) -> None:
        self.folder = self.folder.resolve()
        self.command = self.command or (str(self.folder / ".venv" / "bin" / "lfc"),)

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8", errors="replace")

    def files(self, pattern: str) -> list[str]:
        return sorted(f.relative_to(self.folder).as_posix() for f in self.folder.glob(pattern))

    def run(self, arguments: Sequence[str], typed: str, cwd: Path, scratch: Path) -> tuple[int | str, str, str]:
        """The exit code and what is said. Compiled C is kept by the content of its sources, so a checkout takes what
        another has compiled only where they are the same; a cold run compiles all of it."""
        own = {"TMPDIR": str(scratch / "tmp"), "NO_COLOR": "1"}
        own |= {"XDG_CACHE_HOME": str(scratch / "cache")} if self.cold else {}
        shape = {"COLUMNS": "120", "LC_ALL": "C.UTF-8"}
        kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHASHSEED") and k[:4] != "LFC_"}
        try:
            done = subprocess.run(
                [*self.command, *arguments],
                cwd=cwd,
                env=kept | own | shape | self.environment,
                input=typed.encode(),
                capture_output=True,
                check=False,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return f"no answer in {PATIENCE} s", "", ""
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


class Unusable(Exception):
    """What was given cannot be collected from, or compared."""


# What is asked


def programs_of(checkout: Checkout) -> list[Program]:
    """All examples but the environments, each with its own if it has one; a driver for two chips with each chip's."""
    found = []
    for name in checkout.files("examples/**/*.lf"):
        text = checkout.text(name)
        if _ENVIRONMENT.search(text) or name.startswith("examples/uart/"):
            continue
        beside = ENVIRONMENTS.get(name, name.removesuffix(".lf") + "_env.lf")
        found.append(Program(name, text, ("--env", beside) if (checkout.folder / beside).exists() else ()))
    return found


def chip_programs(checkout: Checkout) -> list[Program]:
    """Those that need a board to be checked."""
    found = [Program(n, checkout.text(n), ("-b", "uno")) for n in checkout.files("examples/gpio_blink.lf")]
    for name in checkout.files("examples/uart/UartReader.lf"):
        for folder in (f.rpartition("/")[0] for f in checkout.files("examples/uart/*/UartModel.lf")):
            board = folder.rpartition("/")[2]
            options = ("-b", board, "--path", folder, "--env", f"{folder}/UartModel.lf")
            found.append(Program(name, checkout.text(name), options))
    return found


def corpus_of(checkout: Checkout) -> list[Program]:
    """The right programs of the tests, as they are checked there."""
    found = [Program(n, checkout.text(n)) for n in checkout.files("tests/corpus/right/*.lf")]
    for name in checkout.files("tests/corpus/right/*/Main.lf"):
        beside = checkout.files(f"{name.rpartition('/')[0]}/*.lf")
        models = [n for n in beside if n != name and _ENVIRONMENT.search(checkout.text(n))]
        found.append(Program(name, checkout.text(name), tuple(o for n in models for o in ("--env", n))))
    return found


def check(program: Program, *options: str, exact: bool = False) -> Call:
    board = ("--no-record",) if "-b" in program.options else ()
    return Call(("check", "--threads", "1", "--states", STATES, *options, *board, *program.asked), exact=exact)


def checks(program: Program) -> Iterator[Item]:
    """Each with the trace of what it finds."""
    label = " ".join((program.name, *program.options[:2]))
    told = ("--json", "--trace", "{out}/trace.json")
    ways = {"none": ("--reductions", "none"), "all": ("--reductions", "all"), "auto": ()}
    for way, options in ways.items():
        yield Item(f"check {way} {label}", (check(program, *told, *options),))
    depth = ("--search", "depth", "--reductions", "none")
    yield Item(f"check depth {label}", (check(program, *told, *depth),))
    yield Item(f"check text {label}", (check(program, "--report", "--msc", "{out}/chart.txt"),))


def other_checks(program: Program) -> Iterator[Item]:
    for options in SEARCHES:
        form = () if options == "--sarif" else ("--json",)
        yield Item(f"search {options} {program.name}", (check(program, *form, *options.split()),))


def certificates(program: Program) -> Iterator[Item]:
    for name in _FORMULA.findall(program.text):
        made = check(program, "--property", name, "--certificate", "{out}/certificate.json")
        validated = Call(("verify-certificate", program.name, "{out}/certificate.json", *program.options))
        yield Item(f"certificate {program.name} {name}", (made, validated))


def dumps(program: Program) -> Iterator[Item]:
    texts = program.stem in SMALL  # of the others, as JSON alone
    for kind in ("layout", "actions"):
        calls = (Call((kind, "--json", *program.asked)), Call((kind, *program.asked)))
        yield Item(f"{kind} {program.name}", calls if texts else calls[:1])
    yield Item(f"graph {program.name}", (Call(("graph", "--form", "aut", *program.asked), exact=True),))
    claims = ("deadlock", *_PROPERTY.findall(program.text))
    sliced = [Call(("slice", "--for", claim, *program.asked), exact=True) for claim in claims]
    yield Item(f"slice {program.name}", tuple(sliced))
    typed = "\n".join(EXPLORED) + "\n"
    yield Item(f"explore {program.name}", (Call(("explore", *program.asked), typed),))


def runs(program: Program) -> Iterator[Item]:
    """By chance, from a seed: the record of it is shown and drawn, too."""
    if "--env" in program.options:
        return
    run = ("run", "--clock", "virtual", "--max-actions", "200", "--record", "{out}/run.json", program.name)
    by_chance = Call((*run, "--scheduler", "random", "--seed", "7"), "12 34\n")
    shown = Call(("trace", "show", "{out}/run.json", program.name))
    yield Item(f"run random {program.name}", (by_chance, shown, Call(("trace", "msc", "{out}/run.json", program.name))))
    yield Item(f"run edf {program.name}", (Call((*run, "--scheduler", "edf", "--trace"), "12 34\n"),))
    yield Item(f"code {program.name}", (Call(("build", "--emit", "ir", "-o", "{out}/program.ll", program.name)),))


def build(program: Program, board: str, *options: str) -> Call:
    return Call(("build", "--json", "-b", board, *options, "-o", "{out}/image.elf", program.name))


def images(program: Program, boards: Sequence[str]) -> Iterator[Item]:
    for board in boards:
        for scheduler in SCHEDULERS:
            yield Item(f"image {board} {scheduler} {program.name}", (build(program, board, "--scheduler", scheduler),))


def other_images(program: Program, boards: Sequence[str]) -> Iterator[Item]:
    """Of a few programs: traced and with texts of faults, their sizes, their cycles, and what boards make of them."""
    for board in boards:
        telling = ("--trace", "--faults", "text", "--on-fault", "reset")
        yield Item(f"traced {board} {program.name}", (build(program, board, *telling),))
        yield Item(f"size {board} {program.name}", (Call(("size", "--json", "-b", board, program.name)),))
    conform = ("hil", "conform", "-b", "uno", "--emulated", "--steps", "100", program.name)
    yield Item(f"conform uno {program.name}", (Call(conform),))
    for board in TIMED:
        timing = (Call(("timing", "--json", "-b", board, program.name)), Call(("timing", "-b", board, program.name)))
        yield Item(f"timing {board} {program.name}", timing)
        executed = check(program, "--json", "-b", board, "--image", "--no-record")
        yield Item(f"executed {board} {program.name}", (executed,))
        emulated = Call(("run", "-b", board, "--emulator", "builtin", "--seconds", "2", program.name))
        yield Item(f"emulated {board} {program.name}", (emulated,))


def records(program: Program) -> Iterator[Item]:
    file = f"{program.stem}.lf"
    for board in TIMED:
        made = Call(("check", "--threads", "1", "--json", "-b", board, file), inside=True)
        yield Item(
            f"record {board} {program.name}", (made, Call(("record", "show"), inside=True)), ((file, program.text),)
        )


def external(checkout: Checkout) -> Iterator[Item]:
    for name in checkout.files("examples/external/*.lf"):
        linked = ("--with", name.removesuffix(".lf") + ".c", name)
        yield Item(f"header {name}", (Call(("header", "-o", "-", name), exact=True),))
        yield Item(f"run linked {name}", (Call(("run", "--max-actions", "200", *linked)),))
        for board in QUICK_BOARDS:
            made = Call(("build", "--json", "-b", board, "-o", "{out}/image.elf", *linked))
            yield Item(f"image linked {board} {name}", (made,))


def canonical(checkout: Checkout) -> Iterator[Item]:
    """Programs without their indentation are put into the canonical layout."""
    for name, pattern in (
        ("examples", "examples/*.lf"),
        ("models", "examples/*/*.lf"),
        ("corpus", "tests/corpus/right/*.lf"),
    ):
        files = checkout.files(pattern)
        texts = ["\n".join(line.strip() for line in checkout.text(f).splitlines()) + "\n" for f in files]
        copies = tuple((Path(f).name, text) for f, text in zip(files, texts, strict=True))
        yield Item(f"fmt {name}", (Call(("fmt", *(Path(f).name for f in files)), inside=True),), copies)


def front_end(checkout: Checkout, quick: bool) -> Iterator[Item]:
    patterns = ("examples/*.lf", "examples/*/*.lf", "tests/corpus/right/*.lf", "tests/corpus/wrong/*.lf")
    for pattern in patterns:
        asked = ("check", "--syntax-only", "--max-errors", "0")
        files = [n for n in checkout.files(pattern) if not _ENVIRONMENT.search(checkout.text(n))]
        if files:
            yield Item(f"syntax {pattern}", (Call((*asked, "--json", *files)), Call((*asked, *files))))
    for name in checkout.files("tests/corpus/wrong/*/Main.lf")[: 1 if quick else None]:
        yield Item(f"syntax {name}", (Call(("check", "--syntax-only", "--json", name)),))


def the_rest(commands: Sequence[str], quick: bool) -> Iterator[Item]:
    for formula in FORMULAS[: 1 if quick else None]:
        forms = ((), ("--negate",), ("--buchi",), ("--hoa",), ("--dot",))
        calls = tuple(Call(("ltl", *form, formula), exact=True) for form in forms)
        yield Item(f"ltl {formula}", (*calls, Call(("ltl", "--json", formula))))
    yield Item("boards", (Call(("boards", "--json")), Call(("boards",))))
    yield Item("explain", (Call(("explain",)), Call(("explain", "LF0602"))))
    yield Item("help", tuple(Call((*c.split(), "--help")) for c in ("", *commands)))
    yield Item("new", (Call(("new", "lamp", "-b", "uno"), inside=True),))
    wrong = (("check",), ("check", "--nonsense"), ("check", "nowhere.lf"), ("build", "-b", "nowhere", "nowhere.lf"))
    yield Item("errors", tuple(Call(w) for w in (*wrong, ("ltl", "p U"), ("explain", "LF9999"), ("frob",))))


def items_of(checkout: Checkout, boards: Sequence[str], commands: Sequence[str], quick: bool) -> list[Item]:
    programs, corpus = programs_of(checkout), corpus_of(checkout)
    small = [p for p in programs if p.stem in SMALL]
    if quick:
        programs = [p for p in programs if p.stem in QUICK_PROGRAMS]
        boards, corpus, small = [b for b in boards if b in QUICK_BOARDS], [], small[:1]
    items: list[Item] = []
    for program in programs:
        items += [*checks(program), *certificates(program), *dumps(program), *runs(program)]
        if "/env/" not in program.name and "/external/" not in program.name:
            items += images(program, boards)
    for program in chip_programs(checkout)[: 1 if quick else None]:
        items += checks(program)
    for program in corpus:
        plain = Item(f"check none {program.name}", (check(program, "--json", "--reductions", "none"),))
        items += [plain, Item(f"check all {program.name}", (check(program, "--json", "--reductions", "all"),))]
    for program in small:
        items += [*other_checks(program), *other_images(program, boards), *records(program)]
    items += [*external(checkout), *canonical(checkout), *front_end(checkout, quick), *the_rest(commands, quick)]
    assert len({i.name for i in items}) == len(items), "names of items are told apart"
    return items


# What is answered


def masked(text: str, places: dict[str, str]) -> str:
    for place, name in places.items():
        text = text.replace(place, name)
    for pattern, name in _MASKS:
        text = pattern.sub(name, text)
    return text


def of_the_program(value: Any, places: dict[str, str]) -> Any:
    """JSON without what the machine and the hour have to do with it."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if k not in OF_THE_MACHINE}
        return {masked(k, places): of_the_program(v, places) for k, v in kept.items()}
    if isinstance(value, list):
        return [of_the_program(v, places) for v in value]
    return masked(value, places) if isinstance(value, str) else value


def digest(data: bytes) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def answer(text: str, exact: bool, places: dict[str, str]) -> Any:
    """JSON as such, another text under what it is."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return {"json": of_the_program(json.loads(text), places)}
        except ValueError:
            pass
    text = masked(text, places)
    kind = "exact" if exact else "words"
    return {kind: text if len(text) <= LONGEST else digest(text.encode())}


def written(folder: Path, item: Item, places: dict[str, str]) -> dict[str, Any]:
    """The files of a folder. An ELF file names the folders of its sources: its bytes are those of the HEX file."""
    given, found = dict(item.copies), {}
    for file in sorted(f for f in folder.rglob("*") if f.is_file() and f.suffix != ".elf"):
        data, name = file.read_bytes(), file.relative_to(folder).as_posix()
        if name in given and given[name].encode() == data:
            continue
        if file.suffix in IMAGES:
            found[name] = digest(data)
        elif file.suffix == ".map":  # names what the linker was given
            found[name] = {"words": digest(data)}
        elif file.suffix == ".json" and ".lf/" not in name:  # bytes count
            text = masked(data.decode(), places)
            found[name] = {"exact": text if len(text) <= LONGEST else digest(text.encode())}
        else:
            found[name] = answer(data.decode(errors="replace"), file.suffix != ".txt", places)
    return found


def collect_item(checkout: Checkout, item: Item, scratch: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=scratch) as out:
        folder = Path(out)
        for name, text in item.copies:
            (folder / name).write_text(text, encoding="utf-8")
        places = {out: "<out>", str(scratch): "<scratch>", str(checkout.folder): "<checkout>"}
        told = []
        for call in item.calls:
            arguments = [a.replace("{out}", out) for a in call.arguments]
            cwd = folder if call.inside else checkout.folder
            code, said, err = checkout.run(arguments, call.typed.replace("{out}", out), cwd, scratch)
            said_of = {"exit": code, "out": answer(said, call.exact, places)}
            told.append(said_of | ({"err": answer(err, False, places)} if err else {}))
        return {"calls": told, "files": written(folder, item, places)}


def listed(checkout: Checkout, scratch: Path) -> tuple[list[str], list[str]]:
    """Boards and commands, as `lfc` itself lists them."""
    try:
        code, out, err = checkout.run(["boards", "--json"], "", checkout.folder, scratch)
        help_code, page, _ = checkout.run(["--help"], "", checkout.folder, scratch)
    except OSError as error:
        raise Unusable(f"{checkout.command[0]} cannot be run: {error.strerror}; is {checkout.folder} set up?") from None
    if code or help_code:
        raise Unusable(f"{checkout.command[0]} boards ends with {code}: {err.strip()}")
    commands = re.findall(r"^  ([a-z][a-z-]+) {2,}\S", page.partition("Commands:")[2], re.MULTILINE)
    return [b["name"] for b in json.loads(out)["boards"]], commands


def collect(
    checkout: Checkout, quick: bool = False, only: Sequence[str] = ("*",), tell: bool = False
) -> dict[str, Any]:
    """All items whose names match one of `only`."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        scratch = Path(place).resolve()
        (scratch / "tmp").mkdir()
        boards, commands = listed(checkout, scratch)
        items = [i for i in items_of(checkout, boards, commands, quick) if any(fnmatchcase(i.name, o) for o in only)]
        answers: dict[str, Any] = {}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for item, said in zip(items, pool.map(lambda i: collect_item(checkout, i, scratch), items), strict=True):
                answers[item.name] = said
                if tell and len(answers) % 100 == 0:
                    print(f"{len(answers)} of {len(items)}, {time.monotonic() - began:.0f} s", file=sys.stderr)
    sources = checkout.files("examples/**/*.lf") + checkout.files("tests/corpus/**/*.lf")
    inputs = {name: hashlib.sha256(checkout.text(name).encode()).hexdigest() for name in sources}
    return {"format": FORMAT, "version": 1, "quick": quick, "inputs": inputs, "items": answers}


# What differs


@dataclass(slots=True)
class Differences:
    must: list[str] = field(default_factory=list)  # numbers, verdicts, bytes
    reworded: list[str] = field(default_factory=list)


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, str(number)))
    else:
        yield path, value


def is_sentence(path: tuple[str, ...], value: Any) -> bool:
    if "words" in path:
        return True
    return isinstance(value, str) and " " in value and not SENTENCES.isdisjoint(path)


def same_numbers(before: Any, after: Any) -> bool:
    if not isinstance(before, str) or not isinstance(after, str):
        return isinstance(before, type(after))  # digests of long texts
    return Counter(_NUMBER.findall(before)) == Counter(_NUMBER.findall(after))


def shown(before: Any, after: Any, most: int = 16) -> str:
    """Line by line where there are several."""
    if not (isinstance(before, str) and isinstance(after, str) and "\n" in before + after):
        return f"{_brief(before)} -> {_brief(after)}"
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    changed = [line[:200] for line in lines if not line.startswith("@@")]
    left = [f"and {len(changed) - most} lines more"] if len(changed) > most else []
    return "".join(f"\n    {line}" for line in [*changed[:most], *left]) or "only the ends of lines"


def _brief(value: Any) -> str:
    text = "nothing" if value is _ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text)} characters)"


_ABSENT = object()


def compare_item(name: str, before: Any, after: Any, found: Differences, most: int = 12) -> None:
    old, new = dict(leaves(before)), dict(leaves(after))
    must = []
    for path in dict.fromkeys([*old, *new]):
        one, other = old.get(path, _ABSENT), new.get(path, _ABSENT)
        if type(one) is type(other) and one == other:
            continue
        told = f"{name}: {'.'.join(path)}: {shown(one, other)}"
        worded = _ABSENT not in (one, other) and is_sentence(path, one) and is_sentence(path, other)
        if worded and same_numbers(one, other):
            found.reworded.append(told)
        else:
            must.append(told)
    found.must += must[:most]
    if len(must) > most:
        found.must.append(f"{name}: and {len(must) - most} differences more")


def compare(before: dict[str, Any], after: dict[str, Any]) -> Differences:
    found = Differences()
    for name in dict.fromkeys([*before["inputs"], *after["inputs"]]):
        if before["inputs"].get(name) != after["inputs"].get(name):
            found.must.append(f"{name}: is not the same program, or is in one of both only")
    for name in dict.fromkeys([*before["items"], *after["items"]]):
        if name not in before["items"] or name not in after["items"]:
            found.must.append(f"{name}: only {'before' if name in before['items'] else 'after'}")
        else:
            compare_item(name, before["items"][name], after["items"][name], found)
    return found


def read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}") from None
    except ValueError:
        raise Unusable(f"{file} is no JSON; --collect {file} writes it") from None
    if not isinstance(found, dict) or (found.get("format"), found.get("version")) != (FORMAT, 1):
        raise Unusable(f"{file} is not what --collect writes")
    if not found["items"]:
        raise Unusable(f"{file} holds no items")
    return found


def report(found: Differences, items: int) -> int:
    """Prints, and returns the exit code."""
    if found.must:
        print(f"must be equal ({len(found.must)}):", *found.must, sep="\n")
    if found.reworded:
        print(f"reworded ({len(found.reworded)}):", *found.reworded, sep="\n")
    print(f"{items} items compared: {len(found.must)} differences that must not be, {len(found.reworded)} reworded")
    return 1 if found.must else 0


def collect_into(file: Path, checkout: Checkout, quick: bool, only: Sequence[str]) -> None:
    began = time.monotonic()
    found = collect(checkout, quick, only, tell=True)
    if not found["items"]:
        raise Unusable(f"no item has a name like {', '.join(only)}")
    file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    codes = Counter(str(c["exit"]) for item in found["items"].values() for c in item["calls"])
    told = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
    print(f"{len(found['items'])} items in {time.monotonic() - began:.0f} s; commands by exit code: {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--collect", type=Path, metavar="OUT.json")
    what.add_argument("--compare", type=Path, nargs=2, metavar=("BEFORE.json", "AFTER.json"))
    parser.add_argument("--checkout", type=Path, default=Path(), metavar="DIR", help="to collect from (.)")
    parser.add_argument("--quick", action="store_true", help="a part, in a minute")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="items of this name; may be repeated")
    parser.add_argument("--cold", action="store_true", help="with an empty cache of compiled C")
    options = parser.parse_args()
    try:
        if options.collect:
            checkout = Checkout(options.checkout, cold=options.cold)
            collect_into(options.collect, checkout, options.quick, options.only or ["*"])
            sys.exit(0)
        before, after = (read(file) for file in options.compare)
        sys.exit(report(compare(before, after), len(before["items"].keys() & after["items"].keys())))
    except Unusable as error:
        print(f"equivalence: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
