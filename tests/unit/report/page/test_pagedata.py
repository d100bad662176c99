"""What the page of a violation knows, as numbers."""

from pathlib import Path

import pytest

from cseq.model.actions import ActionKind
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Access, Action, Hold, Step, Stuck, ThreadWait
from cseq.report.page import htmlreport
from tests.support.executions import MAIN, A, B, origin, step, violation
from tests.unit.report.page.test_htmlreport import data


def test_steps_are_numbers_of_what_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text("int x;\n\tx++;\n")
    inner = Origin("a.c", 2, 0, "bump", (CallSite("left", "a.c", 1),), (2, 1))
    lock, accesses = [Action(ActionKind.LOCK, "m")], [Access("write", "x", "1", True, 8)]
    twice = [Step(A, inner, "x++;", accesses, lock, inputs=["5"]) for _ in range(2)]
    read = data(htmlreport.render(violation([*twice, step(MAIN, 7)]), ["a.c"]))
    answer = read["answers"][0]
    assert answer["steps"][0] == answer["steps"][1]
    thread, place, path, iteration, events, accesses, inputs = answer["steps"][0]
    assert (thread, iteration) == (1, [2, 1])
    assert read["places"][place] == [0, 2, "bump", "x++;"]
    assert read["paths"][path][0] == "called by left at a.c:1"
    assert [read["strings"][number] for number in (*events, *inputs)] == ["locks m", "5"]
    assert accesses[:2] == [1, 0]
    assert [read["strings"][number] for number in accesses[2:]] == ["x", "1"]
    assert len(answer["steps"][2]) == 2  # nothing to say is not said
    # Line 7 is not in the file any more: what the step knows of it is shown.
    assert read["files"] == [{"name": "a.c", "lines": [[1, ["int x;", "        x++;"]], [7, ["line 7;"]]]}]


def test_threads_without_a_part_have_no_lane() -> None:
    steps = [step(MAIN, 1, Action(ActionKind.CREATE, thread=B)), step(B, 2, accesses=[Access("write", "i", "1")])]
    stuck = [Stuck(B, origin(2), ThreadWait(MAIN), (MAIN,), (Hold("m", origin(1)),))]
    read = data(htmlreport.render(violation(steps, stuck=stuck)))
    answer = read["answers"][0]
    assert (answer["threads"], answer["numbers"]) == (["main", "right (thread 2)"], [0, 2])
    assert [one[0] for one in answer["steps"]] == [0, 1]
    assert (answer["stuck"][0]["thread"], answer["stuck"][0]["who"]) == (1, [0])
    assert answer["lives"] == [[0, 0, 2], [1, 0, 2]]
    assert answer["variables"][0][2] == 1


def test_what_has_one_address_is_one_variable_and_locals_are_not_mixed_up() -> None:
    steps = [
        step(MAIN, 1, accesses=[Access("undefined", "i", "0")]),
        step(A, 2, accesses=[Access("write", "*p", "1", True, 8), Access("undefined", "i", "3")]),
        step(B, 3, accesses=[Access("read", "x", "1", True, 8), Access("read", "f()", "0")]),
    ]
    read = data(htmlreport.render(violation(steps)))
    variables = [
        (read["strings"][name], [read["strings"][more] for more in names], owner, function)
        for name, names, owner, function in read["answers"][0]["variables"]
    ]
    assert variables == [("i", [], 0, "main"), ("x", ["*p"], -1, ""), ("i", [], 1, "left")]
    assert read["answers"][0]["steps"][2][5][4:6] == [0, -1]  # the result of a call is no variable


def test_a_declaration_may_make_something_else_of_memory() -> None:
    steps = [
        step(A, 1, accesses=[Access("undefined", "a", "0", True, 8), Access("write", "*p", "1", True, 8)]),
        step(A, 2, accesses=[Access("undefined", "a", "1", True, 8)]),
        step(A, 3, accesses=[Access("undefined", "b", "1", True, 8), Access("read", "*p", "1", True, 8)]),
    ]
    read = data(htmlreport.render(violation(steps)))
    found = [
        (read["strings"][name], [read["strings"][n] for n in names])
        for name, names, _, _ in read["answers"][0]["variables"]
    ]
    assert found == [("a", ["*p"]), ("b", ["*p"])]


def test_other_views_of_the_same_memory_are_other_variables() -> None:
    steps = [
        step(MAIN, 1, accesses=[Access("write", "u.number", "65", True, 8)]),
        step(MAIN, 2, accesses=[Access("read", "u.text[0]", "1", True, 8)]),
    ]
    read = data(htmlreport.render(violation(steps)))
    assert [read["strings"][one[0]] for one in read["answers"][0]["variables"]] == ["u.number", "u.text[0]"]


def test_a_huge_file_is_shown_where_something_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text("".join(f"int x{n};\n" for n in range(1, 30_001)))
    read = data(htmlreport.render(violation([step(MAIN, 100), step(MAIN, 400), step(MAIN, 20_000)])))
    pieces = read["files"][0]["lines"]
    assert [(first, first + len(lines) - 1) for first, lines in pieces] == [(1, 600), (19_800, 20_200)]
    assert pieces[1][1][200] == "int x20000;"
