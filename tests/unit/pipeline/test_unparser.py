"""Stages whose methods return text: what becomes of it, and that each line knows where it comes from."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.pipeline.stage import Context, Unit
from cseq.pipeline.unparser import Unparser

PROGRAM = """\
int x;
int f(int a)
{
  if (a)
    x = 1;
  while (a) {
    a--;
    x++;
  }
  if (x) goto out;
  g(x, a);
out:
  return x;
}
"""


def run(stage: type[Unparser], text: str = PROGRAM) -> Unit:
    return stage(Context({}, Path())).run(Unit(tree=parse(dedent(text), "u.c")))


def shown(unit: Unit) -> str:
    """Each line of the text, preceded by the line that it comes from; 0 for none."""
    lines = unit.text.splitlines()
    assert len(lines) == len(unit.linemap)
    places = [origin.line if origin else 0 for origin in unit.linemap]
    return "".join(f"{place}: {line}\n" for place, line in zip(places, lines, strict=True))


def lines(unit: Unit, *places: int) -> list[str]:
    """The lines of the text that come from these lines, without their margin."""
    wanted = [origin is not None and origin.line in places for origin in unit.linemap]
    return [line.strip() for line, is_it in zip(unit.text.splitlines(), wanted, strict=True) if is_it]


def test_a_stage_without_methods_prints_the_program():
    class Same(Unparser):
        """in: C. out: the same."""

    unit, printed = run(Same), Unit(tree=parse(PROGRAM, "u.c"))
    assert unit.text == printed.text
    assert list(unit.linemap) == list(printed.linemap)


def test_statements_around_others():
    class Stage(Unparser):
        """in: C. out: the same, with a call before and after what is repeated or decided."""

        def visit_If(self, n: c_ast.If) -> str:
            return f"before();\n{super().visit_If(n)}"

        def visit_While(self, n: c_ast.While) -> str:
            return f"{super().visit_While(n)}\nafter();\n"

    assert shown(run(Stage)) == dedent("""\
        1: int x;
        2: int f(int a)
        2: {
        4:   before();
        4:   if (a) {
        5:     x = 1;
        4:   }
        6:   while (a) {
        7:     a--;
        8:     x++;
        6:   }
        6:   after();
        10:   before();
        10:   if (x) goto out;
        11:   g(x, a);
        12:   out:
        13:   return x;
        2: }
        """)


def test_parts_put_together_anew():
    class Stage(Unparser):
        """in: C. out: the same, with other loops."""

        def visit_While(self, n: c_ast.While) -> str:
            return f"for (;;) {{\n  if (!({self.visit(n.cond)})) break;\n{self.body(n.stmt)}\n}}"

        def visit_If(self, n: c_ast.If) -> str:
            return f"if ({self.visit(n.cond)}) {self.stated(n.iftrue)}"

    assert "\n".join(shown(run(Stage)).splitlines()[3:12]) == dedent("""\
        4:   if (a) x = 1;
        6:   for (;;) {
        6:     if (!(a)) break;
        7:     a--;
        8:     x++;
        6:   }
        10:   if (x) goto out;
        11:   g(x, a);
        12:   out:""")


def test_expressions_wherever_they_are():
    class Stage(Unparser):
        """in: C. out: the same; each `x` and `a` is read by a function."""

        def visit_ID(self, n: c_ast.ID) -> str:
            return f"get_{n.name}()" if n.name in "xa" else super().visit_ID(n)

        def visit_Assignment(self, n: c_ast.Assignment) -> str:
            return f"set(&{n.lvalue.name}, {self.visit(n.rvalue)})"

    unit = run(Stage, "int x;\nint f(int a)\n{\n  if (a) x = a + (x = 2);\n  return ({ int y = a; y; });\n}\n")
    assert lines(unit, 4) == ["if (get_a()) {", "set(&x, get_a() + (set(&x, 2)));", "}"]
    assert lines(unit, 5) == ["return ({ int y = get_a(); y; });"]


def test_nothing_for_a_statement_or_a_declaration_leaves_an_empty_line():
    class Stage(Unparser):
        """in: C. out: the same without calls, and without `x`."""

        def visit_FuncCall(self, n: c_ast.FuncCall) -> str:
            return ""

        def visit_Decl(self, n: c_ast.Decl, no_type: bool = False) -> str:
            return "" if n.name == "x" else super().visit_Decl(n, no_type)

    text = run(Stage, "int x;\nint y;\nint f(void)\n{\n  f();\n  return 1;\n}\n").text
    assert [line.strip() for line in text.split("\n")] == ["", "int y;", "int f(void)", "{", "", "return 1;", "}", ""]


def test_the_whole_file_and_functions():
    class Stage(Unparser):
        """in: C. out: the same, with a declaration in front, and functions in comments."""

        def visit_FileAST(self, n: c_ast.FileAST) -> str:
            return f"int first;\n{super().visit_FileAST(n)}"

        def visit_FuncDef(self, n: c_ast.FuncDef) -> str:
            return f"static {super().visit_FuncDef(n)}\n"

    assert shown(run(Stage, "int x;\nint f(void)\n{\n  return x;\n}\n")) == dedent("""\
        0: int first;
        1: int x;
        2: static int f(void)
        2: {
        4:   return x;
        2: }
        """)


@pytest.mark.parametrize(
    "jump, expected",
    [("out();", ["if (x) out();"]), ("a();\nb();", ["if (x) {", "a();", "b();", "}"]), ("", ["if (x) ;"])],
)
def test_a_jump_that_is_something_else(jump: str, expected: list[str]):
    class Stage(Unparser):
        """in: C. out: the same with other jumps."""

        def visit_Goto(self, n: c_ast.Goto) -> str:
            return jump

    assert lines(run(Stage), 10) == expected


def test_each_copy_is_visited_unless_all_are_alike():
    call = parse("int f(void) { g(1); }").ext[0].body.block_items[0]
    function = parse("int f(void) { ; }").ext[0]
    function.body.block_items = [call, call]

    class Numbering(Unparser):
        """in: C. out: the same; constants are numbered."""

        count = 0

        def visit_Constant(self, n: c_ast.Constant) -> str:
            self.count += 1
            return str(self.count)

    class Once(Numbering):
        """in: C. out: the same; a constant that is shared has one number."""

        repeatable = True

    def calls(stage: type[Unparser]) -> list[str]:
        text = stage(Context({}, Path())).run(Unit(tree=c_ast.FileAST([function]))).text
        return [line.strip() for line in text.splitlines() if "g(" in line]

    assert calls(Numbering) == ["g(1);", "g(2);"]
    assert calls(Once) == ["g(1);", "g(1);"]


def test_a_refusal_has_the_place():
    class Stage(Unparser):
        """in: C. out: the same."""

        def visit_While(self, n: c_ast.While) -> str:
            raise self.unsupported("a loop", n)

    with pytest.raises(UnsupportedError, match=r"^u\.c:6: a loop is not supported$"):
        run(Stage)


def test_text_that_is_no_c_is_refused_by_whoever_parses_it_at_the_user_s_line():
    class Stage(Unparser):
        """in: C. out: nonsense."""

        def visit_Return(self, n: c_ast.Return) -> str:
            return "return ;) ;"

    unit = run(Stage)
    with pytest.raises(Exception, match=r"^u\.c:13: syntax error"):
        unit.tree  # noqa: B018 - it is parsed now


def test_origins_keep_all_that_they_know():
    class Stage(Unparser):
        """in: C. out: the same."""

        def visit_Assignment(self, n: c_ast.Assignment) -> str:
            return super().visit_Assignment(n)

    tree: Any = parse("int f(void) { x = 1; }")
    origin = Origin("far.c", 7, function="f", iteration=(2,), statement=(5, 3))
    tree.ext[0].body.block_items[0].coord = origin
    unit = Stage(Context({}, Path())).run(Unit(tree=tree))
    assert origin in list(unit.linemap)
