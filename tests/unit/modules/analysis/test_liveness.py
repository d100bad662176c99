"""Which locals are live where: on functions whose lines say it, and against executions of random functions."""

import random
import re
from textwrap import dedent
from typing import Any

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.liveness import Liveness
from cseq.modules.analysis.visibility import Visibility

FILE_LEVEL = """
struct s { int a, b; };
int g, *gp; struct s gs;
unsigned __CSEQ_nondet_uint(void); void __CSEQ_stop(void);
void __CSEQ_assume(int holds); void __CSEQ_assert(int holds, const char *what);
void __CSEQ_zero(void *object, unsigned long size); void __CSEQ_havoc(void *object, unsigned long size);
void pthread_exit(void *result); int pthread_join(unsigned thread, void **result);
"""

LOCALS = "int x, y, z, *p; int a[3]; struct s s, t; union { int one, two; } u; unsigned thread; void *result;"


def analysed(body: str, file_level: str = FILE_LEVEL) -> tuple[Liveness, c_ast.FuncDef]:
    tree = parse(f"{file_level}\nint f(void)\n{{\n{LOCALS}\n{body}\n}}\n")
    symbols = Symbols(tree)
    return Liveness(tree.ext[-1], symbols, Visibility(symbols, tree)), tree.ext[-1]


def by_line(body: str) -> dict[int, set[str]]:
    """The variables live before the first statement on each line of *body*; lines count from 1."""
    liveness, function = analysed(body)
    first = FILE_LEVEL.count("\n") + 4
    found: dict[int, set[str]] = {}

    def visit(node: c_ast.Node) -> None:
        for _, child in node.children():
            if isinstance(child, c_ast.Compound):
                visit(child)
                continue
            try:
                names = set(liveness.before(child))
            except KeyError:
                continue
            if not isinstance(child, c_ast.Decl):
                found.setdefault(child.coord.line - first, names)
            visit(child)

    visit(function.body)
    return found


FUNCTIONS = [
    """\
    x = 1; // none
    y = x + 1; // x
    g = y; // y
    return g; // none
    """,
    """\
    if (g) // x y
    { x = y; } // y
    else { y = 2; } // x
    return x; // x
    """,
    """\
    x = 0; // none
    while (x < 3) { // x
    y = x; // x
    g = y; // x y
    x = x + 1; // x
    } // -
    return 0; // none
    """,
    """\
    while (1) { // x
    if (g) goto out; // x
    y = 1; // x
    } // -
    z = y; // x y
    out: return x; // x
    """,
    """\
    x = 1; // y
    while (g) { // x y
    z = y; // x y
    while (z) { // x y z
    y = x; // x z
    z = z - 1; // y z
    x = 2; // y z
    } // -
    } // -
    return 0; // none
    """,
    """\
    s.a = 1; // s y
    a[y] = 2; // s y
    t = s; // s
    g = t.b; // t
    return 0; // none
    """,
    """\
    s.a = x; // x
    s.b = 1; // s
    t = s; // s
    t.a = s.b; // s t
    return t.b + t.a; // t
    """,
    """\
    a[0] = 1; // a x
    if (x) a[1] = 2; // a x
    a[2] = 3; // a x
    if (g) return a[x]; // a x
    return a[1]; // a
    """,
    """\
    a[0] = 1; // none
    a[1] = 2; // a
    a[2] = 3; // a
    g = a[1] + a[2]; // a
    return a[0]; // a
    """,
    """\
    u.one = 1; // u
    return u.two; // u
    """,
    """\
    __CSEQ_zero(&s, sizeof(s)); // a
    g = s.a + a[0]; // a s
    __CSEQ_havoc(a, sizeof(a)); // none
    return a[1]; // a
    """,
    """\
    *p = sizeof(x); // p y
    p[y] = 1; // p y
    return 0; // none
    """,
    """\
    pthread_join(thread, &result); // result thread
    return 0; // none
    """,
    """\
    if (x) __CSEQ_stop(); // x y z
    if (y) __CSEQ_assume(0); // x y z
    if (z) __CSEQ_assert(0, "wrong"); // x z
    return x; // x
    """,
    """\
    if (g) pthread_exit(result); // result x
    return x; // x
    """,
    """\
    if (g) { // x y
    if (x) goto other; // x y
    } else { // -
    x = 2; // y
    other: g = y; // x y
    } // -
    return x; // x
    """,
    """\
    p = &x; // y
    x = y; // p y
    *p = 1; // p
    return x; // none
    """,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_local_is_live_where_it_may_be_read_before_it_is_written(function):
    lines = dedent(function).splitlines()
    text = "\n".join(line.partition(" //")[0] for line in lines)
    found = by_line(text)
    for number, line in enumerate(lines, 1):
        expected = line.partition("// ")[2]
        if expected == "-":
            continue
        assert found[number] == (set() if expected == "none" else set(expected.split())), line


def test_what_is_live_behind_a_statement():
    liveness, function = analysed("x = 1; y = x; return y;")
    first, second, last = function.body.block_items[-3:]
    assert [liveness.after(node) for node in (first, second, last)] == [{"x"}, {"y"}, set()]


def test_a_statement_that_stands_twice_has_what_is_live_at_either_place():
    tree = parse(f"{FILE_LEVEL}\nint f(void)\n{{\n{LOCALS}\ng = x; g = y; return 0;\n}}\n")
    function = tree.ext[-1]
    shared = function.body.block_items[-3]
    function.body.block_items.insert(-1, shared)
    symbols = Symbols(tree)
    liveness = Liveness(function, symbols, Visibility(symbols, tree))
    assert liveness.before(shared) == {"x", "y"}


def test_a_statement_of_another_function_is_not_known():
    liveness, _ = analysed("return 0;")
    _, other = analysed("return 1;")
    with pytest.raises(KeyError):
        liveness.before(other.body.block_items[-1])


class Random:
    """Writes functions over x, y and z; loops that are left by chance."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._labels = 0

    def block(self, depth: int, targets: tuple[str, ...] = ()) -> str:
        """Some statements, which may jump to *targets*, further down."""
        count = self._random.randint(1, 4)
        if depth == 0:
            return "".join(self._simple(targets) for _ in range(count))
        self._labels += 1
        label = f"l{self._labels}"
        inner = (*targets, label)
        return "".join(self._any(depth - 1, inner) for _ in range(count)) + f"{label}: ;\n"

    def _any(self, depth: int, targets: tuple[str, ...]) -> str:
        match self._random.randint(0, 4):
            case 0:
                return f"if (g) {{ {self.block(depth, targets)} }} else {{ {self.block(depth, targets)} }}\n"
            case 1:
                return f"while ({self._random.choice('gxy')}) {{ {self.block(depth, targets)} }}\n"
            case 2:
                return f"while (1) {{ if (g) goto {targets[-1]}; {self.block(depth, targets)} }}\n"
        return self._simple(targets)

    def _simple(self, targets: tuple[str, ...]) -> str:
        names = "xyz"
        one, other = self._random.choice(names), self._random.choice(names)
        return self._random.choice([
            f"{one} = {other};\n", f"{one} = 1;\n", f"g = {one};\n", f"{one} = {one} + {other};\n",
            *([f"if ({one}) goto {self._random.choice(targets)};\n"] if targets else []),
        ])  # fmt: skip


class Jump(Exception):
    pass


class Execution:
    """Runs a function with conditions as chance has it; notes which locals each statement finds unread so far."""

    def __init__(self, chance: random.Random, liveness: Liveness) -> None:
        self._chance = chance
        self._liveness = liveness
        self._passed: list[tuple[c_ast.Node, frozenset[str], set[str]]] = []
        self._left = 60

    def run(self, node: Any) -> None:
        """Execute a statement; Jump with a label, or with None where it is over."""
        if isinstance(node, c_ast.Compound):
            self._list(node.block_items or [])
            return
        self._left -= 1
        if self._left < 0:
            raise Jump(None)
        self._passed.append((node, self._liveness.before(node), set()))
        match node:
            case c_ast.If():
                self._reads(node.cond)
                taken = node.iftrue if self._chance.random() < 0.5 else node.iffalse
                if taken is not None:
                    self.run(taken)
            case c_ast.While():
                self._while(node)
            case c_ast.Goto():
                raise Jump(node.name)
            case c_ast.Assignment():
                self._reads(node.rvalue)
                for _, _, written in self._passed:
                    written.add(node.lvalue.name)
            case c_ast.Return():
                self._reads(node.expr)
                raise Jump(None)

    def _while(self, node: c_ast.While) -> None:
        while True:
            self._passed.append((node, self._liveness.before(node), set()))
            self._reads(node.cond)
            if not isinstance(node.cond, c_ast.Constant) and self._chance.random() < 0.5:
                return
            self._left -= 1
            if self._left < 0:
                raise Jump(None)
            self.run(node.stmt)

    def _list(self, items: list[Any]) -> None:
        number = 0
        while number < len(items):
            try:
                self.run(items[number])
                number += 1
            except Jump as jump:
                names = [getattr(item, "name", None) for item in items]
                if jump.args[0] is None or jump.args[0] not in names:
                    raise
                number = names.index(jump.args[0])

    def _reads(self, node: c_ast.Node) -> None:
        for name in set(re.findall(r"[xyz]\b", " ".join(_names(node)))):
            for statement, live, written in self._passed:
                assert name in written or name in live, (name, statement.coord)


def _names(node: c_ast.Node) -> list[str]:
    if isinstance(node, c_ast.ID):
        return [node.name]
    return [name for _, child in node.children() for name in _names(child)]


def test_no_execution_reads_what_is_said_to_be_dead():
    chance = random.Random(7)
    for seed in range(60):
        liveness, function = analysed(Random(seed).block(3) + "return x + y;")
        for _ in range(10):
            with pytest.raises(Jump):
                Execution(chance, liveness).run(function.body)


def test_a_local_that_two_functions_have_is_one_of_either() -> None:
    tree = parse("int g; int f(void)\n{ int x; x = 1; g = x; }\nint h(void)\n{ int x; x = 2; g = x; }\n")
    symbols = Symbols(tree)
    for function in tree.ext[1:]:
        liveness = Liveness(function, symbols, Visibility(symbols, tree))
        stored, used = function.body.block_items[1:]
        assert (liveness.before(stored), liveness.before(used)) == (frozenset(), {"x"})
