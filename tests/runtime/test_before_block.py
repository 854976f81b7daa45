"""The struct before the state block: C and Python agree about it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from lfc.codegen.module import before_block
from lfc.toolchain.c_library import C_LIBRARY_ALONE
from tests.conftest import ROOT

PROGRAM = """
#include <stdio.h>
#include "before_block.h"
int main(void)
{
    printf("%zu %zu %zu ", LF_BEFORE(answer), LF_BEFORE(width), LF_BEFORE(context));
    printf("%zu %d", LF_BEFORE(rounds), LF_ROOM_BEFORE_BLOCK);
    return 0;
}
"""


def test_the_header_has_the_numbers_of_generated_code(tmp_path: Path) -> None:
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text(PROGRAM)
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", *C_LIBRARY_ALONE, "-I", str(ROOT / "runtime/ports/host")]
    subprocess.run([sys.executable, "-m", "ziglang", "cc", *flags, str(source), "-o", str(program)], check=True)
    told = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    b = before_block
    assert [int(n) for n in told.split()] == [-b.ANSWER, -b.WIDTH, -b.CONTEXT, -b.ROUNDS, b.ROOM_OF_POLICIES]
