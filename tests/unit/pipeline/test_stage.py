"""Units in their two forms, what the stages of a run share, and what a stage refuses."""

from pathlib import Path

import pytest
from pycparser import c_ast

from cseq.c import parse, print_unit
from cseq.c.datamodel import ILP32, LP64
from cseq.model.activity import ActivityKind, phase
from cseq.model.errors import UnsupportedError
from cseq.model.origin import CallSite, LineMap, Origin
from cseq.model.verdict import Caution
from cseq.pipeline.stage import Context, Parameter, Planner, Stage, Unit
from cseq.pipeline.status import Event, PhaseBegan

TEXT = "int x;\nint y;\n"
ORIGINS = [Origin("a.c", 4), Origin("b.c", 9, function="f")]
WIDTH = Parameter("width", int, 3, "a number")


class Measures(Stage):
    """Has a parameter."""

    takes = (WIDTH,)


class Asks(Planner):
    """Plans nothing."""


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context({}, tmp_path)


@pytest.mark.parametrize("parts", [{}, {"text": TEXT}, {"linemap": LineMap(ORIGINS)}])
def test_a_unit_is_a_tree_or_a_text_with_its_line_map(parts: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a tree, or a text with its line map"):
        Unit(**parts)  # type: ignore[arg-type]


def test_a_text_becomes_a_tree_with_the_origins_of_its_lines() -> None:
    unit = Unit(text=TEXT, linemap=LineMap(ORIGINS))
    assert [(node.name, node.coord.file, node.coord.line) for node in unit.tree.ext] == [
        ("x", "a.c", 4),
        ("y", "b.c", 9),
    ]
    assert unit.tree is unit.tree and unit.text == TEXT


def test_a_tree_becomes_a_text_with_its_line_map() -> None:
    tree = parse("int x; int y;")
    text, linemap = print_unit(tree)
    assert Unit(tree=tree).text == text
    assert list(Unit(tree=tree).linemap) == list(linemap)
    assert Unit(tree=tree).tree is tree


def test_a_line_in_the_text_is_noted_in_its_origin() -> None:
    once = Unit(text=TEXT, linemap=LineMap([ORIGINS[0], None])).stamped()
    assert [origin and origin.stages for origin in once.linemap] == [(1,), (2,)]
    assert once.linemap[1] == ORIGINS[0]._replace(stages=(1,)) and once.text == TEXT
    twice = Unit(text=f"\n{TEXT}", linemap=LineMap([None, *once.linemap])).stamped()
    assert [origin and origin.stages for origin in twice.linemap] == [(1,), (1, 2), (2, 3)]


def test_the_value_of_a_parameter(tmp_path: Path) -> None:
    assert Measures(Context({}, tmp_path)).parameter(WIDTH) == 3
    assert Measures(Context({"width": 5}, tmp_path)).parameter(WIDTH) == 5


@pytest.mark.parametrize(
    ("values", "bits", "model"), [({}, 64, LP64), ({"bits": 64}, 64, LP64), ({"bits": 32}, 32, ILP32)]
)
def test_the_data_model(values: dict[str, object], bits: int, model: object, tmp_path: Path) -> None:
    context = Context(values, tmp_path)
    assert (context.bits, context.model) == (bits, model)


def test_a_warning_is_given_once_for_each_place_in_the_source(context: Context) -> None:
    inside = Origin("a.c", 4, 2, "f", (CallSite("main", "a.c", 9),), (1,))
    context.warn("is lost", inside)
    context.warn("is lost", inside._replace(iteration=(2,), path=()))
    context.warn("is lost", Origin("a.c", 5))
    context.warn("is lost")
    assert context.warnings == [
        Caution("is lost", Origin("a.c", 4, 2, "f")), Caution("is lost", Origin("a.c", 5)), Caution("is lost"),
    ]  # fmt: skip


def test_a_phase_that_begins_is_reported_to_who_watches(context: Context) -> None:
    named: list[str] = []
    seen: list[Event] = []
    context.progress, context.watcher = named.append, seen.append
    context.begin("reading", phase(ActivityKind.COMPILING))
    assert named == ["reading"] and seen == [PhaseBegan(phase(ActivityKind.COMPILING))]


def test_a_phase_begins_also_where_nobody_watches(context: Context) -> None:
    named: list[str] = []
    context.progress = named.append
    context.begin("reading", phase(ActivityKind.COMPILING))
    assert named == ["reading"]


def test_what_is_refused_has_its_place(context: Context) -> None:
    node = c_ast.ID("x", Origin("a.c", 7))
    error = Stage(context).unsupported("`x`", node)
    assert isinstance(error, UnsupportedError) and str(error) == "a.c:7: `x` is not supported"


@pytest.mark.parametrize("node", [None, c_ast.ID("x"), c_ast.ID("x", "no origin")])
def test_what_is_refused_may_have_none(context: Context, node: c_ast.Node | None) -> None:
    assert str(Stage(context).unsupported("`x`", node)) == "`x` is not supported"


def test_a_planner_asks_one_question_unless_it_says_otherwise(tmp_path: Path) -> None:
    values: dict[str, object] = {"rounds": 2}
    planner = Asks(Context(values, tmp_path))
    assert planner.questions() == {"": values} and planner.first() == values
