"""What ends a step: the places of the step program, and what the user wants in one."""

from dataclasses import replace

import pytest
from pycparser import c_ast

from cseq.model.claims import Cut, Limit
from cseq.model.errors import UnsupportedError, UsageError
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Bound
from cseq.modules.explicit.encode.step_program import ControlPlace, Steps
from cseq.modules.tla.agglomeration import agglomeration, read
from cseq.modules.tla.spec import Question, Specification, Statement


def program(*lines: int, calls: dict[int, int] | None = None, file: str = "src/x.c") -> Specification:
    """A specification with a statement on each of these *lines*. calls: the line of the call for inlined ones."""
    statements = []
    for line in lines:
        path = (CallSite("f", file, calls[line]),) if calls and line in calls else ()
        origin = Origin(file, line, function="f", path=path)
        statements.append(Statement(f"{line}", f"f_{line}", "f", c_ast.EmptyStatement(), origin, "{m}"))
    return Specification("x", 1, {"f": f"{lines[0]}"}, {}, {}, [], statements)


def labels(*lines: int) -> frozenset[str]:
    return frozenset(map(str, lines))


def test_the_places_of_the_step_program_end_steps():
    specification = program(1, 2, 3, 4, 5)
    nodes = [each.node for each in specification.statements]
    loop = c_ast.While(c_ast.Constant("int", "1"), c_ast.EmptyStatement())
    specification.statements[3] = replace(specification.statements[3], node=loop)
    steps = Steps(1, ["f"])
    for place in (
        ControlPlace("f", entry=True),
        ControlPlace("f", node=nodes[1]),
        ControlPlace("f", node=nodes[2], seldom=True),
        ControlPlace("f", node=loop, seldom=True),
        ControlPlace("f", node=c_ast.EmptyStatement(), seldom=True),
    ):
        steps.place(place)
    found = agglomeration(specification, steps)
    assert (found.visible, found.loops, found.merged, found.cuts) == (labels(2), labels(4), frozenset(), ())
    assert agglomeration(specification, steps, reduced=False).visible == labels(1, 2, 3, 4, 5)
    steps.place(ControlPlace("f", node=c_ast.EmptyStatement()))
    assert agglomeration(specification, steps).visible == labels(1, 2, 3, 4, 5)


def test_lines_of_the_user_become_one_step():
    specification = program(1, 2, 3, 4, 5, 6)
    found = agglomeration(specification, Steps(1, ["f"]), False, ["x.c:2-4"])
    assert (found.visible, found.merged) == (labels(1, 2, 5, 6), labels(3, 4))
    assert [Cut.of(key) for key in found.cuts] == [Cut(Limit.MERGED, subject="x.c:2-4")]
    assert Bound.of(Cut.of(found.cuts[0])).kind == "abstraction"


def test_the_first_statement_ends_a_step_even_if_nobody_notices_it():
    found = agglomeration(program(1, 2, 3), Steps(1, ["f"]), True, ["src/x.c:2-3"])
    assert (found.visible, found.merged) == (labels(2), labels(3))


def test_what_is_called_on_the_lines_is_part_of_the_step():
    specification = program(1, 20, 21, 3, 22, 4, calls={20: 2, 21: 2, 22: 4})
    found = agglomeration(specification, Steps(1, ["f"]), False, ["x.c:2-3"])
    assert found.visible == labels(1, 20, 22, 4)
    inside = agglomeration(specification, Steps(1, ["f"]), False, ["x.c:20-22"])
    assert inside.visible == labels(1, 20, 3, 22, 4)


def test_a_pragma_says_the_same():
    specification = program(1, 4, 5, 7)
    specification.sources = {"src/x.c": ["a;", "#pragma cseq agglomerate", "{", " b;", " c;", "}", "d;"]}
    found = agglomeration(specification, Steps(1, ["f"]), False)
    assert (found.visible, found.cuts) == (labels(1, 4, 7), (Cut(Limit.MERGED, subject="src/x.c:3-6").key,))
    specification.statements[:] = specification.statements[:1]
    assert agglomeration(specification, Steps(1, ["f"]), False).cuts == ()


def test_a_question_keeps_what_it_wants_visible():
    found = agglomeration(program(1, 2, 3), Steps(1, ["f"]), False, ["x.c:1-3"])
    asked = found.of(Question(labels(1, 3)))
    assert (asked.visible, asked.merged, asked.cuts) == (labels(1, 3), labels(2), found.cuts)


def test_lines_that_do_not_fit_are_refused():
    specification = program(1, 2)
    with pytest.raises(UsageError, match=r"no thread executes a statement at x\.c:3-9"):
        agglomeration(specification, Steps(1, ["f"]), True, ["x.c:3-9"])
    specification.statements[1] = replace(specification.statements[1], in_section=True)
    with pytest.raises(UnsupportedError, match="atomic section") as refused:
        agglomeration(specification, Steps(1, ["f"]), True, ["x.c:1-9"])
    assert refused.value.origin == specification.statements[1].origin


@pytest.mark.parametrize("text", ["x.c:3", "3-4", ":3-4", "x.c:4-3", "x.c:0-3", "x.c:a-b", "x.c:1-", ""])
def test_what_is_no_range_of_lines(text):
    with pytest.raises(ValueError, match=r"is not of the form|has no lines"):
        read(text)
