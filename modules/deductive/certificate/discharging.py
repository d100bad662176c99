"""Run as a program: `python -P discharging.py z3|cvc5` executes commands of SMT-LIB. It imports nothing else of CSeq.

Standard input has them; standard output gets one line for each answer, as soon as there is one. Whatever a solver has
to say that is no answer ends the program with another status than 0, and a message on standard error.
"""

import importlib
import sys
from collections.abc import Callable, Iterator

SOLVERS = ("z3", "cvc5")
SEPARATOR = ";;"
"""A line that separates the parts of the input that may be executed one after the other."""

_ANSWERS = frozenset({"sat", "unsat", "unknown"})


def main(name: str, text: str) -> int:
    """Execute the commands in *text* with the solver called *name*. Returns the exit status."""
    executing = {"z3": _z3, "cvc5": _cvc5}[name]()
    for part in text.split(f"\n{SEPARATOR}\n"):
        for line in executing(part):
            if line not in _ANSWERS:
                print(line, file=sys.stderr)
                return 1
            print(line, flush=True)
    return 0


def _z3() -> Callable[[str], Iterator[str]]:
    """Z3's interpreter of commands."""
    z3 = importlib.import_module("z3")
    context = z3.Context()

    def execute(text: str) -> Iterator[str]:
        output = z3.Z3_eval_smtlib2_string(context.ref(), text)
        yield from (line for line in output.splitlines() if line)

    return execute


def _cvc5() -> Callable[[str], Iterator[str]]:
    """cvc5's interpreter of commands."""
    cvc5 = importlib.import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("incremental", "true")
    solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    symbols = parser.getSymbolManager()

    def execute(text: str) -> Iterator[str]:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "conditions")
        while not (command := parser.nextCommand()).isNull():
            output = command.invoke(solver, symbols)
            yield from (line for line in output.splitlines() if line)

    return execute


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.stdin.read()))
