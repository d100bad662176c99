"""Violations made by hand, for the tests of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cseq.linemap import CallSite, Origin
from cseq.trace import Access, Action, Counterexample, Hold, Racing, Step, Stuck, Thread
from cseq.verdict import Bound, Caution, Outcome, Property, Verdict

MAIN, A, B = Thread(0, "main"), Thread(1, "left"), Thread(2, "right")


def origin(line: int, function: str = "f", file: str = "a.c") -> Origin:
    return Origin(file, line, 0, function)


def step(thread: Thread, line: int, *actions: Action, **more: Any) -> Step:
    return Step(thread, origin(line, thread.function), f"line {line};", actions=list(actions), **more)


def violation(steps: list[Step], threads: Sequence[Thread] = (MAIN, A, B), **more: Any) -> Outcome:
    claim = Property("assertion", "assertion `x == 2`", steps[-1].origin)
    shown = Counterexample(steps, list(threads), **more)
    return Outcome(Verdict.FALSE, violated=claim, counterexample=shown, backend="native", property="unreach-call")


NASTY = "</script><script>document.title='owned'</script><!-- <img src=x onerror=alert(1)> & \u2028 'x' \"y\""


def nasty() -> Outcome:
    """An outcome that is markup wherever it can be."""
    thread = Thread(1, NASTY)
    place = Origin(f"{NASTY}.c", 1, 0, NASTY, (CallSite(NASTY, f"{NASTY}.c", 1),))
    shown = Counterexample(
        [Step(thread, place, NASTY, [Access("write", NASTY, NASTY, True, 8)], [NASTY], inputs=[NASTY])],
        [MAIN, thread],
        [Stuck(thread, place, NASTY, (thread,), (Hold(NASTY, place),))],
        [Racing(thread, place, "reads", NASTY, holds=(Hold(NASTY, place),))],
    )
    claim = Property("assertion", NASTY, place)
    cautions, bounds = [Caution(NASTY, place)], [Bound("engine", 0, NASTY, place)]
    return Outcome(
        Verdict.FALSE,
        violated=claim,
        counterexample=shown,
        warnings=cautions,
        bounds=bounds,
        property=NASTY,
        backend=NASTY,
    )
