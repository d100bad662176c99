"""The contracts of the intermediate representation, on the programs of the suite.

    python -m tests.differential.lowering [--every 10] [--start 0] [--chain explicit --property no-data-race]

lowers what each stage from `inliner` to `thread_instances` makes of every program (in the explicit chain, to
`uninitialised_reads`), and what `three_address` makes, where calls are still calls. Then it checks that

(a) functions of which nothing has changed are emitted as they are, and functions that are written anew from the
    sources of their instructions have the same text and the same line map;
(b) what is written without these sources is lowered to the same program again, up to numbers;
(c) the program keeps the rules of the verifier, and so do the library functions that it uses;
(d) nothing is refused.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from pycparser import c_ast

from cseq.c import print_unit
from cseq.c.symbols import Symbols
from cseq.model.errors import CSeqError, UnsupportedError
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.emit import Form, emit
from cseq.modules.ir.lower import lower
from cseq.modules.ir.printer import print_program
from cseq.modules.ir.program import Program
from cseq.modules.ir.verify import violations
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context, Unit
from tests.support.checkout import ROOT

_POINTED = re.compile(r"\*\((\([\w ]+\*+\) )?\(?&")
STAGES = (
    "three_address", "inliner", "undisturbed", "unroller", "thread_instances", "bytewise", "check_instrumentation",
    "input_choices", "explicit/encode/race_instrumentation", "uninitialised_reads",
)  # fmt: skip


def programs() -> list[Path]:
    """The C programs of the suite that are translated in one file."""
    folders = (ROOT / "sv-benchmarks", ROOT / "tests" / "programs")
    return sorted(path for folder in folders for ending in ("*.c", "*.i") for path in folder.rglob(ending))


def units(
    path: Path, folder: Path, chain: str = "lazy", asked: str = "unreach-call"
) -> Iterator[tuple[str, Unit, Context]]:
    """What each of the stages makes of a program, for a property; nothing more once a stage refuses it."""
    loaded = load(chain)
    bounds = {"unwind": 2} if chain == "lazy" else {"checked": asked in ("valid-memsafety", "no-overflow")}
    context = Context(loaded.values({**bounds, "property": asked}), folder)
    value: object = [path]
    try:
        for name, stage in loaded.chosen(context.values):
            value = stage(context).run(value)
            if name in STAGES:
                assert isinstance(value, Unit)
                yield name, value, context
            if name in ("thread_instances", "uninitialised_reads"):
                return
    except CSeqError:
        return


def lowered(tree: c_ast.FileAST, context: Context) -> Program:
    """The program that a tree is."""
    symbols = Symbols(tree, context.model)
    return lower(tree, symbols, Visibility(symbols, tree))


def problems(unit: Unit, context: Context) -> Iterator[str]:
    """The contracts that one program breaks."""
    try:
        program = lowered(unit.tree, context)
    except UnsupportedError as error:
        yield f"(d) it is refused: {error}"
        return
    if any(one is not other for one, other in zip(emit(program).ext, unit.tree.ext, strict=True)):
        yield "(a) a function is another object"
    text, linemap = print_unit(emit(program, Form.STATEMENTS))
    if text != unit.text:
        yield f"(a) another text\n{_difference(unit.text, text)}"
    elif list(linemap) != list(unit.linemap):
        yield "(a) another line map"
    again = lowered(emit(program, Form.ANEW), context)
    before, after = (print_program(each, numbers=False) for each in (program, again))
    if before != after and _POINTED.search(unit.text):
        # `*&x` is x, so the address of x is not taken any more, and x may not escape any more.
        before, after = after, print_program(lowered(emit(again, Form.ANEW), context), numbers=False)
    if before != after:
        yield f"(b) another program\n{_difference(before, after)}"
    for name in program.steps:
        assert program.steps[name].blocks
    for object_ in program.objects:
        program.initial(object_)
    for broken in violations(program):
        yield f"(c) {broken}"


def _difference(before: str, after: str) -> str:
    return "\n".join(list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[:12])


def main(arguments: list[str] | None = None) -> int:
    """Check the programs; the exit status says whether a contract was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--chain", default="lazy")
    parser.add_argument("--property", default="unreach-call")
    options = parser.parse_args(arguments)
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in programs()[options.start :: options.every]:
            for stage, unit, context in units(path, Path(folder), options.chain, options.property):
                count += 1
                for problem in problems(unit, context):
                    wrong += 1
                    print(f"{path.relative_to(ROOT)} behind the {stage}: {problem}", flush=True)
    print(f"{count} programs, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
