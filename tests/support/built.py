"""Transition systems of programs, for tests: ``python -m tests.support.built FILE`` prints one."""

import sys
from pathlib import Path
from typing import Any

from cseq.modules.deductive.encode.builder import Builder
from cseq.modules.deductive.encode.listing import listed
from cseq.modules.deductive.transitions import System
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context


def built(path: Path | str, **parameters: Any) -> System:
    """The transition system of the program in the file *path*."""
    chain = load("explicit")
    context = Context(chain.values({**parameters}), Path(path).resolve().parent)
    value: Any = [str(path)]
    for name, stage in chain.chosen(context.values):
        value = stage(context).run(value)
        if name == "undisturbed":
            break
    builder = Builder(context)
    builder.run(value)
    return builder.system


if __name__ == "__main__":
    print(listed(built(sys.argv[1])))
