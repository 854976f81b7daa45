"""Stands between a client and a debugger, and writes down each message: a line of JSON with who sent it.

    python -m tests.campaign.debugger.recorder FOLDER COMMAND...

Each session has a file in the folder, by its number.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from tests.debugger.recorded import CLIENT, DEBUGGER
from tests.support.framed import read_framed, write_framed


class Recorder:
    def __init__(self, folder: Path) -> None:
        self.out = (folder / f"{len(list(folder.iterdir())) + 1}.jsonl").open("w", encoding="utf-8")
        self.lock = threading.Lock()

    def pass_on(self, who: str, source: IO[bytes], target: IO[bytes]) -> None:
        while (content := read_framed(source)) is not None:
            with self.lock:  # written down before it is passed on: nothing can answer it earlier
                self.out.write(json.dumps({"from": who, "message": json.loads(content)}) + "\n")
                self.out.flush()
            try:
                write_framed(target, content)
            except BrokenPipeError:
                return


def main() -> None:
    recorder = Recorder(Path(sys.argv[1]))
    process = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    towards = (CLIENT, sys.stdin.buffer, process.stdin)
    threading.Thread(target=recorder.pass_on, args=towards, daemon=True).start()
    recorder.pass_on(DEBUGGER, process.stdout, sys.stdout.buffer)
    process.stdin.close()
    sys.exit(process.wait())


if __name__ == "__main__":
    main()
