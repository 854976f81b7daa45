"""The check of an image beside models of its devices: in the program's part of every state that the search with them
has reached, with what they answer there."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from lfc.mcheck.image.check_image import ImageCheck, ImageResult
from lfc.mcheck.search.search import Search
from lfc.mcheck.search.worker_thread import in_thread, in_time

if TYPE_CHECKING:
    from lfc.mcheck.search.worker_thread import Shown


def executed_with_model(search: Search, shown: Shown) -> ImageResult:
    """`search`: with the models, at its end."""
    request = search.request
    assert request.image is not None
    alone = request.changed(reductions=("none",), data="explicit")
    with closing(Search(request.image.machine, alone)) as program:
        check = ImageCheck(program, request.image, model=search)
        try:
            with in_time(program, shown.begin, request.limits.seconds):
                in_thread(check.run, program, shown)
            return check.result()
        finally:
            check.close()
