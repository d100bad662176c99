"""What translators are made of: a visitor that copies what it changes, and names that lead back to the user's."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pycparser import c_ast

from cseq.c import build, parse, print_unit
from cseq.model.origin import LineMap, Origin
from cseq.pipeline.stage import Context, Unit
from cseq.pipeline.translator import Names, Rewriter, Translator, child_slots, rebuilt, user_name

PROGRAM = dedent("""\
    int x;
    struct s
    {
      int x;
    } r;
    int main(void)
    {
      x = 1;
      if (x)
        x = r.x;
      return 0;
    }
""")


class Renames(Rewriter):
    """Calls x otherwise."""

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return build.ident("y") if node.name == "x" else node


class Doubles(Rewriter):
    """Does each assignment twice."""

    def visit_Assignment(self, node: c_ast.Assignment) -> list[c_ast.Node]:
        return [node, node]


class Drops(Rewriter):
    """Takes assignments out."""

    def visit_Assignment(self, node: c_ast.Assignment) -> list[c_ast.Node]:
        return []


def body(rewriter: Rewriter, text: str) -> list[str]:
    """The lines of the body of a function with these statements, when it is rewritten."""
    tree = parse(f"int x; int f(void) {{ {text} }}")
    lines = print_unit(rewriter.visit(tree))[0].splitlines()
    return [line[2:] for line in lines[lines.index("{") + 1 : -1]]


def test_a_tree_in_which_nothing_changes_is_the_same_tree() -> None:
    tree = parse(PROGRAM)
    assert Rewriter().visit(tree) is tree


def test_the_tree_that_was_given_stays_as_it_was() -> None:
    tree = parse(PROGRAM)
    before = print_unit(tree)[0]
    after = Renames().visit(tree)
    assert print_unit(after)[0] != before
    assert print_unit(tree)[0] == before


def test_what_does_not_change_is_shared() -> None:
    tree: Any = parse(PROGRAM)
    after = Renames().visit(tree)
    assert after is not tree
    assert after.ext[0] is tree.ext[0] and after.ext[1] is tree.ext[1]
    assert after.ext[2] is not tree.ext[2] and after.ext[2].decl is tree.ext[2].decl
    assert after.ext[2].body.block_items[2] is tree.ext[2].body.block_items[2]


def test_origins_stay_when_a_statement_is_copied() -> None:
    tree: Any = parse(PROGRAM)
    before, after = tree.ext[2].body.block_items[0], Renames().visit(tree).ext[2].body.block_items[0]
    assert after is not before and after.coord == before.coord and after.coord.line == 8


def test_members_have_a_name_space_of_their_own() -> None:
    assert body(Renames(), "r.x = x; x.x = p->x;") == ["r.x = y;", "y.x = p->x;"]


def test_a_list_of_statements_stands_in_the_place_of_one() -> None:
    assert body(Doubles(), "x = 1; f();") == ["x = 1;", "x = 1;", "f();"]
    assert body(Drops(), "x = 1; f();") == ["f();"]


def test_where_one_statement_belongs_a_list_becomes_a_block() -> None:
    assert body(Doubles(), "if (x) x = 2;") == ["if (x) {", "  x = 2;", "  x = 2;", "}"]
    assert body(Drops(), "while (x) x = 2;") == ["while (x) {", "}"]


def test_a_copy_with_other_parts() -> None:
    node = c_ast.BinaryOp("+", build.ident("a"), build.ident("b"), Origin("a.c", 3))
    copy = rebuilt(node, op="-")
    assert (copy.op, node.op) == ("-", "+")
    assert copy.left is node.left and copy.right is node.right and copy.coord == Origin("a.c", 3)


@pytest.mark.parametrize(
    ("kind", "slots"),
    [(c_ast.BinaryOp, ("left", "right")), (c_ast.ID, ()), (c_ast.Constant, ()),
     (c_ast.If, ("cond", "iftrue", "iffalse")),
     (c_ast.Compound, ("block_items",))],
)  # fmt: skip
def test_where_children_are(kind: type, slots: tuple[str, ...]) -> None:
    assert child_slots(kind) == slots


def test_a_translator_makes_a_unit_of_a_unit() -> None:
    class Renaming(Renames, Translator):
        """Calls x otherwise."""

    unit = Renaming(Context({}, Path())).run(Unit(tree=parse("int f(void) { return x; }")))
    assert "return y;" in unit.text


def test_a_translator_may_make_a_text_with_its_line_map() -> None:
    class Writing(Translator):
        """Writes a text."""

        def translate(self, tree: c_ast.FileAST) -> Unit:
            return Unit(text="int z;\n", linemap=LineMap([Origin("a.c", 9)]))

    unit = Writing(Context({}, Path())).run(Unit(tree=parse("int y;")))
    assert unit.text == "int z;\n" and unit.linemap[1] == Origin("a.c", 9)
    assert unit.tree.ext[0].name == "z"


def test_a_name_that_nobody_has_stays() -> None:
    names = Names(["taken"])
    assert names.take("free") == "free"
    assert names.take("taken") == "taken__cs2"
    assert [names.take("free"), names.take("free")] == ["free__cs2", "free__cs3"]


def test_a_variation_that_somebody_has_is_not_taken() -> None:
    assert Names(["a", "a__cs2", "a__cs3"]).take("a") == "a__cs4"


def test_names_of_our_own_are_numbered_by_their_kind() -> None:
    names = Names()
    assert [names.temporary("tmp"), names.temporary("tmp"), names.temporary("loop")] == [
        "__cs_tmp_1", "__cs_tmp_2", "__cs_loop_1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "users"),
    [("x", "x"), ("x__cs2", "x"), ("__cs_tmp_1", None), ("__CSEQ_assert", None), ("__x", "__x"), ("a_cs_b", "a_cs_b")],
)
def test_the_name_that_the_user_wrote(name: str, users: str | None) -> None:
    assert user_name(name) == users


def test_a_fresh_name_leads_back() -> None:
    names = Names(["counter"])
    assert {user_name(names.take("counter")) for _ in range(3)} == {"counter"}
