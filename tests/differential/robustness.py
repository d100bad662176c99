"""Random programs with locks, counters and atomic accesses: the checks of robustness against all executions.

    python -m tests.differential.robustness [--seed 0] [--count 200] [--search]

--search: where the static check does not know it, the search with a monitor is asked, too.

A program that is said to be robust must have the same results under C11 as under sequential consistency. The explorer
of execution graphs lists them.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cseq.backends.native import GRAPHS_SOURCES
from cseq.c.preprocess import compiler
from cseq.c.symbols import Symbols
from cseq.model.errors import CSeqError
from cseq.model.verdict import Outcome
from cseq.modules.analysis.robustness import is_robust
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.lower import lower
from cseq.pipeline.chain import load
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context
from cseq.portfolio.robust import shows_robustness
from cseq.process.run import run

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
#define LOAD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&x, v, memory_order_##o)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, y, z; int r0, r1, r2, r3, r4, r5, result;
"""
DISCIPLINES = ("seq_cst", "seq_cst", "locked", "locked", "counter", "counter", "own", "wild")
"""How threads use a variable; `wild` ones are most often not robust."""


def _access(rng: random.Random, name: str, discipline: str, thread: int, results: list[int]) -> Iterator[str]:
    order = rng.choice(("relaxed", "release", "seq_cst"))
    value = rng.randint(1, 2)
    match discipline:
        case "counter" if rng.random() < 0.9:
            yield f"ADD({name}, {value}, {order});"
            return
        case "own" if thread != 1:
            return
        case "seq_cst":
            order = "seq_cst"
    kinds = ("load", "load", "store", "add") if len(results) < 2 else ("store", "add")
    match rng.choice(kinds):
        case "store":
            text = f"STORE({name}, {value}, {order});"
        case "add":
            text = f"ADD({name}, {value}, {order});"
        case _:
            results.append(2 * (thread - 1) + len(results))
            text = f"r{results[-1]} = LOAD({name}, {'acquire' if order == 'release' else order});"
    is_locked = discipline == "locked" and rng.random() < 0.97
    yield f"pthread_mutex_lock(&m); {text} pthread_mutex_unlock(&m);" if is_locked else text


def program(rng: random.Random) -> str:
    """Two or three threads, with two to four accesses each."""
    disciplines = {name: rng.choice(DISCIPLINES) for name in "xyz"}
    text, threads = [HEAD], rng.choice((2, 2, 3))
    for thread in range(1, threads + 1):
        results: list[int] = []
        names = [rng.choice("xyz") for _ in range(rng.randint(2, 4 if threads == 2 else 3))]
        body = [each for name in names for each in _access(rng, name, disciplines[name], thread, results)]
        text.append(f"void *t{thread}(void *v) {{ {' '.join(body)} return 0; }}")
    handles = range(1, threads + 1)
    create = " ".join(f"pthread_create(&p[{n}], 0, t{n}, 0);" for n in handles)
    joins = " ".join(f"pthread_join(p[{n}], 0);" for n in handles)
    parts = [f"r{n}" for n in range(2 * threads)] + [f"LOAD({name}, relaxed)" for name in "xyz"]
    sums = " ".join(f"result = result * 7 + {part};" for part in parts)
    text.append(f"int main(void) {{ pthread_t p[4]; {create} {joins} {sums} return 0; }}\n")
    return "\n".join(text)


def is_shown_by_search(source: Path, folder: Path) -> bool:
    """Whether the search with a monitor says that the program in the file *source* is robust."""
    chain = load("explicit")
    context = Context(chain.values({"robustness": True, "jobs": 1, "timeout": 60.0}), folder)
    assert chain.planner is not None
    try:
        found = chain.planner(context).plan(Session(chain, [str(source)], context))
    except CSeqError:
        return False
    return isinstance(found, Outcome) and shows_robustness(found)


def look(text: str, folder: Path, by_search: bool = False) -> tuple[bool, str]:
    """Whether a program is said to be robust, and its text for the explorer."""
    source = folder / "program.c"
    source.write_text(text, encoding="utf-8")
    chain = load("graphs")
    context = Context(chain.values({}), folder)
    session = Session(chain, [str(source)], context)
    tree = session.run(context.values, until="inliner").tree
    symbols = Symbols(tree, context.model)
    is_certain = is_robust(lower(tree, symbols, Visibility(symbols, tree)))
    is_certain = is_certain or (by_search and is_shown_by_search(source, folder))
    return is_certain, session.run(context.values, until="graphs/encode").text if is_certain else ""


def results(text: str, folder: Path) -> dict[str, set[str]]:
    """The results of a program under each memory model."""
    source, binary = folder / "graphs.c", folder / "graphs"
    source.write_text(text, encoding="utf-8")
    files = [*map(str, GRAPHS_SOURCES), str(source)]
    command = [compiler(), "-O1", "-w", "-fno-strict-aliasing", f"-I{GRAPHS_SOURCES[0].parent}", *files]
    done = run([*command, "-o", str(binary)])
    assert done.status == 0, done.stderr
    found = {}
    for model in ("sc", "c11"):
        *lines, answer = run([str(binary), "--list", "1", "--model", model]).stdout.splitlines()
        assert '"status": "safe"' in answer, answer
        found[model] = {re.findall(r"w\d+=(\d+)", line.split("|")[1])[-1] for line in lines}
    return found


def disagreement(text: str, folder: Path, by_search: bool = False) -> str | None:
    """What is wrong with the check of a program; empty if nothing is, None where it is not said to be robust."""
    is_certain, translated = look(text, folder, by_search)
    if not is_certain:
        return None
    found = results(translated, folder)
    extra = found["c11"] - found["sc"]
    return f"{text}only under C11: {sorted(extra)}" if extra else ""


def main() -> int:
    """Run a campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--search", action="store_true")
    arguments = parser.parse_args()
    rng, found, robust = random.Random(arguments.seed), [], 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.count):
            wrong = disagreement(program(rng), Path(folder), arguments.search)
            robust += wrong is not None
            found += [wrong] if wrong else []
    print("\n".join(found) or f"no disagreement; {robust} of {arguments.count} programs are robust")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
