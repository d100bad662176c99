"""Exact executions from outlines: those of schedules that the engine `native` finds, without what they choose."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cseq.model.errors import BackendError
from cseq.model.origin import Origin
from cseq.modules.explicit.encode.step_program import ControlPlace, Steps
from cseq.modules.explicit.engine import Exploration, compiled, read
from cseq.modules.explicit.run import link
from cseq.modules.tla.replay import Move, PlaceNumbers, guided, outline, violation
from cseq.modules.tla.spec import Specification, Statement
from tests.support.step_programs import Stepped, stepped

pytestmark = pytest.mark.engine

HEAD = "#include <pthread.h>\n#include <assert.h>\nunsigned char __VERIFIER_nondet_uchar(void);\n"

LOST_UPDATE = """int x;
void *inc(void *arg) { int l = x; x = l + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0); pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(x == 2);
}
"""

SIGNAL = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int go, n, last;
void *waits(void *arg) {
  pthread_mutex_lock(&m);
  n++;
  while (!go) pthread_cond_wait(&c, &m);
  last = (long)arg; go = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waits, (void *)1); pthread_create(&b, 0, waits, (void *)2);
  pthread_mutex_lock(&m);
  if (n == 2) { go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); assert(last != 1); }
  pthread_mutex_unlock(&m);
}
"""

INPUT = """int x, seen;
void *f(void *arg) { unsigned char v = __VERIFIER_nondet_uchar(); if (v == 77) seen = 1; x = v; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x != 200 || seen); }
"""

DEADLOCK = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);
  pthread_join(t, 0);
}
"""

SPURIOUS = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void *f(void *arg) {
  pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); assert(ready); pthread_mutex_unlock(&m); return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }
"""

CRASH = """int *p, x;
void *f(void *arg) { p = 0; return 0; }
int main(void) { pthread_t t; p = &x; pthread_create(&t, 0, f, 0); *p = 1; pthread_join(t, 0); }
"""

SPIN = """int turn, stop;
void *f(void *arg) { while (!stop) turn = 1 - turn; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (turn < 2) ; stop = 1; pthread_join(t, 0); }
"""

PLACES = """
int __CSEQ_proposition(unsigned int n) { return n / 8 < __CSEQ_most_threads && __CSEQ_place(n / 8) >> n % 8 & 1; }
const unsigned int __CSEQ_propositions = 64;
"""
"""Where each thread stands, eight bits for each."""


def specified(steps: Steps) -> Specification:
    """What a specification says about labels, with one label for each place."""
    statements = [
        Statement(label(number), f"f_{number}", place.start, place.node, place.origin, "")
        for number, place in enumerate(steps.places)
        if place is not None and not place.entry
    ]
    return Specification("x", steps.most_threads, {}, {}, {}, [], statements)


def label(number: int) -> str:
    return f"x.c:{number}"


class Found:
    """A violation that the engine `native` finds."""

    def __init__(self, folder: Path, text: str, check: str = "assertion", **parameters: object) -> None:
        self.folder = folder
        self.program: Stepped = stepped(folder, HEAD + text, **parameters)
        self.specification = specified(self.program.steps)
        binary = folder / "explore"
        link(compiled(self.program.unit.text + PLACES, folder / "steps.o", 64), binary, folder, "the explorer")
        self._binary = str(binary)
        self.found: Exploration = read(self._said("--check", check, "--search", "bfs"))

    def _said(self, *options: str) -> str:
        done = subprocess.run([self._binary, *options], capture_output=True, text=True, timeout=60, check=True)
        return done.stdout

    def stands(self, schedule: list[tuple[int, list[int]]]) -> list[list[int]]:
        """The places of all threads, in each state of the execution."""
        path = self.folder / "schedule.json"
        path.write_text(json.dumps(schedule))
        lines = self._said("--follow", str(path), "--lasso", "9999").splitlines()
        sets = [int(line.split()[1], 16) for line in lines if line.startswith("state")]
        return [[bits >> 8 * thread & 255 for thread in range(8)] for bits in sets]

    def moves(self, schedule: list[tuple[int, list[int]]]) -> list[Move]:
        """The execution as TLC would have it."""
        states = self.stands(schedule)
        states += states[-1:]
        made = []
        for number, (thread, _) in enumerate(schedule):
            before, after = states[number][thread], states[number + 1][thread]
            place = self.program.steps.places[before]
            entry = place is None or place.entry
            made.append(Move(thread, None if entry else label(before), label(after) if after else None))
        return made

    def guided(self, moves: list[Move], sought: Exploration) -> Exploration:
        program = self.program
        return guided(program.unit.text, moves, sought, self.specification, program.steps, self.folder, 64)


CASES = {
    "lost update": (LOST_UPDATE, "assertion", {}),
    "signal": (SIGNAL, "assertion", {}),
    "input": (INPUT, "assertion", {}),
    "deadlock": (DEADLOCK, "deadlock", {}),
    "spurious": (SPURIOUS, "assertion", {"spurious_wakeups": True}),
    "crash": (CRASH, "assertion", {}),
}


@pytest.mark.parametrize("name", CASES)
def test_what_was_found_is_found_again_without_choices(name: str, tmp_path: Path) -> None:
    text, check, parameters = CASES[name]
    case = Found(tmp_path, text, check, **parameters)
    found = case.found
    assert found.status == "violated"
    sought = Exploration("violated", found.kind, found.claim.key, threads=found.threads)
    moves = case.moves(found.schedule)
    again = case.guided(moves, sought)
    assert (again.kind, again.text, again.threads) == (found.kind, found.text, found.threads)
    assert [thread for thread, _ in again.schedule] == [thread for thread, _ in found.schedule]
    if any(chosen for _, chosen in found.schedule):
        assert any(chosen for _, chosen in again.schedule)


@pytest.fixture(scope="module")
def lost_update(tmp_path_factory: pytest.TempPathFactory) -> Found:
    return Found(tmp_path_factory.mktemp("lost_update"), LOST_UPDATE)


def test_outlines_that_differ_a_little(lost_update: Found) -> None:
    """Moves that are no transitions of their own, and transitions that are missing."""
    found, moves = lost_update.found, lost_update.moves(lost_update.found.schedule)
    sought = Exploration("violated", found.kind, found.text)
    twice = [move for move in moves for _ in range(2 if move.thread == 1 else 1)]
    less = [move for number, move in enumerate(moves) if number != 6]
    for outlined in (twice, less):
        again = lost_update.guided(outlined, sought)
        assert (again.kind, again.text) == (found.kind, found.text)


def test_no_execution_is_like_the_outline(lost_update: Found) -> None:
    found, moves = lost_update.found, lost_update.moves(lost_update.found.schedule)
    with pytest.raises(BackendError, match=r"TLC's trace was not followed: no such execution: \d+ of \d+ moves"):
        lost_update.guided(moves, Exploration("violated", "assertion", "assertion: x == 3"))
    assert found.schedule[-1][0] == 0


def test_what_is_expected_comes_first(tmp_path: Path) -> None:
    case = Found(tmp_path, INPUT.replace("x != 200 || seen", "x < 200"))
    moves = case.moves(case.found.schedule)
    stores = [number for number, move in enumerate(moves) if move.thread == 1][-2]
    assert case.guided(moves, case.found).schedule == case.found.schedule
    moves[stores] = replace(moves[stores], expected={"x": 231})
    again = case.guided(moves, case.found)
    assert [chosen for _, chosen in again.schedule if chosen] == [[231]]


def lasso(folder: Path) -> tuple[Found, list[tuple[int, list[int]]], int]:
    """Threads that take turns for ever; where the cycle begins."""
    case = Found(folder, SPIN)
    schedule = [(0, list[int]())] * 2 + [(1, list[int]())] * 2
    cycle = len(schedule)
    return case, [*schedule, (1, list[int]()), (0, list[int]()), (1, list[int]())], cycle


def test_an_endless_execution_needs_more_rounds_than_the_outline_has(tmp_path: Path) -> None:
    case, schedule, cycle = lasso(tmp_path)
    sought = Exploration("violated", "termination", "termination", cycle=cycle)
    again = case.guided(case.moves(schedule), sought)
    assert again.cycle is not None and (again.kind, again.text) == ("termination", "termination")
    states = case.stands(again.schedule)
    assert states[again.cycle] == states[-1] and len(again.schedule) > again.cycle
    path = case.folder / "schedule.json"
    path.write_text(json.dumps(again.schedule))
    assert case._said("--follow", str(path), "--lasso", str(again.cycle)).splitlines()[-1] == "repeats 1"


def test_an_execution_that_stays_in_a_state_for_ever(tmp_path: Path) -> None:
    case = Found(tmp_path, DEADLOCK, "deadlock")
    moves = case.moves(case.found.schedule)
    again = case.guided(moves, Exploration("violated", "termination", "termination", cycle=len(moves)))
    assert again.schedule == case.found.schedule and again.cycle == len(again.schedule)


def test_kinds_of_violations() -> None:
    assert (violation("failed.crash.access").kind, violation("failed.assertion: x").kind) == ("crash", "assertion")
    assert violation("failed.assertion: x").text == "assertion: x"


def test_labels_where_no_other_thread_may_run_are_left_out() -> None:
    nodes = [object() for _ in range(5)]
    steps = Steps(2, ["main"])
    for number in (1, 3, 4):
        steps.place(ControlPlace("main", node=nodes[number], seldom=number == 4))
    statements = [Statement(f"l{number}", "", "main", node, None, "") for number, node in enumerate(nodes)]
    specification = Specification("x", 2, {}, {}, {}, [], statements)
    path = [(0, "l0", "l1"), (0, "l1", "l2"), (1, "l1", "l2"), (0, "l2", "l4"), (1, "l2", "l3"), (0, "l4", None)]
    moves = [Move(thread, before, after) for thread, before, after in path]
    places = PlaceNumbers(specification, steps)
    lines, _ = outline(moves, Exploration("violated", "deadlock", threads=[0, 1]), places)
    assert lines == ["move 1 1 3", "move 2 0 2", "move 1 0 0", "ends deadlock 3"]
    lines, _ = outline(moves, Exploration("violated", "termination", cycle=3), places)
    assert lines[-1] == "ends repeated 2"
    assert outline(moves[:2], violation("failed.crash.access"), places)[0] == ["move 1 0", "ends crash"]


def test_copies_of_functions_have_the_places_of_their_lines() -> None:
    steps = Steps(2, ["main", "f"])
    for line in (7, 7, 8):
        steps.place(ControlPlace("main", Origin("x.c", line, function="sum", column=line), node=object()))
    statement = Statement("l", "", "sum", object(), Origin("x.c", 7, function="sum"), "")
    places = PlaceNumbers(Specification("x", 2, {}, {}, {}, [], [statement]), steps)
    assert places.of("l") == (1, 2) and places.seldom("l")


def test_threads_that_spin_for_ever_do_so_fairly(tmp_path: Path) -> None:
    text = SPIN.replace("while (!stop) turn = 1 - turn;", "while (!stop) ;")
    case = Found(tmp_path, text)
    moves = case.moves([(0, []), (0, []), (1, [])])
    again = case.guided(moves, Exploration("violated", "termination", "termination", cycle=len(moves)))
    assert again.cycle is not None and {thread for thread, _ in again.schedule[again.cycle :]} == {0, 1}
    path = case.folder / "schedule.json"
    path.write_text(json.dumps(again.schedule))
    assert case._said("--follow", str(path), "--lasso", str(again.cycle)).splitlines()[-1] == "repeats 1"
