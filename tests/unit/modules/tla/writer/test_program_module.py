"""The module of a program: its text, whether SANY takes it, and the states that TLC finds."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cseq.model.claims import Claim, Kind
from cseq.modules.tla.spec import Global, Operator, Property, Question
from cseq.modules.tla.writer.written import save, written
from tests.support.handmade_specifications import WORKER, counter, unreduced
from tests.support.written_modules import checked, java

pytestmark = pytest.mark.engine


def _states(output: str) -> int:
    found = re.search(r"(\d+) distinct states found", output)
    assert found, output
    return int(found[1])


def _reference(times: int, workers: int) -> set[tuple[object, ...]]:
    """The states of the program, one statement at a time: the count, main, and each worker with its locals."""

    def after(at: tuple[object, ...], count: int) -> tuple[tuple[object, ...], int]:
        line, i, old = at
        assert isinstance(i, int) and isinstance(old, int)
        match line:
            case 6:
                return (7, 0, 0), count
            case 7:
                return ((8, i, 0) if i < times else (12, 0, 0)), count
            case 8:
                return (9, i, count), count
            case 9:
                return (10, i, 0), old + 1
            case 10:
                return (7, i + 1, 0), count
        return ("ended", 0, 0), count

    begun = (0, 17, *[(6, 0, 0)] * workers)
    seen: set[tuple[object, ...]] = {(0, 16, *[("none", 0, 0)] * workers), begun}
    front = [begun]
    while front:
        count, main, *threads = front.pop()
        found: list[tuple[object, ...]] = []
        for number, at in enumerate(threads):
            if at[0] != "ended":
                moved, now = after(at, count)
                found.append((now, main, *threads[:number], moved, *threads[number + 1 :]))
        if main == 17 and all(at[0] == "ended" for at in threads):
            found.append((count, 18, *threads))
        if main == 18:
            found.append((count, "ended" if count == times * workers else "failed", *threads))
        front += [state for state in found if state not in seen]
        seen.update(found)
    return seen


def test_tlc_finds_the_states_of_the_program(tmp_path):
    specification = counter(2, 2)
    given_up = replace(unreduced(specification), violations=False)
    output = checked(tmp_path, specification, given_up)
    assert "No error has been found" in output, output
    assert _states(output) == len(_reference(2, 2))


def test_what_nobody_notices_makes_no_states_and_hides_no_violation(tmp_path):
    specification = counter(2, 2)
    visible = frozenset(each.label for each in specification.statements if re.search(r":(8|9|17|18) ", each.label))
    output = checked(tmp_path, specification, Question(visible))
    assert "Invariant NoViolation is violated" in output
    output = checked(tmp_path, specification, Question(visible, violations=False))
    assert "No error has been found" in output, output
    assert _states(output) < len(_reference(2, 2)) / 2


def test_a_statement_that_ends_the_execution_is_a_step_of_its_own(tmp_path):
    """An assumption that fails after a store: others see the store, and so main sees a count of its own."""
    specification = counter(1, 1)
    statements = [
        replace(each, body='{Ends(m, "dropped")}') if each.label == f"x.c:10 in {WORKER}" else each
        for each in specification.statements
    ]
    specification.statements[:] = statements
    main = next(each for each in statements if each.label == "x.c:17 in main")
    seen = 'IF m.data.count = 1 THEN {Ends(m, "failed.assertion: count == 0")} ELSE {}'
    statements[statements.index(main)] = replace(main, body=seen)
    specification.statements[:] = statements
    visible = frozenset(each.label for each in statements if re.search(r":(8|9|17|18) ", each.label))
    assert "Invariant NoViolation is violated" in checked(tmp_path, specification, Question(visible))


def test_a_thread_that_runs_on_for_ever_lets_others_go_on(tmp_path):
    specification = counter(1, 1)
    specification.statements[:] = [
        replace(each, body=f'{{Goto(self, m, "x.c:7 in {WORKER}")}}') if each.label == f"x.c:7 in {WORKER}" else each
        for each in specification.statements
    ]
    loops = frozenset({f"x.c:7 in {WORKER}"})
    visible = frozenset(each.label for each in specification.statements if each.label.endswith("main"))
    ends = Property("ProgramEnds", '<>(memory.status = "ended")', True)
    question = Question(visible, (ends,), fairness="WF_memory(Next)", loops=loops)
    assert "Temporal properties were violated" in checked(tmp_path, specification, question)


def test_sany_accepts_what_is_written(tmp_path):
    big = counter()
    more = [
        replace(big.statements[-1], label=f"x.c:{line} in {WORKER}", operator=f"{WORKER}_{line}")
        for line in range(100, 180)
    ]
    big.statements += more
    big.name, big.propositions = "big", {"low": Operator("low", ("m",), "m.data.count < 9")}
    big.globals += [
        Global(name, "0", ("Int32",), True, name)
        for name in ("memory", "Store", "Step", "Len", "Run", "UNION_", "stuck")
    ]
    bare = counter()
    bare.name, bare.library, bare.constants, bare.globals = "bare", [], [], []
    bare.frames = {name: [] for name in bare.frames}
    bare.statements[:] = [replace(each, body="{m}") for each in bare.statements]
    asked = replace(
        unreduced(big),
        properties=(
            Property("Low", "\n[]low(memory)\n", True),
            Property("High", "High == []~low(memory)", True),
            Property("Theirs", "", True),
            Property("Ours", "Ours == LET stuck == 1 IN stuck = 1", False, Claim(Kind.DEADLOCK).key),
        ),
        operators=(Operator("Goes", ("self",), "\n  LET n == 1\n  IN Step(self) /\\ n = 1", "a step"),),
        fairness="\\A self \\in Threads : WF_memory(Goes(self))",
        loops=frozenset({f"x.c:7 in {WORKER}"}),
        merged=frozenset({f"x.c:9 in {WORKER}"}),
    )
    asked = replace(asked, visible=asked.visible - asked.loops - asked.merged)
    names = [specification.name for specification in (big, bare)]
    save(written(big, asked), tmp_path)
    save(written(bare, unreduced(bare)), tmp_path)
    output = java(tmp_path, "tla2sany.SANY", *(f"{name}.tla" for name in names))
    assert output.count("Semantic processing of module") >= len(names)
    assert "rror" not in output, output


def test_the_text_of_a_small_specification():
    golden = Path(__file__).with_name("counter.tla")
    assert written(counter(), unreduced(counter()))["x.tla"] == golden.read_text(encoding="ascii")
