"""Compare CSeq's verdicts with the reference's on random programs.

    python -m tests.differential.fuzz --seed 1 --count 100 --rounds 2 --unwind 2

prints, for each disagreement, the program with as much as possible cut out of it, and exits with status 1. With
``--backend NAME`` CSeq uses another engine; ``--timeout SEC`` and ``--size N`` suit it to a slow one.
"""

import argparse
import dataclasses
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cseq
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Reason, Verdict
from cseq.report.words import message
from tests.differential.generate import Generator, features_of
from tests.differential.reference import (
    Assert,
    Binary,
    Block,
    Call,
    Case,
    Const,
    Create,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    FunctionName,
    If,
    Observe,
    Program,
    Stmt,
    Switch,
    TooBig,
    Undefined,
    Var,
    While,
    explore,
    is_well_formed,
    to_c,
    walk,
)

_STATES = 60_000
_MOST_VALUES = 12


@dataclasses.dataclass(frozen=True)
class Bounds:
    rounds: int
    unwind: int
    bits: int
    loose: frozenset[str] = frozenset()
    exact: int = 0  # the reference cuts off every loop at the bound; with this, CSeq goes on where it can count
    backend: str = "cbmc"
    timeout: float | None = None  # what is usual, if None


def said(text: str, bounds: Bounds) -> tuple[str, str]:
    """What CSeq says to a program: ``FALSE``, ``TRUE``, ``UNKNOWN``, ``refused``, ``limit`` or ``bug: …``; and more."""
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        try:
            limits = {"rounds": bounds.rounds, "unwind": bounds.unwind, "exact_limit": bounds.exact}
            engine = {"backend": bounds.backend, "timeout": bounds.timeout or 30}
            outcome = cseq.verify(path, **limits, **engine, bits=bounds.bits, prove=True)
        except UnsupportedError as error:
            return "refused", error.message
        except Exception as error:  # whatever it is, it is a bug
            return f"bug: {type(error).__name__}", getattr(error, "message", str(error))
    if outcome.reason is Reason.REPLAY:
        return "bug: replay", message(outcome)
    if outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
        return "limit", ""
    return outcome.verdict.value, message(outcome)


def disagreement(program: Program, bounds: Bounds, counts: Counter[str] | None = None) -> str:
    """What is wrong with CSeq's answer; empty when nothing is."""
    try:
        expected = explore(program, bounds.rounds, bounds.unwind, bounds.bits, _STATES, bounds.loose).violated
    except (Undefined, TooBig) as error:
        if counts is not None:
            counts[type(error).__name__] += 1
        return ""
    verdict, words = said(to_c(program), bounds)
    if counts is not None:
        counts["refused: " + words if verdict == "refused" else f"expected {expected}: {verdict}"] += 1
    if verdict.startswith("bug"):
        return f"{verdict}: {words.split(':')[0][:60]}"
    if verdict in ("refused", "limit"):
        return ""
    if bounds.exact and verdict == Verdict.FALSE.value and not expected:
        try:
            most = max(bounds.unwind, bounds.exact)
            expected = explore(program, bounds.rounds, most, bounds.bits, _STATES, bounds.loose).violated
        except (Undefined, TooBig):
            return ""
    if expected != (verdict == Verdict.FALSE.value):
        return "missed" if expected else "false alarm"
    if verdict == Verdict.TRUE.value:
        try:
            beyond = explore(program, bounds.rounds + 2, bounds.unwind + 2, bounds.bits, _STATES, bounds.loose)
        except (Undefined, TooBig):
            return ""
        if beyond.violated:
            return "no proof"
    return ""


# Programs with a known answer


def replaced(node: Any, old: Any, new: tuple[Any, ...]) -> Any:
    """*node* with the item *old* of some tuple in it replaced by the items *new*."""
    if isinstance(node, tuple):
        out: list[Any] = []
        for item in node:
            out.extend(new if item is old else [replaced(item, old, new)])
        return node if len(out) == len(node) and all(a is b for a, b in zip(out, node, strict=True)) else tuple(out)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        changes = {}
        for item in dataclasses.fields(node):
            value = getattr(node, item.name)
            if isinstance(value, tuple) or dataclasses.is_dataclass(value):
                fresh = replaced(value, old, new)
                if fresh is not value:
                    changes[item.name] = fresh
        return dataclasses.replace(node, **changes) if changes else node
    return node


def tests_of(program: Program, bounds: Bounds, rng: random.Random, counts: Counter[str]) -> Iterator[Program]:
    """Programs with assertions about what the reference saw: one that must fail, and one that must not."""
    observes = [part for part in walk(program) if isinstance(part, Observe)]
    try:
        result = explore(program, bounds.rounds, bounds.unwind, bounds.bits, _STATES, bounds.loose)
    except (Undefined, TooBig) as error:
        counts[f"dropped: {type(error).__name__}"] += 1
        return
    if result.violated:
        yield program
        return
    sure = program
    for observe in observes:
        values = result.seen.get(observe.name, {})
        if len(values) <= _MOST_VALUES:
            sure = replaced(sure, observe, (observe, Assert(_one_of(observe.name, sorted(values)))))
    yield sure
    reached = [o for o in observes if o.name in result.seen]
    if reached:
        observe = rng.choice(reached)
        values = result.seen[observe.name]
        rarest = min(values, key=lambda v: (values[v], rng.random()))
        wrong = rarest if rng.random() < 0.7 else rng.choice(sorted(values))
        check = Assert(Binary("!=", Var(observe.name), Const(wrong)))
        yield replaced(program, observe, (observe, check))


def _one_of(name: str, values: list[int]) -> Expr:
    if not values:
        return Const(0)
    test: Expr = Binary("==", Var(name), Const(values[0]))
    for value in values[1:]:
        test = Binary("||", test, Binary("==", Var(name), Const(value)))
    return test


# Shrinking


def shrunk(program: Program, bounds: Bounds, wrong: str, limit: float = 120.0) -> Program:
    """Cut out of *program* what it takes not for the same disagreement."""
    end = time.monotonic() + limit
    again = True
    while again and time.monotonic() < end:
        again = False
        for candidate in _smaller(program):
            if time.monotonic() > end:
                break
            if is_well_formed(candidate) and _still(candidate, bounds, wrong):
                program, again = candidate, True
                break
    return program


def _still(program: Program, bounds: Bounds, wrong: str) -> bool:
    try:
        return disagreement(program, bounds) == wrong
    except (AttributeError, KeyError, TypeError, StopIteration):  # a constant where a pointer has to be, and the like
        return False


def _smaller(program: Program) -> Iterator[Program]:
    for f in program.functions:
        called = {part.function for part in walk(program) if isinstance(part, (Call, Create))}
        called |= {part.name for part in walk(program) if isinstance(part, FunctionName)}
        called |= {v.init for v in program.shared if isinstance(v.init, str)}
        if f.role != "main" and f.name not in called:
            yield dataclasses.replace(program, functions=tuple(g for g in program.functions if g is not f))
    for f in program.functions:
        for part in walk(f):
            if isinstance(part, Stmt) and not isinstance(part, Create):
                yield replaced(program, part, ())
    for part in walk(program):
        if isinstance(part, Create):
            yield replaced(program, part, ())
    for part in walk(program.functions):
        match part:
            case If():
                yield replaced(program, part, part.then)
                if part.other is not None:
                    yield replaced(program, part, part.other)
                    yield replaced(program, part, (dataclasses.replace(part, other=None),))
            case While() | DoWhile() | Block():
                yield replaced(program, part, part.body)
            case For():
                yield replaced(program, part, part.body)
                if isinstance(part.init, Declare):
                    yield replaced(program, part, (part.init, *part.body))
            case Switch():
                for case in part.cases:
                    yield replaced(program, part, case.body)
            case Case():
                yield replaced(program, part, ())
    for v in program.shared:
        yield dataclasses.replace(program, shared=tuple(w for w in program.shared if w is not v))
    for mutex in program.mutexes:
        if mutex not in {getattr(part, "mutex", None) for part in walk(program.functions)}:
            yield dataclasses.replace(program, mutexes=tuple(m for m in program.mutexes if m != mutex))
    for cond in program.conds:
        if cond not in {part.cond for part in walk(program.functions) if hasattr(part, "cond")}:
            yield dataclasses.replace(program, conds=())
    for f in program.functions:
        yield from _with_smaller_expressions(program, f)


def _with_smaller_expressions(program: Program, f: Function) -> Iterator[Program]:
    for part in walk(f.body):
        if not dataclasses.is_dataclass(part):
            continue
        for item in dataclasses.fields(part):
            value = getattr(part, item.name)
            if not isinstance(value, Expr) or isinstance(value, Const):
                continue
            inner: list[Expr] = [p for p in walk(value) if isinstance(p, Expr) and p is not value]
            if item.name == "target":
                inner = [Var(v.name) for v in program.shared if v.size is None] if not isinstance(value, Var) else []
            elif item.name != "pointer":
                inner = [Const(0), Const(1), *inner]
            for simpler in inner:
                yield _swapped(program, part, item.name, simpler)


def _swapped(node: Any, old: Any, field: str, value: Expr) -> Any:
    """*node* with the slot *field* of its part *old* replaced."""
    if node is old:
        return dataclasses.replace(old, **{field: value})
    if isinstance(node, tuple):
        return tuple(_swapped(item, old, field, value) for item in node)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        slots = {item.name: getattr(node, item.name) for item in dataclasses.fields(node)}
        changes = {k: _swapped(v, old, field, value) for k, v in slots.items()}
        changes = {k: v for k, v in changes.items() if v is not slots[k]}
        return dataclasses.replace(node, **changes) if changes else node
    return node


# The command


def programs(seed: int, count: int, start: int = 0, size: int = 7) -> Iterator[tuple[int, Program]]:
    """The programs of a seed, by number. size: of the largest, roughly in statements per thread."""
    for number in range(start, start + count):
        rng = random.Random(f"{seed}/{number}")
        generator = Generator(rng, features_of(rng), rng.choice(range(min(size, 2), size + 1)))
        program = generator.program()
        if is_well_formed(program):
            yield number, program


def is_c(text: str) -> bool:
    """Whether a C compiler takes the program."""
    command = ["gcc", "-std=gnu11", "-fsyntax-only", "-w", "-x", "c", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode == 0


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--unwind", type=int, default=2)
    parser.add_argument("--bits", type=int, default=64)
    parser.add_argument("--size", type=int, default=7, help="statements per thread, at most and roughly")
    parser.add_argument("--backend", default="cbmc", metavar="NAME")
    parser.add_argument("--timeout", type=float, metavar="SEC", help="for the engine, per program")
    parser.add_argument("--loose", default="", help="comma-separated: assume, cut (see reference.explore)")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--most", type=int, default=10, help="stop after this many disagreements")
    options = parser.parse_args(arguments)
    loose = frozenset(options.loose.split(",")) - {""}
    engine = {"backend": options.backend, "timeout": options.timeout}
    bounds = Bounds(options.rounds, options.unwind, options.bits, loose, **engine)
    counts: Counter[str] = Counter()
    found = 0
    for number, program in programs(options.seed, options.count, options.start, options.size):
        rng = random.Random(f"{options.seed}/{number}/tests")
        for test in tests_of(program, bounds, rng, counts):
            wrong = disagreement(test, bounds, counts)
            if not wrong and rng.random() < 0.1:
                wrong = _not_monotone(test, bounds, rng, counts)
            if wrong:
                found += 1
                _report(options.seed, number, test, bounds, wrong, not options.no_shrink)
                break
        if found >= options.most:
            break
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")
    print(f"{found} disagreements")
    return 1 if found else 0


def _not_monotone(program: Program, bounds: Bounds, rng: random.Random, counts: Counter[str]) -> str:
    """Raising a bound must not hide a violation."""
    text = to_c(program)
    if said(text, bounds)[0] != Verdict.FALSE.value:
        return ""
    raised = rng.choice(("rounds", "unwind"))
    verdict, _ = said(text, dataclasses.replace(bounds, **{raised: getattr(bounds, raised) + 1}))
    counts[f"raised {raised}: {verdict}"] += 1
    return f"raising {raised} hides it" if verdict in ("TRUE", "UNKNOWN") else ""


def _report(seed: int, number: int, test: Program, bounds: Bounds, wrong: str, shrink: bool) -> None:
    limits = f"{bounds.rounds} rounds, unwind {bounds.unwind}, {bounds.bits} bits"
    print(f"=== seed {seed}, program {number}, {limits}, {bounds.backend}")
    print(f"    {wrong}" + ("" if is_c(to_c(test)) else " (and it is not C)"), flush=True)
    if shrink and "raising" not in wrong:
        test = shrunk(test, bounds, wrong)
    print(to_c(test))
    print(f"    CSeq: {' '.join(said(to_c(test), bounds))}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
