"""The sequentialized program in an engine's dialect: names, definitions, types, and a line map that still fits."""

from dataclasses import replace
from pathlib import Path

import pytest

from cseq.backends import native
from cseq.backends.base import Dialect
from cseq.backends.cbmc import BACKEND
from cseq.c import parse
from cseq.model.errors import UsageError
from cseq.model.origin import LineMap, Origin
from cseq.modules.library.lexicon import NONDET_TYPES
from cseq.modules.symbolic.encode.facts import SEQUENTIALIZED
from cseq.modules.symbolic.encode.instrumenter import instrumented
from cseq.pipeline.stage import Unit
from tests.support.fake_engine import sent

MINE = Dialect(
    names={"__CSEQ_assert": "claim", "__CSEQ_assume": "suppose"},
    definitions={
        "__CSEQ_nondet_": "{type} {name}(void);",
        "__CSEQ_nondet_bool": "_Bool {name}(void) { return any(); }",
        "__CSEQ_unwound": "void __CSEQ_unwound(int c, const char *w) { suppose(c); }",
    },
    bits="word({width})",
)


def written(text: str, dialect: Dialect = MINE) -> list[str]:
    return [line for line in instrumented(Unit(tree=parse(text)), dialect).text.splitlines() if line]


def body(text: str, dialect: Dialect = MINE) -> list[str]:
    """The dialect's code before a function with these statements, and the statements."""
    lines = written(f"void f(void) {{ {text} }}", dialect)
    start = lines.index("void f(void)")
    return [*lines[:start], *(line.strip() for line in lines[start + 2 : -1])]


@pytest.mark.parametrize(
    "text, lines",
    [
        ("g();", ["g();"]),
        ('__CSEQ_assert(x, "w");', ['claim(x, "w");']),
        ("__CSEQ_assume(x);", ["suppose(x);"]),
        ("x = __CSEQ_nondet_int();", ["int __CSEQ_nondet_int(void);", "x = __CSEQ_nondet_int();"]),
        ("__CSEQ_nondet_bool();", ["_Bool __CSEQ_nondet_bool(void) { return any(); }", "__CSEQ_nondet_bool();"]),
        (
            "__CSEQ_nondet_int(); __CSEQ_nondet_int();",
            ["int __CSEQ_nondet_int(void);", "__CSEQ_nondet_int();", "__CSEQ_nondet_int();"],
        ),
        (
            '__CSEQ_unwound(0, "w");',
            ["void __CSEQ_unwound(int c, const char *w) { suppose(c); }", '__CSEQ_unwound(0, "w");'],
        ),
        ("__CSEQ_unknown();", ["__CSEQ_unknown();"]),
        ("x = __CSEQ_THREADS + __CSEQ_assertion;", ["x = __CSEQ_THREADS + __CSEQ_assertion;"]),
    ],
)
def test_primitives(text: str, lines: list[str]) -> None:
    assert body(text) == lines


@pytest.mark.parametrize("kind, type_", NONDET_TYPES.items())
def test_type_of_each_kind(kind: str, type_: str) -> None:
    expected = (
        "_Bool __CSEQ_nondet_bool(void) { return any(); }" if kind == "bool" else f"{type_} __CSEQ_nondet_{kind}(void);"
    )
    assert body(f"__CSEQ_nondet_{kind}();")[0] == expected


def test_bits() -> None:
    text = """
        typedef unsigned int __CSEQ_bits_3; typedef unsigned int __CSEQ_bits_11; typedef unsigned int mine;
        __CSEQ_bits_3 a; __CSEQ_bits_11 b; void f(void) { a = __CSEQ_nondet_bits_3(); }
        """
    assert written(text)[:6] == [
        "typedef word(3) __CSEQ_bits_3;",
        "typedef word(11) __CSEQ_bits_11;",
        "__CSEQ_bits_3 __CSEQ_nondet_bits_3(void);",
        "typedef unsigned int mine;",
        "__CSEQ_bits_3 a;",
        "__CSEQ_bits_11 b;",
    ]


def test_bits_of_the_engines() -> None:
    text = "typedef unsigned int __CSEQ_bits_3; __CSEQ_bits_3 a;"
    assert written(text, BACKEND.dialect)[0] == "typedef unsigned __CPROVER_bitvector[3] __CSEQ_bits_3;"
    assert written(text, native.DIALECT)[0] == "typedef unsigned int __CSEQ_bits_3;"


def test_line_map() -> None:
    origin = Origin("user.c", 7)
    text = 'void f(void)\n{\n  __CSEQ_assert(__CSEQ_nondet_int(), "w");\n}\n'
    unit = instrumented(Unit(text=text, linemap=LineMap([None, None, origin, None])), MINE)
    lines = unit.text.splitlines()
    assert [lines[n - 1].strip() for n, place in enumerate(unit.linemap, 1) if place] == [
        'claim(__CSEQ_nondet_int(), "w");'
    ]


def test_the_program_as_it_was_is_left_for_the_replay(tmp_path: Path) -> None:
    context, unit = sent(tmp_path, "#include <assert.h>\nint x; int main(void) { assert(x); return 0; }\n")
    before = context.facts[SEQUENTIALIZED].text
    assert "__CSEQ_assert(x, " in before and "__CPROVER" not in before
    assert "__CPROVER_assert(x, " in unit.text and "__CSEQ_assert(" not in unit.text
    places = {origin.line for origin in unit.linemap if origin and origin.line}
    assert 2 in places
    assert len(unit.linemap) >= len(unit.text.splitlines())


def test_definitions_stand_behind_those_that_they_use() -> None:
    chain = {"__CSEQ_a": "a { __CSEQ_c }", "__CSEQ_b": "b", "__CSEQ_c": "c { __CSEQ_b __CSEQ_c }"}
    dialect = Dialect(names={}, definitions=chain, prologue=("first;",))
    assert body("__CSEQ_a(); __CSEQ_b();", dialect)[:4] == ["first;", "b", "c { __CSEQ_b __CSEQ_c }", "a { __CSEQ_c }"]


def test_numbers_of_some_bits() -> None:
    dialect = Dialect(names={}, definitions={"__CSEQ_nondet_": "any", "__CSEQ_nondet_bits_": "{type} {name} {mask}"})
    assert body("__CSEQ_nondet_bits_3(); __CSEQ_nondet_int();", dialect)[:2] == [
        "__CSEQ_bits_3 __CSEQ_nondet_bits_3 7",
        "any",
    ]


def test_a_primitive_that_the_engine_does_not_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    poor = {name: text for name, text in BACKEND.dialect.definitions.items() if name != "__CSEQ_allocate"}
    program = '#include <stdio.h>\nint main(void) { FILE *f = fopen("f", "r"); return f != 0; }\n'
    sent(tmp_path, program)
    monkeypatch.setattr(type(BACKEND), "dialect", replace(BACKEND.dialect, definitions=poor))
    with pytest.raises(UsageError, match="the backend `cbmc` cannot check this program: it has no `__CSEQ_allocate`"):
        sent(tmp_path, program)
