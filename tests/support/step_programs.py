"""Step programs of C programs, and what is known about them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pycparser import c_ast

from cseq.api import Observer, run
from cseq.modules.explicit.encode.step_program import STEPS, Steps
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context, Unit
from cseq.portfolio.families import Configuration

CHAIN = load("explicit")


@dataclass
class Stepped:
    """A step program. tree: what the stepper takes. unit: its text, as the engines get it."""

    tree: c_ast.FileAST
    steps: Steps
    unit: Unit
    context: Context


class _Keeper(Observer):
    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.context: Any = None

    def seen(self, name: str, output: Any, context: Context) -> None:
        self.found[name], self.context = output, context

    def made(self, name: str, output: Any) -> Any:
        return None if name == "hooks" else output


def stepped(folder: Path, text: str, **parameters: object) -> Stepped:
    """The step program of the C program *text*, which is put into *folder*."""
    path = folder / "x.c"
    path.write_text(text)
    keeper = _Keeper()
    run(Configuration(CHAIN, CHAIN.values(parameters)), [path], observer=keeper, keep=folder, printing=True)
    found = keeper.found
    return Stepped(found["uninitialised_reads"].tree, keeper.context.facts[STEPS], found["hooks"], keeper.context)


def nodes(tree: c_ast.Node) -> Iterator[c_ast.Node]:
    """The tree and all that is in it."""
    yield tree
    for _, child in tree.children():
        yield from nodes(child)
