"""Translate one program in this process, and print as JSON how long each stage took.

`run.py` starts a new process for each run, so that no run finds anything that an earlier one has left in memory.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from typing import Any

LAST = "instrumenter"
"""The last stage of the translation."""


def main(file: str, started: str, *parameters: str) -> None:
    """Translate *file*.

    started:    when this process was started, by the clock that all processes share (`time.perf_counter`).
    parameters: of the chain, as NAME=VALUE.
    Prints the seconds from the start of the process until the chain was ready, and those of each stage.
    """
    from cseq.api import Functions, run
    from cseq.pipeline.chain import load
    from cseq.portfolio.families import Configuration

    chain = load("lazy")
    values = chain.values(dict(parameter.split("=", 1) for parameter in parameters))
    ready = time.perf_counter()
    ends: list[tuple[str, float]] = [("", ready)]

    def after(name: str, value: Any) -> Any:
        ends.append((name, time.perf_counter()))
        return None if name == LAST else value

    run(Configuration(chain, values), [file], observer=Functions(made=after), printing=True)
    times = {name: end - begin for (_, begin), (name, end) in itertools.pairwise(ends)}
    print(json.dumps({"start": ready - float(started), "stages": times}))


if __name__ == "__main__":
    main(*sys.argv[1:])
