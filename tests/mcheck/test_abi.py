"""The bindings to C (abi.py of the engine and of the cores): they are what the headers say, and a library that was
built from other headers is refused when it is loaded.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from lfc.isa import abi as cores_abi
from lfc.isa import library as cores_library
from lfc.mcheck.engine import abi
from lfc.mcheck.engine import library as engine_library
from lfc.mcheck.engine.generate_abi import Binding, NotBindable, bindings
from lfc.toolchain.c_library import load_c_library
from lfc.toolchain.c_types import LayoutError, compare
from tests.conftest import ROOT

FOLDERS = ("lfc", "mcheck", "boards")


@pytest.mark.parametrize("binding", bindings(), ids=lambda b: b.name)
def test_bindings_are_current(binding: Binding) -> None:
    """If not, run `python -m lfc.mcheck.engine.generate_abi`."""
    for file, text in binding.files.items():
        assert file.read_text() == text, f"{file} is not what its generator writes"


# --- what is loaded --------------------------------------------------------------------------------------------------


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A copy of its sources, to be changed."""
    return Path(shutil.copytree(engine_library.FOLDER, tmp_path / "engine"))


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def compare_built(folder: Path, wide: bool = False) -> None:
    """Of the library only what it says of itself."""
    flags = ["-DLF_WIDE"] if wide else []
    table, headers = folder / "api" / "abi_table.c", sorted(folder.rglob("*.h"))
    compare(load_c_library([table], headers, [folder], flags, "a table"), abi.account(wide), "abi.py")


@pytest.mark.parametrize("wide", [False, True])
def test_what_is_not_changed_is_as_the_binding_says(engine: Path, wide: bool) -> None:
    compare_built(engine, wide)
    with pytest.raises(LayoutError, match="^MC_SLOT_BITS of the loaded library"):
        load = load_c_library([engine / "api" / "abi_table.c"], [], [engine], ["-DLF_WIDE"] if wide else [], "a table")
        compare(load, abi.account(not wide), "abi.py")


CHANGES = [
    (
        "api/engine.h",
        "struct mc_piece { uint32_t offset, size; }",
        "struct mc_piece { uint32_t size, offset; }",
        "mc_piece",
    ),
    ("api/engine.h", "int64_t lowest, highest;", "uint64_t lowest, highest;", "mc_range"),
    ("api/engine.h", "uint32_t depth, padding;\n", "uint32_t depth, padding, more;\n", "mc_error"),
    ("api/walks.h", "    double omitted;", "    uint64_t omitted;", "mc_walk_counts"),
    (
        "api/emptiness.h",
        "uint32_t q, ordinal; };\n\nstruct cy_result",
        "uint16_t q, ordinal; };\n\nstruct cy_result",
        "cy_step",
    ),
]


@pytest.mark.parametrize(("header", "old", "new", "struct"), CHANGES, ids=[c[3] for c in CHANGES])
def test_a_changed_struct_is_named(engine: Path, header: str, old: str, new: str, struct: str) -> None:
    change(engine / header, old, new)
    message = (
        f"^struct {struct} of the loaded library is not that of abi.py: run `python -m lfc.mcheck.engine.generate_abi`$"
    )
    with pytest.raises(LayoutError, match=message):
        compare_built(engine)


def test_a_changed_number_is_named(engine: Path) -> None:
    change(engine / "api" / "oversized_action.h", "MC_DECISIONS = 4", "MC_DECISIONS = 5")
    with pytest.raises(LayoutError, match="^enum mc_crowd of"):
        compare_built(engine)
    change(engine / "api" / "oversized_action.h", "MC_DECISIONS = 5", "MC_DECISIONS = 4")
    change(engine / "api" / "modular.h", "MC_NO_NOTE = UINT32_MAX", "MC_NO_NOTE = INT32_MAX")
    with pytest.raises(LayoutError, match="^MC_NO_NOTE of"):
        compare_built(engine)


def test_what_is_only_in_the_library_is_noticed(engine: Path) -> None:
    change(engine / "api" / "abi_table.c", "(uint32_t)MC_SYM_TOKENS,", "(uint32_t)MC_SYM_TOKENS, 7,")
    with pytest.raises(LayoutError, match="^the loaded library declares more than abi.py"):
        compare_built(engine)


def test_loading_compares(tmp_path: Path) -> None:
    """The cores are small enough to be built again."""
    cores = Path(shutil.copytree(cores_library.CORES, tmp_path / "cores"))
    change(cores / "thumb.h", "uint32_t start, size, at; }", "uint32_t at, size, start; }")
    with patch.object(cores_library, "CORES", cores), pytest.raises(LayoutError, match="^struct thumb_region of"):
        cores_library.library.__wrapped__()


def test_loading_the_engine_compares(engine: Path) -> None:
    """Here it has nothing but the table."""
    change(engine / "api" / "engine.h", "int32_t fault_first, fault_second;", "int32_t fault_second, fault_first;")
    with (
        patch.object(engine_library, "FOLDER", engine),
        patch.object(engine_library, "INCLUDE", (engine,)),
        patch.object(engine_library, "sources", lambda wide: [engine / "api" / "abi_table.c"]),
        pytest.raises(
            LayoutError, match="^struct mc_error of the loaded library is not that of lfc/mcheck/engine/abi.py"
        ),
    ):
        engine_library._library.__wrapped__(False)


# --- nothing beside them ---------------------------------------------------------------------------------------------


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            if not any((ROOT / "lfc" / link) in file.parents for link in ("mcheck", "boards", "runtime")):
                yield file


def test_structs_are_written_by_hand_for_compiled_programs_only() -> None:
    struct = re.compile(r"^class \w+\((ctypes\.)?(Structure|Union)\)", re.MULTILINE)
    found = {f.relative_to(ROOT).as_posix() for f in sources() if struct.search(f.read_text())}
    beside = {"lfc/run/running.py", "lfc/run/load_code.py"}  # of compiled programs, and of LLVM, which loads them
    assert found == {"mcheck/engine/abi.py", "lfc/isa/abi.py", *beside}


def test_functions_that_are_called_are_declared() -> None:
    """Of one that is not, arguments and result would be taken for `int`."""
    declared = set[str]()

    class Library:
        def __getattr__(self, name: str) -> Library:
            declared.add(name)
            return Library()

    abi.declare(Library(), wide=False)  # type: ignore[arg-type]
    cores_abi.declare(Library())  # type: ignore[arg-type]
    called = {
        name
        for f in sources()
        for name in re.findall(r"library(?:\(\))?\.((?:mc|img|cy|avr|thumb)_\w+)", f.read_text())
    }
    assert len(called) > 60
    assert called - declared == set()
    by_hand = re.compile(r"^ *\w+(\.\w+)*\.(argtypes|restype)\b.* = ", re.MULTILINE)
    found = {f.relative_to(ROOT).as_posix() for f in sources() if by_hand.search(f.read_text())}
    others = {"boards/flash/drive.py", "lfc/run/load_code.py"}  # of the system and of LLVM
    assert found == {"mcheck/engine/abi.py", "lfc/isa/abi.py", *others}


# --- what the generator refuses --------------------------------------------------------------------------------------

REFUSED = {
    "struct x is another one for wide programs": "struct x {\n#ifdef LF_WIDE\nlong\n#else\nint\n#endif\nvalue; };",
    "enum x is another one for wide programs": "#ifdef LF_WIDE\nenum x { X_A };\n#else\nenum x { X_B };\n#endif",
    "f is another one for wide programs": "#ifdef LF_WIDE\nvoid f(int16_t x);\n#else\nvoid f(int8_t x);\n#endif",
    "a parameter that is a function needs a typedef": "void f(void (*g)(void));",
    "from of struct x is a word of Python": "struct x { int from; };",
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_bound_is_refused(tmp_path: Path, why: str) -> None:
    (tmp_path / "api.h").write_text("#include <stdint.h>\n" + REFUSED[why])
    binding = Binding("a test", tmp_path / "abi.py", tmp_path / "abi_table.c", "abi", tmp_path, (Path("api.h"),), True)
    with pytest.raises(NotBindable, match=f"^{why}"):
        _ = binding.files


def test_what_is_written_of_a_header(tmp_path: Path) -> None:
    (tmp_path / "other.h").write_text("#include <stdint.h>\nstruct hidden { int32_t x; };\n")
    (tmp_path / "api.h").write_text(
        '#include "other.h"\n'
        "enum mc_colour { MC_COLOUR_RED = 3, MC_COLOUR_BLUE = -1 };\n"
        "enum { IMG_MOST = 1 << 4 };\n"
        "typedef int32_t mc_look(const struct hidden *h);\n"
        "struct mc_b { struct mc_a *a; int64_t x[2][3]; uint8_t (*step)(void *context); };\n"
        "struct mc_a { const uint16_t *w; const char *name; double d; enum mc_colour c; };\n"
        "void mc_do(struct mc_b *b, mc_look *look, const char *file, uint8_t *bytes, const uint64_t *numbers);\n"
        "static inline int mc_hidden(void) { return 0; }\n"
    )
    binding = Binding("a test", tmp_path / "abi.py", tmp_path / "abi_table.c", "abi", tmp_path, (Path("api.h"),), False)
    text = binding.files[binding.python]
    assert text.count("(Structure)") == 2 and text.index("class A(") < text.index("class B(")
    for line in (
        'class Colour(IntEnum):\n    """`enum mc_colour`"""\n    RED = 3\n    BLUE = -1\n',
        "IMAGE_MOST = 16\n",
        "BStep = CFUNCTYPE(c_uint8, c_void_p)\n",
        "Look = CFUNCTYPE(c_int32, c_void_p)\n",
        '    _fields_ = [("a", POINTER(A)), ("x", c_int64 * 3 * 2), ("step", BStep)]\n',
        '    _fields_ = [("w", POINTER(c_uint16)), ("name", c_void_p), ("d", c_double), ("c", c_int32)]\n',
        '"mc_do": (None, [POINTER(B), Look, c_char_p, c_void_p, POINTER(c_uint64)]),\n',
    ):
        assert line in text
    assert "idden" not in text
