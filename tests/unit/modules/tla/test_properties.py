"""What the user asks, in TLA+: which executions and which states violate it, according to TLC."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cseq.model.errors import UnsupportedError, UsageError
from cseq.model.origin import Origin
from cseq.modules.questions.ltl import read
from cseq.modules.tla.properties import RESERVED, Fairness, PropertyQuestion, question
from cseq.modules.tla.spec import Operator, Property, Specification, Statement
from cseq.options.properties import DEADLOCK, EXCLUSION, LTL, TERMINATION, TLA, UNREACH
from tests.support.tlc_runs import HOLDS, INVARIANT, LIVENESS, check, printed_threads

pytestmark = pytest.mark.engine

WORLD = -1
NUMBERED = re.compile(r"(?:Exclusive|Invariant|Property)_\d+|Always_\w+")


def statement(label: str, line: int, in_section: bool = False) -> Statement:
    origin = Origin("src/a.c", line)
    return Statement(label, f"at_{label}", "f", None, origin, "{m}", in_section=in_section)


def specification(*statements: Statement) -> Specification:
    return Specification("System", 3, {}, {}, {}, [], list(statements))


# The form of a specification, around the statements of a system.

_FORM = """
Runs(m) == m.status = "runs"
Pc(self, m) == Head(m.register[self]).pc
Goto(self, m, label) == [m EXCEPT !.register[self][1].pc = label]
Settled(m) == m
InSection(self, m) == Head(m.register[self]).atomic > 0
Asking(m) == m @@ [asks |-> TRUE]
WaitsFor(self, m, who) ==
  IF "asks" \\in DOMAIN m THEN {[m EXCEPT !.ret[self] = who, !.status = "waits"]} ELSE {}
Exit(self, m) == [m EXCEPT !.register[self] = <<>>]
"""
_STEPS = """
Visible == {VISIBLE}
Stops(self, m) ==
  ~Runs(m) \\/ m.register[self] = <<>> \\/ (Pc(self, m) \\in Visible /\\ Head(m.register[self]).atomic = 0)
RECURSIVE Run(_, _)
Run(self, m) == IF Stops(self, m) THEN {m} ELSE UNION {Run(self, n) : n \\in Statement(self, m)}
Step(self) == /\\ Runs(memory) /\\ memory.register[self] # <<>>
              /\\ memory' \\in UNION {Run(self, m) : m \\in Statement(self, memory)}
Finished == (~Runs(memory) \\/ \\A self \\in Threads : memory.register[self] = <<>>) /\\ UNCHANGED memory
Next == (\\E self \\in Threads : Step(self)) \\/ Finished
"""


def system(statements: str, init: str, threads: int, visible: list[str]) -> str:
    """The text of a system. statements: the definition of `Statement`."""
    labels = "{" + ", ".join(f'"{label}"' for label in visible) + "}"
    steps = _STEPS.replace("{VISIBLE}", labels)
    return f"VARIABLE memory\nThreads == 0..{threads - 1}\n{_FORM}{statements}\n{steps}\nInit == {init}\n"


# Termination of some pairs of threads, under each kind of fairness.

_STATEMENTS = """
Statement(self, m) ==
  LET pc == Pc(self, m) IN
  CASE pc = "spin" -> {IF m.flag THEN Exit(self, m) ELSE m}
    [] pc = "set" -> {Exit(self, [m EXCEPT !.flag = TRUE])}
    [] pc = "lock" -> IF m.held THEN {} ELSE {Goto(self, [m EXCEPT !.held = TRUE], "unlock")}
    [] pc = "unlock" -> {Goto(self, [m EXCEPT !.held = FALSE], "again")}
    [] pc = "again" -> {IF m.flag THEN Exit(self, m) ELSE Goto(self, m, "lock")}
    [] pc = "lock once" -> IF m.held THEN {} ELSE {Goto(self, [m EXCEPT !.held = TRUE], "release")}
    [] pc = "release" -> {Exit(self, [m EXCEPT !.held = FALSE, !.flag = TRUE])}
    [] pc = "any" -> {m, Exit(self, m)}
    [] pc = "assume" -> {[m EXCEPT !.status = "dropped"]}
    [] pc = "crash" -> {[m EXCEPT !.status = "failed.crash.access"]}
    [] pc = "exit" -> {[m EXCEPT !.status = "ended", !.register = [t \\in Threads |-> <<>>]]}
"""
_PAIRS = {
    "signal": ("spin", "set"), "locks": ("lock", "lock once"), "choice": ("any", "set"), "process": ("spin", "exit"),
    "assumption": ("spin", "assume"), "crash": ("spin", "crash"),
}  # fmt: skip


def pairs(*names: str) -> str:
    """A system with an initial state for each of these pairs of threads."""
    starts = ", ".join(f'<<"{one}", "{other}">>' for one, other in (_PAIRS[name] for name in names))
    init = (
        "\\E start \\in {" + starts + '} : memory = [flag |-> FALSE, held |-> FALSE, status |-> "runs", '
        "register |-> [self \\in Threads |-> <<[pc |-> start[self + 1], atomic |-> 0]>>]]"
    )
    visible = ["spin", "set", "lock", "unlock", "again", "lock once", "release", "any", "assume", "crash", "exit"]
    return system(_STATEMENTS, init, 2, visible)


@pytest.mark.parametrize(
    "fairness, names, status",
    [
        (Fairness.NONE, ["signal"], LIVENESS),  # one spins, and nobody else does anything
        (Fairness.WEAK, ["signal", "assumption", "crash", "process"], HOLDS),
        (Fairness.WEAK, ["locks"], LIVENESS),  # the other thread can go on again and again, but not all the time
        (Fairness.STRONG, ["signal", "assumption", "crash", "process", "locks"], HOLDS),
        (Fairness.WEAK, ["choice"], LIVENESS),  # to choose the same again is to go on
        (Fairness.STRONG, ["choice"], LIVENESS),
    ],
)
def test_termination(fairness: Fairness, names: list[str], status: int, tmp_path: Path) -> None:
    asked = question(specification(), frozenset(), PropertyQuestion(TERMINATION, fairness))
    assert not asked.violations and not asked.deadlock
    got, output = check(tmp_path, pairs(*names), asked)
    assert got == status, output


def test_a_formula_is_about_executions_that_go_on(tmp_path: Path) -> None:
    # The flag is never set where the process ends, where an assumption fails, or before anything happens.
    known = specification()
    known.propositions["set"] = Operator("Holds_set", ("m",), "m.flag")
    formula = read("(!terminated U set) || G !set && F terminated", ["set"])
    asked = question(known, frozenset(), PropertyQuestion(LTL, Fairness.WEAK, formula, "the formula"))
    assert asked.properties[0].claim == "ltl: the formula"
    text = pairs("signal", "process", "assumption", "crash") + "Holds_set(m) == m.flag\n"
    status, output = check(tmp_path, text, asked)
    assert status == HOLDS, output


# Deadlocks: a port of backends/explorer/stuck.c says which states have one.


def stuck(alive: set[int], waits: dict[int, list[set[int]]], threads: set[int]) -> set[int]:
    """waits: for each blocked thread, the sets of threads that it waits for; {} for any, the world for no thread."""
    found = set(waits)
    while True:
        lost = found | (threads - alive)
        left = {
            thread
            for thread in found
            if all(WORLD not in who and (bool(who & lost) if who else lost == threads) for who in waits[thread])
        }
        if left == found:
            return found
        found = left


_WAITING = """
Statement(self, m) ==
  LET pc == Pc(self, m) IN
  CASE pc = "wait" -> IF m.can[self] THEN {Goto(self, m, "done")} ELSE WaitsFor(self, m, m.one[self])
    [] pc = "section" -> {Goto(self, [m EXCEPT !.register[self][1].atomic = 1], "wait"),
                          Goto(self, [m EXCEPT !.register[self][1].atomic = 1], "wait too")}
    [] pc = "wait too" -> WaitsFor(self, m, m.other[self])
    [] pc = "done" -> {Exit(self, m)}
"""
_THREADS = {0, 1, 2}


def blocked_states(number: int) -> tuple[str, list[set[int]]]:
    """Random states, in TLA+, and the threads that are stuck in each."""
    made = random.Random(5)
    texts, expected = [], []

    def some() -> set[int]:
        return made.choice([set(), {WORLD}, set(made.sample(sorted(_THREADS), made.randint(1, 2)))])

    def of(members: set[int]) -> str:
        return "{" + ", ".join(map(str, sorted(members))) + "}"

    for _ in range(number):
        alive = {thread for thread in _THREADS if made.random() < 0.8}
        can = {thread: made.random() < 0.3 for thread in _THREADS}
        one, other = ({thread: some() for thread in _THREADS} for _ in range(2))
        section = {thread: made.random() < 0.4 for thread in _THREADS}
        waits = {
            thread: [one[thread], other[thread]] if section[thread] else [one[thread]]
            for thread in alive
            if not can[thread]
        }
        expected.append(stuck(alive, waits, _THREADS))
        registers = [
            f'<<[pc |-> "{"section" if section[t] else "wait"}", atomic |-> 0]>>' if t in alive else "<<>>"
            for t in sorted(_THREADS)
        ]
        fields = {
            "register": registers, "can": [str(can[t]).upper() for t in sorted(_THREADS)],
            "one": [of(one[t]) for t in sorted(_THREADS)], "other": [of(other[t]) for t in sorted(_THREADS)],
        }  # fmt: skip
        parts = [
            f"{name} |-> " + " @@ ".join(f"({t} :> {value})" for t, value in enumerate(values))
            for name, values in fields.items()
        ]
        texts.append(
            f'[status |-> "runs", ret |-> [t \\in Threads |-> 0], expected |-> {of(expected[-1])}, {", ".join(parts)}]'
        )
    return "{" + ",\n  ".join(texts) + "}", expected


def test_who_is_stuck(tmp_path: Path) -> None:
    states, expected = blocked_states(60)
    assert sum(map(bool, expected)) > 10
    asked = question(specification(), frozenset({"wait", "section"}), PropertyQuestion(DEADLOCK))
    text = system(_WAITING, f"memory \\in {states}", 3, ["wait", "section"]).replace("Next ==", "Goes_on ==")
    stuck = "Stuck({self \\in Threads : Blocked(self, memory)}, memory)"
    (deadlock,) = asked.properties
    agrees = f"{deadlock.text}\nAgrees == memory.expected = {stuck} /\\ (NoDeadlock <=> memory.expected = {{}})"
    asked = replace(asked, properties=(Property("Agrees", agrees, False),))
    status, output = check(tmp_path, text + "\nNext == UNCHANGED memory", asked)
    assert status == HOLDS, output


def test_the_threads_are_printed(tmp_path: Path) -> None:
    known = specification()
    state = (
        'memory = [status |-> "runs", ret |-> [self \\in Threads |-> 0], can |-> [self \\in Threads |-> FALSE], '
        "one |-> (0 :> {2}) @@ (1 :> {-1}) @@ (2 :> {0}), "
        'register |-> [self \\in Threads |-> <<[pc |-> "wait", atomic |-> 0]>>]]'
    )
    status, output = check(
        tmp_path, system(_WAITING, state, 3, ["wait"]), question(known, frozenset(), PropertyQuestion(DEADLOCK))
    )
    assert (status, printed_threads(output)) == (INVARIANT, [0, 2])


# Lines.


def test_two_threads_at_two_lines(tmp_path: Path) -> None:
    known = specification(statement("set", 10), statement("lock", 20), statement("unlock", 21))
    asked = question(
        known, frozenset({"set"}), PropertyQuestion(EXCLUSION, exclusions=("a.c:21,src/a.c:21", "a.c:10,a.c:21"))
    )
    assert asked.visible == {"set", "unlock"}
    assert [one.claim for one in asked.properties] == [
        "mutual-exclusion: a.c:21,src/a.c:21",
        "mutual-exclusion: a.c:10,a.c:21",
    ]
    text = pairs("locks").replace('<<"lock", "lock once">>', '<<"lock", "set">>, <<"lock", "lock">>')
    status, output = check(tmp_path, text, asked)
    assert (status, printed_threads(output)) == (INVARIANT, [0, 1])
    assert "Exclusive_2 is violated" in output


@pytest.mark.parametrize(
    "lines, error, message",
    [
        ("a.c:11,a.c:10", UsageError, "at a.c:11; the nearest lines with one are 10, 20"),
        ("b.c:10,a.c:10", UsageError, "at b.c:10"),
        ("a.c:20,a.c:20", UnsupportedError, "atomic section"),
    ],
)
def test_lines_where_threads_cannot_stand(lines: str, error: type[Exception], message: str) -> None:
    known = specification(statement("set", 10), statement("inside", 20, in_section=True))
    with pytest.raises(error, match=message):
        question(known, frozenset(), PropertyQuestion(EXCLUSION, exclusions=(lines,)))


# Formulas of the user's.

_MODULE = """---- MODULE Mine ----
EXTENDS System
Abstract == INSTANCE Switch WITH on <- memory.flag
Refines == Abstract!Spec
Small == memory.held \\in BOOLEAN
====
"""
_SWITCH = """---- MODULE Switch ----
VARIABLE on
Spec == on = FALSE /\\ [][on = FALSE /\\ on' = TRUE]_on /\\ WF_on(on = FALSE /\\ on' = TRUE)
====
"""


@pytest.mark.parametrize("pair, status", [("assumption", HOLDS), ("process", LIVENESS)])
def test_formulas_of_the_users(pair: str, status: int, tmp_path: Path) -> None:
    """The flag is set once: an abstract switch. Where an assumption fails, it need not be."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "Mine.tla").write_text(_MODULE, encoding="utf-8")
    (tmp_path / "Switch.tla").write_text(_SWITCH, encoding="utf-8")
    asked = question(
        specification(),
        frozenset(),
        PropertyQuestion(
            TLA, Fairness.WEAK, invariants=("Small", "memory.held = FALSE"), temporal=("Refines",),
            module=str(mine / "Mine.tla"),
        ),
    )  # fmt: skip
    assert [(one.name, bool(one.text)) for one in asked.properties] == [
        ("Small", False), ("Invariant_2", True), ("Refines", False),
    ]  # fmt: skip
    got, output = check(tmp_path, pairs("signal", pair), asked)
    assert got == status, output


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("Mine.tla", None, "No such file"),
        ("Other.tla", _MODULE, "has to end in .tla, and its module to be called Other"),
        ("Mine.tla", _MODULE.replace("EXTENDS System", "EXTENDS Integers"), "which is called System"),
    ],
)
def test_a_module_that_does_not_fit(name: str, text: str | None, message: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        question(
            specification(), frozenset(), PropertyQuestion(TLA, invariants=("Small",), module=str(tmp_path / name))
        )


def test_all_names_are_reserved() -> None:
    known = specification(statement("set", 10))
    known.propositions["set"] = Operator("Holds_set", ("m",), "m.flag")
    known.invariants["small"] = Operator("small", ("m",), "TRUE")
    asked = [
        PropertyQuestion(), PropertyQuestion(DEADLOCK), PropertyQuestion(TERMINATION),
        PropertyQuestion(TERMINATION, Fairness.STRONG),
        PropertyQuestion(LTL, Fairness.WEAK, read("set U terminated", ["set"]), "f"),
        PropertyQuestion(EXCLUSION, exclusions=("a.c:10,a.c:10",)),
        PropertyQuestion(TLA, invariants=("x = 1",), temporal=("[]x",)),
    ]  # fmt: skip
    for one in asked:
        made = question(known, frozenset(), one)
        for name in (*(o.name for o in made.operators), *(p.name for p in made.properties)):
            assert name in RESERVED or NUMBERED.fullmatch(name), name
        defined = [line.split(" ==")[0] for line in made.observer.splitlines() if " ==" in line]
        assert all(name in RESERVED or NUMBERED.fullmatch(name) for name in defined)


def test_a_step_ends_where_a_thread_may_have_to_wait() -> None:
    calls = [replace(statement("waits", 1), body="Then(self, lock_all(self, m), 1)"), statement("goes on", 2)]
    waits = [*calls, replace(calls[0], label="is inside", in_section=True)]
    made = specification(*waits)
    made.library = [
        Operator("lock", ("self", "m"), "IF m.held THEN {} ELSE {m}"),
        Operator("lock_all", ("self", "m"), "UNION {lock(self, n) : n \\in lock(self, m)}"),
    ]
    for asked, visible in ((DEADLOCK, {"waits", "other"}), (TERMINATION, {"waits", "other"}), (UNREACH, {"other"})):
        assert question(made, frozenset({"other"}), PropertyQuestion(asked)).visible == visible
