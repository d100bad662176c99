"""Compare the interpreter of the intermediate representation with the reference, on random programs.

    python -m tests.differential.interpreted --seed 1 --count 100

The reference executes the program as data, and knows nothing of the front end; the interpreter executes what the
front end, the inliner and lowering make of its C text. Both look at all executions.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from cseq.c.symbols import Symbols
from cseq.model.errors import CSeqError
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.instructions import Input
from cseq.modules.ir.interpret import Found, constants, explore
from cseq.modules.ir.lower import lower
from cseq.modules.ir.program import Program as Lowered
from cseq.modules.library import lexicon
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context, Unit
from tests.differential import explicit, fuzz
from tests.differential.exhaustive import Everything
from tests.differential.reference import Program, to_c

SETTINGS = {lexicon.ZEROED: 1, lexicon.SPURIOUS: 1, lexicon.KEYS: 4, lexicon.FREED: 2}
"""What the chain fixes for the library, beside the number of threads."""


def translated(path: Path, folder: Path, threads: int = 6, **parameters: object) -> Lowered:
    """What the interpreter executes of the program *path*. Raises CSeqError where a stage refuses it."""
    chain = load("lazy")
    context = Context(chain.values({"weak_fails": True, **parameters}), folder)
    value: object = [str(path)]
    for name, stage in chain.chosen(context.values):
        value = stage(context).run(value)
        if name == "inliner":
            break
    assert isinstance(value, Unit)
    symbols = Symbols(value.tree, context.model)
    symbols.enumerators.update({**SETTINGS, lexicon.THREADS: threads})
    return lower(value.tree, symbols, Visibility(symbols, value.tree))


def interpreted(program: Lowered, limit: int = 20_000) -> Found:
    """What the interpreter finds."""
    return explore(program, constants(program), limit)


def has_orders(program: Lowered) -> bool:
    """Whether the order of evaluation matters, which C leaves open, and so is a choice; the reference has one order."""
    return any(isinstance(each, Input) and each.kind == "bool" for each in program.instructions)


def disagreement(program: Program, expected: Everything, folder: Path, counts: Counter[str]) -> str:
    """What is wrong with what the interpreter finds in *program*; empty if nothing is."""
    if expected.cut and not expected.violated:
        counts["dropped: cut"] += 1
        return ""
    source = folder / "interpreted.c"
    source.write_text(to_c(program), encoding="utf-8")
    try:
        translation = translated(source, folder, recursion=3)
    except CSeqError as error:
        counts[f"refused: {str(error).split('`')[0]}"] += 1
        return ""
    found = interpreted(translation)
    if "time" in found.cuts and not found.violations:
        counts["dropped: time"] += 1
        return ""
    if found.violations and not expected.violated and has_orders(translation):
        counts["dropped: order"] += 1
        return ""
    counts["violated" if expected.violated else "safe"] += 1
    if found.undefined:
        return f"undefined behaviour: {sorted(found.undefined)}"
    if bool(found.violations) != expected.violated:
        return "a violation is missed" if expected.violated else f"false alarms: {sorted(found.violations)}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Compare; the exit status says whether there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--size", type=int, default=4)
    options = parser.parse_args(arguments)
    wrong = 0
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, program in fuzz.programs(options.seed, options.count, options.start, options.size):
            rng = random.Random(f"{options.seed}/{number}/tests")
            for test, expected in explicit.tests_of(program, rng, counts):
                problem = disagreement(test, expected, Path(folder), counts)
                if problem:
                    wrong += 1
                    print(f"number {number}: {problem}\n{to_c(test)}", flush=True)
    print(f"{options.count} programs, {wrong} disagreements, {dict(sorted(counts.items()))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
