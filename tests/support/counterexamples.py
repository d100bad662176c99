"""Counterexamples made by hand, and the paragraphs that explain them."""

from collections.abc import Sequence

from cseq.model.actions import ActionKind
from cseq.model.claims import Claim, Kind, Memory, MemoryState
from cseq.model.claims import Reason as Wrong
from cseq.model.origin import Origin
from cseq.model.trace import Access, Action, Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Property, Verdict
from cseq.report.explain.paragraph import explain
from tests.support.explained import check_explanation

MAIN, ONE, TWO = Thread(0, "main"), Thread(1, "work"), Thread(2, "work")


def at(line: int, function: str = "work", file: str = "a.c") -> Origin:
    return Origin(file, line, function=function)


def read(name: str, value: str, address: int = 0) -> Access:
    return Access("read", name, value, True, address)


def wrote(name: str, value: str, address: int = 0) -> Access:
    return Access("write", name, value, True, address)


def own(name: str, value: str) -> Access:
    return Access("write", name, value)


def invalid_write(state: MemoryState, place: Origin | None = None) -> Claim:
    return Claim(Kind.MEMSAFETY, Wrong.WRITE, "*p", memory=Memory(state, place))


def violation(steps: Sequence[Step], claim: str | Claim = "x == 2") -> Outcome:
    violated = Property(Claim(Kind.ASSERTION, subject=claim) if isinstance(claim, str) else claim, steps[-1].origin)
    threads = sorted({step.thread for step in steps} | {t for s in steps for t in s.created}, key=lambda t: t.number)
    return Outcome(Verdict.FALSE, violated=violated, counterexample=Counterexample(list(steps), threads))


def told(steps: Sequence[Step], claim: str | Claim = "x == 2") -> str:
    found = violation(steps, claim)
    check_explanation(found)
    return explain(found)


def create(*threads: Thread, line: int = 20) -> Step:
    return Step(MAIN, at(line, "main"), "pthread_create(…);", created=list(threads))


def lock(thread: Thread, line: int, name: str = "m", kind: str = "lock", address: int = 0) -> Step:
    return Step(
        thread, at(line), f"pthread_mutex_{kind}(&{name});", actions=[Action(ActionKind(kind), name, None, address)]
    )


LOST = [
    create(ONE, TWO),
    Step(ONE, at(5), "x++;", [read("x", "0", 64)]),
    Step(TWO, at(5), "x++;", [read("x", "0", 64), wrote("x", "1", 64)]),
    Step(ONE, at(5), "x++;", [wrote("x", "1", 64)]),
    Step(MAIN, at(23, "main"), "assert(x == 2);", [read("x", "1", 64)]),
]
