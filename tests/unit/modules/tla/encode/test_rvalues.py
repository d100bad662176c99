"""Expressions of C in TLA+: their values are those that the compiler computes, and their texts are for people."""

import ast
import random
import re
from typing import Any

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c.symbols import LP64
from cseq.model.errors import UnsupportedError
from cseq.modules.core.definedness import Definedness
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.first_values import FirstValues, symbols_of
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Scope, Value
from cseq.modules.tla.encode.tla_names import Identifiers
from cseq.modules.tla.numbers import value as parsed_value

OBJECTS = """
struct in { char a; short b; };
struct node { int v; struct node *next; struct in arr[2]; unsigned f : 3; int h : 5; _Bool flag; };
enum colour { RED, GREEN = 7 };
struct node g = {5, 0, {{-3, 300}, {'x', -7}}, 6, -9, 1}, table[3] = {[1].v = 17, [2].arr[1].b = 400};
signed char c = -100; unsigned char uc = 250; short s = -30000; unsigned short us = 65000;
int i = -2000000000, j = 3; unsigned u = 4000000000u; long l = -9000000000000000000; unsigned long ul = 1ul << 63;
_Bool b = 1; enum colour colour = GREEN;
int a[10] = {1, 2, 3}, grid[2][3] = {{1, 2, 3}, {4, 5, 6}}, *p = &a[2]; struct node *head = &table[1];
char text[] = "hey", *word = "wörd";
int first(int x); int (*fp)(int) = first;
"""

LEAVES = re.findall(
    r"\S+",
    """
    c uc s us i j u l ul b colour a[1] g.v g.arr[1].b g.f g.h g.flag table[2].arr[1].b grid[1][2] text[1]
""",
)
CONSTANTS = ["0", "1", "-1", "7", "255", "65536", "2147483647", "4294967295u", "-5l", "3ul", "'x'", "RED", "GREEN"]
CASTS = ["char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool"]
BINARY = ["+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||"]


OTHER_TYPE = '"refused.a pointer to an object of another type"'


class Program:
    """The objects above, functions with statements, and what translates them."""

    def __init__(self, statements: str, definedness: Definedness | None = None) -> None:
        tree = parse(f"{OBJECTS} int first(int x) {{ return x; }} void f(void) {{ int local, *q; {statements} }}")
        self.symbols = symbols_of(tree, LP64, {"__CSEQ_THREADS": 3})
        identifiers = Identifiers(self.symbols)
        self.cells = Cells(self.symbols, identifiers)
        constants = {"__CSEQ_thread": "self", "__CSEQ_ZEROED": 1}
        self.expressions = Expressions(
            self.symbols, identifiers, self.cells, definedness or Definedness(), constants, 3
        )
        self.tree = tree
        self.statements: list[Any] = self.symbols.functions["f"].body.block_items[2:]

    def assigned(self, scope: Scope | None = None) -> Value:
        """The memory after the first statement."""
        return self.expressions.assigned(self.statements[0], scope or Scope())

    def definitions(self) -> str:
        """The memory before the program begins."""
        found = FirstValues(self.symbols, Identifiers(self.symbols), self.cells, self.expressions).globals(self.tree)
        data = ", ".join(f"{one.name} |-> {one.initial}" for one in found)
        layouts = ", ".join(
            f"{one.name} |-> [scalar |-> {str(one.is_scalar).upper()}, kinds |-> <<{', '.join(one.kinds)}>>]"
            for one in found
        )
        constants = [f"{name} == {text}" for name, text in self.cells.constants.items()]
        return "\n".join([*constants, f"Layouts == [{layouts}]", f"self == 1\nm == [data |-> [{data}]]"])


def value_of(text: str) -> Value:
    """The value of one expression."""
    program = Program(f"{text};")
    return program.expressions.value(program.statements[0], Scope())


def _expression(chosen: random.Random, depth: int) -> str:
    if depth == 0 or chosen.random() < 0.1:
        return chosen.choice(LEAVES if chosen.random() < 0.7 else CONSTANTS)
    kind = chosen.random()
    left = _expression(chosen, depth - 1)
    if kind < 0.15:
        return f"({chosen.choice(['-', '~', '!', '+'])}({left}))"
    if kind < 0.3:
        return f"(({chosen.choice(CASTS)})({left}))"
    if kind < 0.4:
        return f"(({left}) {chosen.choice(['<<', '>>'])} ({chosen.choice(['j', 'uc & 7', '5', '31'])}))"
    if kind < 0.5:
        return f"(({left}) {chosen.choice('/%')} ({chosen.choice(['3', 'uc', '70000u', '-7', 'ul', 'j', '255'])}))"
    right = _expression(chosen, depth - 1)
    if kind < 0.6:
        return f"({_expression(chosen, 1)} ? {left} : {right})"
    return f"({left} {chosen.choice(BINARY)} {right})"


def _checked(value: Value) -> str:
    text = value.text
    for guard in reversed(value.guards):
        text = f"IF {guard.failure.text} THEN {guard.status} ELSE IF ~({guard.condition}) THEN 1 = 2 ELSE {text}"
    return text


def _parsed(text: str) -> int:
    found = parsed_value(ast.literal_eval(text.replace("<<", "(").replace(">>", ")")))
    assert found is not None
    return found


def test_values_are_those_of_the_compiler(compiler, evaluated):
    chosen = random.Random(18)
    texts = [*LEAVES, *(_expression(chosen, depth) for depth in (1, 2, 3) for _ in range(120))]
    program = Program(" ".join(f"{text};" for text in texts))
    scope, lines, formulas = Scope(), [], []
    for text, node in zip(texts, program.statements, strict=True):
        unsigned = program.cells.kind(program.symbols.value_type(node)) == "UInt64"
        lines.append(f'printf("%l{"u" if unsigned else "d"} ", ({"unsigned " * unsigned}long)({text}));')
        value = program.expressions.value(node, scope)
        formulas.append(_checked(value))
        formulas.append(program.expressions.condition(node, scope).text)
        assert value.least is not None
    first = "int first(int x) { return x; }"
    printed = compiler.run(f"int printf(const char *, ...); {OBJECTS} {first} int main() {{ {' '.join(lines)} }}")
    expected = [int(word) for word in printed.split()]
    found = evaluated(program.definitions(), formulas)
    values = [_parsed(text) for text in found[::2]]
    wrong = [one for one in zip(texts, expected, values, formulas[::2], strict=True) if one[1] != one[2]]
    assert wrong == []
    assert found[1::2] == [str(bool(one)).upper() for one in expected]


POINTED = [
    "*p", "p[-2]", "*(p + 3)", "p - a", "head - table", "&a[5] - p", "head->v", "head[1].arr[1].b", "(head + 1)->v",
    "(*&g).v", "*(unsigned *)p", "word[1]", "((unsigned char *)word)[2]", "*(text + 1)", "p < a + 5", "p == &a[2]",
    "((struct node *)(void *)head)->v", "fp == first", "fp != 0", "(long)(void *)5", "(long)(void *)-3l",
    "(int)(long)(void *)-3l",
    "!head->next", "(unsigned long)(void *)-1l > 5", "*(j ? p : a)", "*(&grid[1][0] + 2)", "(long)head != 0",
    "sizeof(*head)", "(&table[2])->arr[1].b", "head[-1].v", "(p + 1 > p) + (p - 1 >= p)",
]  # fmt: skip
REFUSED = [
    "((char *)p)[1]", "((struct node *)(void *)a)->v", "p - (int *)head", "(long)p", "*(short *)p", "*(int *)fp",
    "((int *)head)[2]", "p < (int *)text",
]  # fmt: skip
CRASHES = ["*(p + 8)", "head[2].v", "head->next->v", "*(int *)8", "a[j + 7]", "a[l]", "a[u]", "7 / (j - 3)"]


def test_pointers_lead_where_the_compiler_has_them(compiler, evaluated):
    texts = POINTED + REFUSED + CRASHES
    program = Program(" ".join(f"{text};" for text in texts))
    formulas = [_checked(program.expressions.value(node, Scope())) for node in program.statements]
    found = evaluated(program.definitions(), formulas)
    lines = [f'printf("%ld ", (long)({text}));' for text in POINTED]
    first = "int first(int x) { return x; }"
    printed = compiler.run(f"int printf(const char *, ...); {OBJECTS} {first} int main() {{ {' '.join(lines)} }}")
    values = [_parsed(text) if text[0] in "-<0123456789" else text for text in found[: len(POINTED)]]
    expected = [int(word) for word in printed.split()]
    assert [one for one in zip(texts, values, expected, strict=False) if one[1] != one[2]] == []
    refused, crashes = found[len(POINTED) : -len(CRASHES)], found[-len(CRASHES) :]
    assert [text for text, one in zip(REFUSED, refused, strict=True) if "refused." not in one] == []
    assert [text for text, one in zip(CRASHES, crashes, strict=True) if "failed.crash." not in one] == []


STORES = [
    "c = u;", "uc = uc + 10;", "s = i;", "b = ul;", "b = c - c;", "l = l - 2000000000000000000;", "ul = i;",
    "g.f = 13;", "g.f = g.f + 5;", "g.h = us;", "g.h = -g.h;", "g.flag = l;", "table[j - 1].arr[1].b = us;",
    "grid[j - 2][2] = -u;", "colour = GREEN;", "a[j + 6] = g.v * g.v;", "text[2] = 200;", "u = u >> 31;",
]  # fmt: skip


def test_stores_are_those_of_the_compiler(compiler, evaluated):
    program = Program(" ".join(STORES))
    scope, formulas, functions = Scope(), [], []
    for at, (text, node) in enumerate(zip(STORES, program.statements, strict=True)):
        memory = program.expressions.assigned(node, scope)
        assert memory.text.startswith("[m EXCEPT !.data.")
        after = program.expressions.value(node.lvalue, Scope(f"After{at}"))
        formulas.append(f"LET After{at} == {memory.text} IN {after.text}")
        target = text.partition(" = ")[0]
        functions.append(f'if (k == {at}) {{ {text} printf("%ld", (long)({target})); }}')
    source = f"""
        int printf(const char *, ...); int fork(void); int wait(int *); int atoi(const char *); int fflush(void *);
        {OBJECTS} int first(int x) {{ return x; }}
        int main() {{
          for (int k = 0; k < {len(STORES)}; k++) {{
            fflush(0);
            if (fork() == 0) {{ {" ".join(functions)} printf(" "); return 0; }}
            wait(0);
          }}
        }}"""
    expected = [int(word) % 2**64 for word in compiler.run(source).split()]
    found = evaluated(program.definitions(), formulas)
    assert [_parsed(text) % 2**64 for text in found] == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("j + uc", "Plus(Int32, m.data.j, m.data.uc)"),
        ("uc + 1 - us", "(m.data.uc + 1) - m.data.us"),
        ("uc - (us + 1)", "m.data.uc - (m.data.us + 1)"),
        ("uc % 4 + uc / 2", "(m.data.uc % 4) + m.data.uc \\div 2"),
        ("j < 3 && !(i == j)", "IF m.data.j < 3 /\\ m.data.i # m.data.j THEN 1 ELSE 0"),
        ("u < 3", "IF Less(m.data.u, 3) THEN 1 ELSE 0"),
        ("p == 0", "IF m.data.p = Null THEN 1 ELSE 0"),
        ("fp == first", 'IF m.data.fp = Code("first") THEN 1 ELSE 0'),
        ("&g.arr[1].b", 'Shift(Global("g"), node_arr + in_cells + in_b)'),
        ("local", "m.stack[self][1].local"),
        ("&local", 'Local(self, m, "local")'),
        ("head->arr[1].b", "Field(m, m.data.head, node_arr + in_cells + in_b)"),
        ("(unsigned long)(void *)5", "ToNumber(Number(5))"),
        ("sizeof(struct node) + 0", "32"),
        ("a + j", 'Shift(Global("a"), m.data.j)'),
        ("(&g)->v", "m.data.g[node_v]"),
    ],
)
def test_texts_are_as_short_as_they_can_be(text, shown):
    assert value_of(text).text == shown


@pytest.mark.parametrize(
    ("text", "guards"),
    [
        ("a[3]", []),
        ("a[j]", [("m.data.j \\in 0..9", '"failed.crash.index"')]),
        ("a[l]", [("IsBetween(m.data.l, 0, 9)", '"failed.crash.index"')]),
        ("a[uc]", [("m.data.uc <= 9", '"failed.crash.index"')]),
        ("&a[j]", []),
        ("*p", [("CanAccess(m, m.data.p, Int32)", "Mishap(m, m.data.p)")]),
        ("5 / j", [("m.data.j # 0", '"failed.crash.division"')]),
        ("i / -1", [("m.data.i # MinInt", '"failed.crash.division"')]),
        ("u / 3", []),
        ("j && 5 / j", [("m.data.j # 0 => m.data.j # 0", '"failed.crash.division"')]),
        ("j || 5 / j", [("m.data.j = 0 => m.data.j # 0", '"failed.crash.division"')]),
        ("j ? a[j] : 2", [("m.data.j # 0 => m.data.j \\in 0..9", '"failed.crash.index"')]),
        ("(struct node *)(void *)p", [("LooksLike(m, m.data.p, node_kinds)", OTHER_TYPE)]),
    ],
)  # fmt: skip
def test_what_must_hold_comes_with_a_value(text, guards):
    assert [(guard.condition, guard.status) for guard in value_of(text).guards] == guards


@pytest.mark.parametrize(
    ("text", "failures"),
    [
        ("a[j]", ["m.data.j \\notin 0..9"]),
        ("j && a[j]", ["m.data.j # 0 /\\ m.data.j \\notin 0..9"]),
        ("j && b && 5 / j", ["m.data.j # 0 /\\ m.data.b # 0 /\\ m.data.j = 0"]),
        ("*p", ["~CanAccess(m, m.data.p, Int32)"]),
        ("j || *p", ["m.data.j = 0 /\\ ~CanAccess(m, m.data.p, Int32)"]),
    ],
)
def test_failures_are_shown_as_what_happens(text, failures):
    assert [guard.failure.text for guard in value_of(text).guards] == failures


def test_undefined_values_may_only_be_copied():
    tracked = Definedness(names={"local"}, carriers={"local"})
    used = Program("j = local + 1;", tracked).assigned()
    assert [(guard.condition, guard.status) for guard in used.guards] == [
        ("m.stack[self][1].local # Undef", '"undefined.local"')
    ]
    assert Program("j = local;", tracked).assigned().guards == ()


def test_what_is_stored_can_depend_on_what_was_there():
    assert Program("j = j + 1;").assigned().text == "[m EXCEPT !.data.j = Plus(Int32, @, 1)]"
    assert Program("g = table[1];").assigned().text == (
        'CopyCells(m, Global("g"), Shift(Global("table"), node_cells), node_cells)'
    )


def test_structs_are_checked_as_a_whole():
    program = Program("head->v = 3;")
    found = program.assigned()
    assert found.text == "SetField(m, m.data.head, node_v, 3)"
    assert [guard.condition for guard in found.guards] == ["Holds(m, m.data.head, node_kinds)"]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("(b | 1) == 1", "m.data.b \\in {0, 1}"),
        ("(b | 1) != 1", "m.data.b \\notin {0, 1}"),
        ("(b | 4) == 6", "m.data.b \\in {2, 6}"),
        ("(b | 0) == 1", "m.data.b = 1"),
    ],
)
def test_bits_that_do_not_matter_make_a_set_of_values(text, condition):
    program = Program(f"j = {text};")
    assert program.expressions.condition(program.statements[0].rvalue, Scope()).text == condition


@pytest.mark.parametrize("text", ["(us | 7) == 7", "(j | 1) == 1"])
def test_other_bits_are_computed(text):
    program = Program(f"h = {text};")
    assert "BitOr" in program.expressions.condition(program.statements[0].rvalue, Scope()).text


def test_names_may_stand_for_texts():
    program = Program("local + 1;")
    assert program.expressions.value(program.statements[0], Scope(bound={"local": "n"})).text == "Plus(Int32, n, 1)"
    with pytest.raises(UnsupportedError, match="the address of `local`"):
        program.expressions.address(c_ast.ID("local"), Scope(bound={"local": "n"}))


@pytest.mark.parametrize("text", ["1.5", "(float)j", "j + 2.0"])
def test_floating_point_is_refused(text):
    with pytest.raises(UnsupportedError, match="floating point"):
        value_of(text)
