"""The kernel, its policies and its host side alone, in C: under the sanitizers, and which branches that reaches."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.runtime.branches import COUNTED_IN_TESTS, Branches
from tests.runtime.building import STRICT, VARIANTS, Variant, build, compile_object, compilers, run


@pytest.fixture(scope="session")
def built_here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernel")


FORMS = {"meetings.c": 3}  # in how many ways partners are looked for


def count_tests(source: str) -> int:
    return FORMS.get(source, 1) * (Path(__file__).parent / source).read_text(encoding="utf-8").count("    TEST(")


@pytest.mark.parametrize("compiler", compilers())
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_under_the_sanitizers(variant: Variant, compiler: str, built_here: Path) -> None:
    folder = built_here / compiler
    folder.mkdir(exist_ok=True)
    done = subprocess.run([build(compiler, variant, folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall("^ok ", done.stdout, re.M)) == count_tests(variant.source)


def test_a_check_that_fails_says_where(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text(
        '#include "checks.h"\n'
        "static void wrong(void)\n{\n    CHECK_EQUAL(1 + 1, 3);\n    CHECK(0);\n}\n"
        "static const struct test tests[] = {TEST(wrong)};\nMAIN(tests)\n"
    )
    program = tmp_path / "wrong"
    run([compilers()[0], *STRICT, f"-I{Path(__file__).parent}", str(source), "-o", str(program)])
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{source}:4: 1 + 1 is 2, not 3" in done.stdout
    assert f"{source}:5: does not hold: 0" in done.stdout
    assert "FAILED wrong" in done.stdout


@pytest.mark.parametrize("compiler", compilers())
def test_kernel_is_one_strict_module(compiler: str, tmp_path: Path) -> None:
    """As it is linked into programs: freestanding, and without a warning."""
    runtime = Path(__file__).resolve().parent.parent.parent / "runtime"
    flags = [
        "-ffreestanding",
        "-O2",
        "-Wconversion",
        "-Wshadow",
        "-Wpointer-arith",
        "-Wcast-qual",
        "-Wno-sign-conversion",
    ]
    for source in ("kernel/kernel.c", "policies/board.c"):
        made = compile_object(compiler, runtime / source, tmp_path / f"{Path(source).stem}.o", flags)
        assert made.stat().st_size > 0


def test_branches_of_the_kernel(tmp_path: Path) -> None:
    """These tests alone take every branch of the kernel, its policies and its host side."""
    for variant in VARIANTS:
        run([str(build("gcc", variant, tmp_path, COUNTED_IN_TESTS))])
    branches = Branches()
    branches.add_objects(sorted(tmp_path.glob("*.o")))
    print(branches.report())
    for file, floor in FLOORS.items():
        assert branches.share(file) >= floor, f"{file}:\n" + "\n".join(branches.untaken(file))


FLOORS = {"kernel/lf.h": 1.0, "policies/board.h": 1.0, "policies/board.c": 1.0, "ports/host/host.c": 1.0}
