"""Witnesses: well-formed, about places that there are, and such that an execution follows them to the violation."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cseq.api import verify
from cseq.backends import cbmc
from cseq.c.preprocess import compiler
from cseq.model.claims import Claim, Kind
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Access, Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Property, Verdict
from cseq.report.witness import graphmlwitness, waypoints, yamlwitness
from tests.support.witness_format import CORRECTNESS, callee, check_task, check_violation, fits, read
from tests.support.witness_validator import followed

pytestmark = pytest.mark.engine

needs_cbmc = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")
MAIN, FIRST, SECOND = Thread(0, "main"), Thread(1, "work"), Thread(2, "work")

LOST_UPDATE = """\
    #include <assert.h>
    #include <pthread.h>
    int counter;
    void *increment(void *arg)
    {
        counter++;
        return NULL;
    }
    int main(void)
    {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, increment, NULL);
        pthread_create(&t2, NULL, increment, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
        assert(counter == 2);
        return 0;
    }
    """

LOOPS_AND_INPUTS = """\
    #include <pthread.h>
    extern int __VERIFIER_nondet_int(void);
    extern unsigned char __VERIFIER_nondet_uchar(void);
    extern void reach_error(void);
    int sum, rounds;
    static int start(pthread_t *t, void *(*function)(void *))
    {
        return pthread_create(t, NULL, function, NULL);
    }
    void *add(void *arg)
    {
        int n = __VERIFIER_nondet_int();
        if (n > 6 && __VERIFIER_nondet_uchar() == 200) {
            sum += n;
        }
        return NULL;
    }
    int main(void)
    {
        pthread_t t[2];
        for (int i = 0; i < 2; i++) {
            start(&t[i], add);
        }
        for (int i = 0; i < 2; i++) {
            pthread_join(t[i], NULL);
            rounds++;
        }
        if (sum == 7) { rounds = 0; reach_error(); }
        return 0;
    }
    """

RACE = """\
    #include <pthread.h>
    int flag, data;
    void *produce(void *arg) { int own = 1; data = own; flag = 1; return NULL; }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, NULL, produce, NULL);
        int seen = data;
        pthread_join(t, NULL);
        return seen - seen;
    }
    """

USE_AFTER_FREE = """\
    #include <pthread.h>
    #include <stdlib.h>
    int *cell;
    void *drop(void *arg) { free(cell); return NULL; }
    int main(void)
    {
        pthread_t t;
        cell = malloc(sizeof *cell);
        pthread_create(&t, NULL, drop, NULL);
        int own = 1; *cell = own;
        pthread_join(t, NULL);
        return 0;
    }
    """

OVERFLOW = """\
    #include <pthread.h>
    long big = 2147483640;
    int other;
    void *grow(void *arg) { long step = 3; other = 1; big = big + step; return NULL; }
    int main(void)
    {
        pthread_t t[3];
        for (int i = 0; i < 3; i++) {
            pthread_create(&t[i], NULL, grow, NULL);
        }
        for (int i = 0; i < 3; i++) {
            pthread_join(t[i], NULL);
        }
        return 0;
    }
    """


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(text: str, *, name: str = "a.c", bits: int = 64, **parameters: Any) -> tuple[Outcome, waypoints.WitnessTask]:
    """The outcome for a program in the current folder."""
    Path(name).write_text(dedent(text))
    outcome = verify(name, bits=bits, backend="cbmc", **parameters)
    return outcome, waypoints.WitnessTask((name,), bits=bits, command=("cseq", name))


def shown(entries: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The waypoints: thread, kind, line, column and constraint, and a list of them where they share a segment."""
    lines = []
    for content in entries[0]["content"]:
        segment = [
            (w["thread_id"], w["type"], w["location"]["line"], w["location"]["column"])
            + ((w["constraint"]["value"],) if "constraint" in w else ())
            for w in (item["waypoint"] for item in content["segment"])
        ]
        lines.append(segment[0] if len(segment) == 1 else tuple(segment))
    return lines


@needs_cbmc
def test_a_lost_update(here: Path) -> None:
    outcome, run = found(LOST_UPDATE, rounds=2)
    entries = read(yamlwitness.render(outcome, run))
    check_violation(entries, here)
    assert entries[0]["metadata"]["task"]["specification"] == "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    passed = shown(entries)
    assert [point[:4] for point in passed if point[1] != "assumption"] == [
        (0, "function_enter", 12, 46),
        (0, "function_enter", 13, 46),
        (0, "target", 16, 5),
    ]
    # Both threads are about to increment what is 0.
    assert sorted(point for point in passed if point[2] == 6) == [
        (thread, "assumption", 6, 5, "counter == 0") for thread in (1, 2)
    ]
    assert followed(here / "a.c", entries, rounds=2) == "confirmed"


@needs_cbmc
def test_a_witness_with_a_wrong_value_is_not_confirmed(here: Path) -> None:
    outcome, run = found(LOST_UPDATE, rounds=2)
    text = yamlwitness.render(outcome, run)
    assert followed(here / "a.c", read(text.replace("counter == 1", "counter == 2")), rounds=2) == "refuted"


@needs_cbmc
def test_creation_in_a_loop_through_a_helper_and_inputs(here: Path) -> None:
    outcome, run = found(LOOPS_AND_INPUTS, rounds=1, unwind=2)
    entries = read(yamlwitness.render(outcome, run))
    check_violation(entries, here)
    passed = shown(entries)
    assert [point for point in passed if point[1] == "function_enter"] == [(0, "function_enter", 8, 50)] * 2
    inputs = [point for point in passed if point[1] == "function_return"]
    assert {point[2:4] for point in inputs} == {(12, 35), (13, 42)}
    assert (inputs[1][0], "function_return", 13, 42, "\\result == 200") in inputs
    assert passed[-1] == (0, "target", 28, 33)
    assert followed(here / "a.c", entries, rounds=1, unwind=2) == "confirmed"


@needs_cbmc
def test_a_race_ends_in_one_segment_with_two_targets(here: Path) -> None:
    Path("race.prp").write_text("CHECK( init(main()), LTL(G ! data-race) )\n")
    outcome, run = found(RACE, rounds=1, spec="race.prp")
    entries = read(yamlwitness.render(outcome, run))
    check_violation(entries, here)
    assert set(shown(entries)[-1]) == {(0, "target", 8, 5), (1, "target", 3, 41)}
    assert followed(here / "a.c", entries, rounds=1, spec="race.prp") == "confirmed"


@needs_cbmc
def test_an_invalid_access_is_at_its_statement(here: Path) -> None:
    outcome, run = found(USE_AFTER_FREE, rounds=1, memsafety=True)
    entries = read(yamlwitness.render(outcome, run))
    check_violation(entries, here)
    assert shown(entries)[-1] == (0, "target", 10, 18)
    specification = entries[0]["metadata"]["task"]["specification"]
    assert "G valid-deref" in specification
    assert len(specification.splitlines()) == 3


@needs_cbmc
def test_an_overflow_in_32_bits(here: Path) -> None:
    outcome, run = found(OVERFLOW, bits=32, rounds=1, unwind=3, overflow=True)
    entries = read(yamlwitness.render(outcome, run))
    check_violation(entries, here)
    assert entries[0]["metadata"]["task"]["data_model"] == "ILP32"
    assert shown(entries)[-1] == (3, "target", 4, 51)
    assert (3, "assumption", 4, 25, "big == 2147483646") in shown(entries)


@needs_cbmc
def test_a_proof_has_a_witness_without_invariants(here: Path) -> None:
    outcome, run = found("int main(void) { return 0; }\n")
    entries = read(yamlwitness.render(outcome, run))
    assert fits(entries, CORRECTNESS)
    check_task(entries[0], here)
    assert entries[0]["metadata"]["task"]["data_model"] == "LP64"
    assert entries[0]["metadata"]["producer"]["command_line"] == "cseq a.c"
    graph = Graph(graphmlwitness.render(outcome, run))
    assert graph.data["witness-type"] == "correctness_witness"
    assert graph.edges == []


@needs_cbmc
def test_places_in_a_preprocessed_file_are_those_of_that_file(here: Path) -> None:
    Path("a.c").write_text(dedent(LOST_UPDATE))
    text = subprocess.run([compiler(), "-E", "a.c"], capture_output=True, text=True, check=True).stdout
    outcome, run = found(text, name="a.i", rounds=2)
    entries = read(yamlwitness.render(outcome, run))
    check_violation(entries, here)
    lines = text.split("\n")
    points = shown(entries)
    calls = [callee(lines, *point[2:4]) for point in points if point[1] == "function_enter"]
    assert [name for _, _, name in calls] == ["pthread_create"] * 2
    assert [lines[point[2] - 1][point[3] - 1 :] for point in points if "counter == 0" in point] == ["counter++;"] * 2
    _, _, line, column = points[-1]
    assert "assert" not in lines[line - 1]  # it is what the macro expands to that is violated
    assert "(void)" in lines[line - 1][column - 1 :]
    assert line > 100


@needs_cbmc
def test_a_program_of_two_files(here: Path) -> None:
    Path("b.c").write_text("extern int x;\nvoid *f(void *arg)\n{\n    x = 1;\n    return arg;\n}\n")
    Path("a.c").write_text(
        dedent("""\
        #include <assert.h>
        #include <pthread.h>
        int x;
        void *f(void *);
        int main(void)
        {
            pthread_t t;
            pthread_create(&t, NULL, f, NULL);
            pthread_join(t, NULL);
            assert(x == 0);
        }
        """)
    )
    outcome = verify(["a.c", "b.c"], rounds=1)
    entries = read(yamlwitness.render(outcome, waypoints.WitnessTask(("a.c", "b.c"))))
    check_violation(entries, here)
    places = [item["waypoint"]["location"] for content in entries[0]["content"] for item in content["segment"]]
    assert {"file_name": "b.c", "line": 4, "column": 5, "function": "f"} in places


class Graph:
    """A GraphML witness that is a path."""

    def __init__(self, text: str) -> None:
        space = "{http://graphml.graphdrawing.org/xmlns}"
        root = ET.fromstring(text)
        self.keys = {key.get("id"): key.get("for") for key in root.iter(f"{space}key")}
        graph = root.find(f"{space}graph")
        assert graph is not None
        self.data = {d.get("key"): d.text for d in graph.findall(f"{space}data")}
        self.specifications = [d.text for d in graph.findall(f"{space}data") if d.get("key") == "specification"]
        nodes = {n.get("id"): [d.get("key") for d in n] for n in graph.iter(f"{space}node")}
        edges = {e.get("source"): e for e in graph.iter(f"{space}edge")}
        used = {d.get("key") for d in graph.iter(f"{space}data")}
        assert used <= set(self.keys)
        (entry,) = [name for name, marks in nodes.items() if "entry" in marks]
        self.edges = []
        at = entry
        while at in edges:
            self.edges.append({d.get("key"): d.text for d in edges[at]})
            at = edges[at].get("target")
        assert len(self.edges) == len(nodes) - 1
        if self.data["witness-type"] == "violation_witness":
            assert [name for name, marks in nodes.items() if "violation" in marks] == [at]


@needs_cbmc
def test_graphml(here: Path) -> None:
    outcome, run = found(LOOPS_AND_INPUTS, rounds=1, unwind=2)
    graph = Graph(graphmlwitness.render(outcome, run))
    assert graph.data["programhash"] == run.hash("a.c")
    assert (graph.data["programfile"], graph.data["architecture"]) == ("a.c", "64bit")
    lines = Path("a.c").read_text().split("\n")
    created = {"0"}
    entered: dict[str | None, str | None] = {}
    for edge in graph.edges:
        assert edge["threadId"] in created
        assert edge["threadId"] in entered or "enterFunction" in edge
        if "startline" in edge:
            assert lines[int(edge["startline"] or 0) - 1].strip()
        if "createThread" in edge:
            assert edge["createThread"] not in created
            created.add(edge["createThread"])
            assert edge["startline"] == "8"
        entered.setdefault(edge["threadId"], edge.get("enterFunction"))
    assert entered == {"0": "main", "1": "add", "2": "add"}
    assert {"rounds == 0", "\\result == 200"} <= {edge.get("assumption") for edge in graph.edges}
    assert graph.edges[-1]["startline"] == "28"


@needs_cbmc
@pytest.mark.skipif(shutil.which("witnesslint") is None, reason="witnesslint is not installed")
@pytest.mark.parametrize("name", ["w.yml", "w.graphml"])
def test_the_linter_has_nothing_to_say(here: Path, name: str) -> None:
    outcome, run = found(LOOPS_AND_INPUTS, rounds=1, unwind=2)
    text = (graphmlwitness if name == "w.graphml" else yamlwitness).render(outcome, run)
    Path(name).write_text(text)
    done = subprocess.run(["witnesslint", "--witness", name, "a.c"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def told(text: str, steps: Sequence[Step], name: str = "a.c") -> list[tuple[Any, ...]]:
    """The waypoints for an execution of the program *text* that did these steps."""
    Path(name).write_text(dedent(text))
    violated = Property(Claim(Kind.ASSERTION, subject="0"), steps[-1].origin)
    outcome = Outcome(
        Verdict.FALSE,
        violated=violated,
        counterexample=Counterexample(list(steps), [MAIN, FIRST, SECOND]),
        property="unreach-call",
    )
    return shown(read(yamlwitness.render(outcome, waypoints.WitnessTask((name,)))))


def at(line: int, function: str = "main", path: tuple[CallSite, ...] = (), iteration: tuple[int, ...] = ()) -> Origin:
    return Origin("a.c", line, function=function, path=path, iteration=iteration)


def test_threads_are_numbered_as_they_are_registered(here: Path) -> None:
    text = """\
        int x;
        void *work(void *a) { x = 1; return a; }
        int main(void) {
          pthread_create(&a, 0, work, 0); pthread_create(&b, 0,
            work, 0);
          assert(0);
        }
        """
    steps = [
        Step(MAIN, at(4), created=[SECOND, FIRST]),
        Step(SECOND, at(2, "work"), accesses=[Access("write", "x", "1")]),
        Step(MAIN, at(6)),
    ]
    assert told(text, steps) == [
        (0, "assumption", 4, 3, "1"),
        (0, "function_enter", 4, 32),
        (0, "function_enter", 5, 12),
        (1, "assumption", 2, 23, "1"),
        (0, "assumption", 6, 3, "x == 1"),
        (0, "target", 6, 3),
    ]


def test_a_statement_that_is_interrupted_begins_once(here: Path) -> None:
    text = """\
        int x, y;
        void *work(void *a) { x++; return a; }
        int main(void) {
          pthread_create(&a, 0, work, 0);
          y = x + x;
          assert(0);
        }
        """
    steps = [
        Step(MAIN, at(4), created=[FIRST]),
        Step(MAIN, at(5), accesses=[Access("read", "x", "0")]),
        Step(FIRST, at(2, "work"), accesses=[Access("read", "x", "0"), Access("write", "x", "1")]),
        Step(MAIN, at(5), accesses=[Access("read", "x", "1"), Access("write", "y", "1")]),
        Step(MAIN, at(6)),
    ]
    assert [point for point in told(text, steps) if point[2] in (2, 5, 6)] == [
        (0, "assumption", 5, 3, "x == 0"),
        (1, "assumption", 2, 23, "x == 0"),
        (0, "assumption", 6, 3, "x == 1 && y == 1"),
        (0, "target", 6, 3),
    ]


def test_values_are_of_variables_that_change_under_their_name_alone(here: Path) -> None:
    text = """\
        int plain, taken, hidden; unsigned long big; double d; int *p; static _Thread_local int own;
        void work(int hidden) { int *q = &taken; }
        int main(void) {
          plain = 1;
          assert(0);
        }
        """
    values = {"plain": "-3", "taken": "1", "hidden": "1", "big": str(1 << 63), "d": "0.5", "p": "0x10", "own": "1"}
    steps = [Step(MAIN, at(4), accesses=[Access("write", *item) for item in values.items()]), Step(MAIN, at(5))]
    assert told(text, steps)[1] == (0, "assumption", 5, 3, "big == 9223372036854775808ULL && d == 0.5 && plain == -3")


def test_no_values_where_a_header_that_is_not_found_may_take_addresses(here: Path) -> None:
    text = """\
        #include "other.h"
        int x;
        int main(void) {
          x = 1;
          assert(0);
        }
        """
    steps = [Step(MAIN, at(4), accesses=[Access("write", "x", "1")]), Step(MAIN, at(5))]
    assert told(text, steps)[1][4] == "1"
    Path("other.h").write_text("#define X (& x)\n")
    assert told(text, steps)[1][4] == "1"
    Path("other.h").write_text("#define X 1\n")
    assert told(text, steps)[1][4] == "x == 1"


def test_a_loop_begins_once_and_earlier_visits_of_a_waypoint_are_kept(here: Path) -> None:
    text = """\
        int x;
        int main(void) {
          pthread_create(&a, 0, work, 0);
          for (int i = 0; i < 3; i++) {
            x = i;
            bump();
          }
          assert(0);
        }
        void bump(void) { x++; }
        void *work(void *a) { x = 9; return a; }
        """
    steps = [Step(MAIN, at(3), created=[FIRST]), Step(MAIN, at(4))]
    for number in (1, 2, 3):
        steps.append(Step(MAIN, at(5, iteration=(number,)), accesses=[Access("write", "x", str(number))]))
        steps.append(Step(MAIN, at(6, iteration=(number,))))
        steps.append(Step(MAIN, at(10, "bump", (CallSite("main", "a.c", 6),), (number,))))
        steps.append(Step(MAIN, at(4, iteration=(number,))))
    end = Step(MAIN, at(8))
    Path("a.c").write_text(dedent(text))
    shown = Counterexample([*steps, end], [MAIN])
    everything = waypoints.waypoints(shown, Outcome(Verdict.FALSE), waypoints.WitnessTask(("a.c",)))
    assert [point.place.line for point in everything] == [3, 3, 4, *[5, 6, 10] * 3, 8, 8]
    assert [point[2] for point in told(text, [*steps, end])] == [3, 3, 8, 8]
    # Here the other thread comes before main is done: main's context ends at line 10, where it has been twice before.
    interrupted = [*steps[:-1], Step(FIRST, at(11, "work")), end]
    assert [point[2] for point in told(text, interrupted)] == [3, 3, 10, 10, 10, 11, 8, 8]


def test_inputs_that_cannot_be_told_apart_are_left_out(here: Path) -> None:
    text = """\
        int main(void) {
          int n = __VERIFIER_nondet_int() || __VERIFIER_nondet_int();
          assert(0);
        }
        """

    def inputs(*values: str) -> list[tuple[Any, ...]]:
        steps = [Step(MAIN, at(2), inputs=list(values)), Step(MAIN, at(3))]
        return [point[2:] for point in told(text, steps) if point[1] == "function_return"]

    assert inputs("1") == []
    assert inputs("0", "5") == [(2, 33, "\\result == 0"), (2, 60, "\\result == 5")]
    assert inputs("0", "") == [(2, 33, "\\result == 0")]


@pytest.mark.parametrize(
    ("number", "constant"),
    [
        ("-5", "-5"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775808ULL"),
        ("-9223372036854775808", "(-9223372036854775807 - 1)"),
        ("1e-05", "1e-05"),
    ],
)
def test_numbers_are_constants_of_c(number: str, constant: str) -> None:
    assert waypoints.is_number(number)
    assert yamlwitness.constant(number) == constant


@pytest.mark.parametrize("value", ["nan", "inf", "NULL", "0x10", "", "-inf"])
def test_what_has_no_constant_is_no_number(value: str) -> None:
    assert not waypoints.is_number(value)


def test_names_of_files_are_quoted(here: Path) -> None:
    name = 'a "b": ü\t#.c'
    Path(name).write_text("int main(void) { return 0; }\n")
    entries = read(yamlwitness.render(Outcome(Verdict.TRUE, property="no-overflow"), waypoints.WitnessTask((name,))))
    assert fits(entries, CORRECTNESS)
    check_task(entries[0], here)
    assert entries[0]["metadata"]["task"]["specification"] == "CHECK( init(main()), LTL(G ! overflow) )"


def test_what_has_no_witness_says_why() -> None:
    assert waypoints.refusal(Outcome(Verdict.TRUE)) is None
    scheduled = Outcome(Verdict.TRUE, message="no violation under scheduling by priorities")
    about = "it is about less than all executions (no violation under scheduling by priorities)"
    assert waypoints.refusal(scheduled) == about
    assert waypoints.refusal(Outcome(Verdict.UNKNOWN)) == "there is none for UNKNOWN"
    deadlock = Outcome(Verdict.FALSE, violated=Property(Claim(Kind.DEADLOCK)))
    assert waypoints.refusal(deadlock) == "a deadlock is none of the properties that the format knows"
    invariant = Outcome(Verdict.FALSE, violated=Property(Claim(Kind.INVARIANT, subject="ok")))
    assert waypoints.refusal(invariant) == "a violated --invariant is none of the properties that the format knows"
    located = Outcome(Verdict.FALSE, violated=Property(Claim(Kind.ASSERTION, subject="0"), at(1)))
    assert waypoints.refusal(located) == "there is none for a violation that is not replayed"
