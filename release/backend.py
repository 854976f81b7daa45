"""How pip builds this project: by setuptools, with a compiler where the engine is built, which is no small thing to
fetch: not for an editable install, nor where the engine is brought along (LF_BUILT, see setup.py).
"""

from __future__ import annotations

import os
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

COMPILER = "ziglang>=0.17,<0.18"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    needed: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return needed if "LF_BUILT" in os.environ else [*needed, COMPILER]
