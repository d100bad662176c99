"""Hand-made violations for the tests of reports."""

from collections.abc import Sequence
from typing import Any

from cseq.model import trace as tr
from cseq.model.claims import Claim, Kind
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Bound, Caution, Outcome, Property, Verdict
from tests.conftest import said

MAIN, A, B = tr.Thread(0, "main"), tr.Thread(1, "left"), tr.Thread(2, "right")


def origin(line: int, function: str = "f", file: str = "a.c") -> Origin:
    return Origin(file, line, 0, function)


def step(thread: tr.Thread, line: int, *actions: tr.Action, **more: Any) -> tr.Step:
    return tr.Step(thread, origin(line, thread.function), f"line {line};", actions=list(actions), **more)


def violation(steps: list[tr.Step], threads: Sequence[tr.Thread] = (MAIN, A, B), **more: Any) -> Outcome:
    claim = Property(Claim(Kind.ASSERTION, subject="x == 2"), steps[-1].origin)
    shown = tr.Counterexample(steps, list(threads), **more)
    return Outcome(Verdict.FALSE, violated=claim, counterexample=shown, backend="native", property="unreach-call")


NASTY = "</script><script>document.title='owned'</script><!-- <img src=x onerror=alert(1)> & \u2028 'x' \"y\""


def nasty() -> Outcome:
    """An outcome with markup in every text."""
    thread = tr.Thread(1, NASTY)
    place = Origin(f"{NASTY}.c", 1, 0, NASTY, (CallSite(NASTY, f"{NASTY}.c", 1),))
    acts, wait = [tr.Action(tr.ActionKind.LOCK, NASTY)], tr.LockWait(tr.ObjectKind.MUTEX, NASTY, tr.Holder(MAIN, place))
    shown = tr.Counterexample(
        [tr.Step(thread, place, NASTY, [tr.Access("write", NASTY, NASTY, True, 8)], acts, inputs=[NASTY])],
        [MAIN, thread],
        [tr.Stuck(thread, place, wait, (thread,), (tr.Hold(NASTY, place),))],
        [tr.Racing(thread, place, tr.RaceKind.READ, NASTY, holds=(tr.Hold(NASTY, place),))],
    )
    claim = Property(Claim(Kind.ASSERTION), place, description=NASTY)
    cautions, bounds = [Caution(NASTY, place)], [Bound("engine", 0, said(NASTY), place)]
    return Outcome(
        Verdict.FALSE,
        violated=claim,
        counterexample=shown,
        warnings=cautions,
        bounds=bounds,
        property=NASTY,
        backend=NASTY,
    )


def elements() -> list[tr.Access]:
    """Accesses to elements, some of them consecutive and with the same value."""
    names = [
        *(f"a[{n}]" for n in range(8, 12)),  # 9 and 10 have different lengths
        *(f"t[{n}].name[2]" for n in range(4)),
        *("b[0]", "b[1]", "b[2]"),
        *("m[0][2]", "m[0][3]", "m[1][0]", "m[1][1]"),
        *("m[2][0]", "m[3][0]", "m[4][0]", "m[5][0]", "m[5][1]"),
        *("d[3]", "d[2]", "d[1]", "d[0]", "d[0]", "x1", "x2", "x3", "x4", "p[i]", "p[i + 1]"),
    ]
    zeros = [tr.Access("write", name, "0", True) for name in names]
    others = [tr.Access("write" if n % 2 else "read", f"c[{n}]", "0", True) for n in range(4)]
    values = [tr.Access("write", f"e[{n}]", str(n // 5), True) for n in range(9)]
    return [*zeros, *others, *values]


ELEMENTS = [
    "a[8] … a[11] = 0", "t[0].name[2] … t[3].name[2] = 0", "b[0] = 0", "b[1] = 0", "b[2] = 0",
    "m[0][2] = 0", "m[0][3] = 0", "m[1][0] = 0", "m[1][1] = 0", "m[2][0] … m[5][0] = 0", "m[5][1] = 0",
    "d[3] = 0", "d[2] = 0", "d[1] = 0", "d[0] = 0", "d[0] = 0", "x1 = 0", "x2 = 0", "x3 = 0", "x4 = 0",
    "p[i] = 0", "p[i + 1] = 0", "reads c[0] = 0", "c[1] = 0", "reads c[2] = 0", "c[3] = 0",
    "e[0] … e[4] = 0", "e[5] … e[8] = 1",
]  # fmt: skip
"""The words for these accesses."""
