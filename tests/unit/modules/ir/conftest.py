"""Programs in the intermediate representation, from C texts."""

from collections.abc import Callable, Mapping
from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c.datamodel import LP64, DataModel
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.lower import lower
from cseq.modules.ir.printer import print_program
from cseq.modules.ir.program import Program, Template
from tests.differential.interpreted import SETTINGS

Lowered = Callable[..., Program]


def program_of(tree: c_ast.FileAST, model: DataModel = LP64, settings: Mapping[str, int] | None = None) -> Program:
    """The program that a tree is."""
    symbols = Symbols(tree, model)
    symbols.enumerators.update(settings or {})
    return lower(tree, symbols, Visibility(symbols, tree))


@pytest.fixture
def lowered(translated) -> Lowered:
    """``lowered(text, stage="inliner")``: the program that a C text is behind a stage; all settings are numbers."""

    def run(text: str, stage: str = "inliner", threads: int = 4, **parameters: object) -> Program:
        unit = translated.unit(stage, text, **parameters)
        return program_of(unit.tree, settings={**SETTINGS, "__CSEQ_THREADS": threads})

    return run


@pytest.fixture
def core() -> Lowered:
    """``core(text)``: the program that a text in the core language is."""

    def run(text: str, model: DataModel = LP64) -> Program:
        return program_of(parse(dedent(text), "program.c"), model)

    return run


def listing(program: Program, name: str) -> list[str]:
    """The lines of the blocks of a template, without numbers and notes."""
    lines = print_program(program, numbers=False, steps=True).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"template {name}("))
    found = [line.partition(" ; ")[0].strip() for line in lines[start + 1 :]]
    end = found.index("") if "" in found else len(found)
    return [line for line in found[:end] if not line.startswith(("auto ", "temp ", "thread "))]


def template(program: Program, name: str = "main") -> Template:
    """A template by its name."""
    return program.by_name[name]
