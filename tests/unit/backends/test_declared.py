"""Backends that are declared: what is wrong with a file is said with its place; what verifiers print is read."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cseq.backends import declared
from cseq.backends.base import Answer, Options
from cseq.backends.declared import PROPERTY, Declared
from cseq.backends.registry import backend
from cseq.c import parse
from cseq.cli.instructions import instructions
from cseq.modules.library.lexicon import NONDET_TYPES
from cseq.modules.symbolic.encode.instrumenter import Instrumented, instrumented
from cseq.modules.symbolic.verdict import _asking
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context, Unit
from cseq.process.run import Completed
from cseq.version import __version__

SMALL = """\
about = "a verifier"
programs = ["toy"]
command = ["{model}", "{timeout}", "{memory}", "--to={folder}/w", "--spec", "{property}", "{program}"]
model = { 32 = ["-m32"], 64 = ["-m{bits}"] }
timeout = ["--time", "{seconds}s"]
memory = ["--mem", "{megabytes}"]
complete = true
[answer]
safe = "^SAFE$"
violated = '^UNSAFE$'
unknown = "^UNKNOWN: "
timeout = "^TIMEOUT"
memory = "^OUT OF MEMORY"
exit = { safe = [0], violated = [1, 10] }
line = 'at line (\\d+)'
"""


def toy(folder: Path, text: str = SMALL) -> Declared:
    path = folder / "toy.toml"
    path.write_text(text)
    declared.load.cache_clear()
    return declared.load(path)


@pytest.mark.parametrize("name", declared.names())
def test_those_that_come_with_cseq(name: str) -> None:
    engine = backend(name)
    assert isinstance(engine, Declared)
    command = engine.command(Path("/bin/engine"), Path("/work/p.i"), Options(64, 10.0, 500))
    assert command[0] == "/bin/engine" and any(word.startswith("/work/p.i") for word in command)
    assert not [word for word in command if "{" in word]
    text = 'int x; int main(void) { x = __CSEQ_nondet_int(); __CSEQ_assume(x > 2); __CSEQ_assert(x != 3, "x"); }'
    program = instrumented(Unit(tree=parse(text)), engine.dialect).text
    assert "__CSEQ_assert" not in program and "/* x */" in program and "__CSEQ_nondet_int" not in program


def test_a_bounded_verifier_never_proves_anything() -> None:
    assert [name for name in declared.names() if not backend(name).complete] == ["blitz", "llbmc", "smack"]


def test_the_command(tmp_path: Path) -> None:
    engine = toy(tmp_path, SMALL)
    path, program = Path("/bin/toy"), Path("/work/p.i")
    rest = ["--to=/work/w", "--spec", str(PROPERTY), "/work/p.i"]
    assert engine.command(path, program, Options(32)) == ["/bin/toy", "-m32", *rest]
    limits = ["-m64", "--time", "2s", "--mem", "500"]
    assert engine.command(path, program, Options(64, 2.9, 500)) == ["/bin/toy", *limits, *rest]
    assert engine.prepare(path, program, Options()) == []
    prepared = SMALL.replace("command", 'prepare = [["cc", "-m{bits}", "{program}"]]\ncommand', 1)
    assert toy(tmp_path, prepared).prepare(path, program, Options(32)) == [["cc", "-m32", "/work/p.i"]]


@pytest.mark.engine
def test_where_the_program_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = toy(tmp_path, 'version = { arguments = ["-v"], pattern = "is ([0-9.]+)" }\n' + SMALL)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.delenv("CSEQ_TOY", raising=False)
    assert engine.find() is None
    for name in ("toy", "other"):
        (tmp_path / name).write_text("#!/bin/sh\necho this is 2.7.1 >&2\n")
        (tmp_path / name).chmod(0o755)
    assert engine.find() == tmp_path / "toy"
    assert engine.version(tmp_path / "toy") == (2, 7, 1)
    assert engine.version(Path("/bin/true")) is None
    monkeypatch.setenv("CSEQ_TOY", str(tmp_path / "other"))
    assert engine.find() == tmp_path / "other"
    monkeypatch.setenv("CSEQ_TOY", str(tmp_path / "none"))
    assert engine.find() is None


def said(folder: Path, completed: Completed, program: str = "int x;\n") -> Answer:
    (folder / "p.i").write_text(program)
    return toy(folder, SMALL).parse(completed, folder / "p.i")


@pytest.mark.parametrize(
    "completed, answer",
    [
        (Completed(0, "SAFE\n", ""), Answer("safe")),
        (Completed(1, "", "UNSAFE\n"), Answer("violated", inputs=None)),
        (Completed(10, "UNSAFE\nat line 7, or at line 8", ""), Answer("violated", inputs=None, line=7)),
        (Completed(0, "UNKNOWN: too hard\n", ""), Answer("unknown", "toy says: UNKNOWN: too hard")),
        (Completed(0, "TIMEOUT", ""), Answer("timeout")),
        (Completed(0, "SAFE\nTIMEOUT", ""), Answer("timeout")),
        (Completed(0, "SAFE\nUNKNOWN: rest\n", ""), Answer("unknown", "toy says: UNKNOWN: rest")),
        (Completed(1, "OUT OF MEMORY", ""), Answer("memory")),
        (Completed(-6, "", "", limited=True), Answer("memory")),
        (Completed(0, "SAFE", "", timed_out=True), Answer("timeout")),
        (Completed(-9, "SAFE\n", ""), Answer("error", "toy was killed by signal 9")),
        (Completed(1, "SAFE\n", ""), Answer("error", "no verdict that its declaration knows (exit status 1): SAFE")),
        (
            Completed(0, "SAFE\nUNSAFE\n", ""),
            Answer("error", "no verdict that its declaration knows (exit status 0): SAFE UNSAFE"),
        ),
        (
            Completed(0, "UNSAFE!\n", ""),
            Answer("error", "no verdict that its declaration knows (exit status 0): UNSAFE!"),
        ),
        (Completed(3, "", ""), Answer("error", "no verdict that its declaration knows (exit status 3): ")),
    ],
)
def test_answers(tmp_path: Path, completed: Completed, answer: Answer) -> None:
    assert said(tmp_path, completed) == answer


def test_values_that_are_printed(tmp_path: Path) -> None:
    engine = backend("symbiotic")
    (tmp_path / "p.i").write_text("x;\ny = __VERIFIER_nondet_int();\nreach_error();\n")
    output = dedent("""\
        RESULT: false(unreach-call)
        Error: ASSERTION FAIL: verifier assertion failed
        File: p.i
        Line: 3
        __VERIFIER_nondet_int:p.i:2:11 := len 4 bytes, [4 times 0x0] (i32: -7)
        __VERIFIER_nondet_int:p.i:1:11 := len 4 bytes, [4 times 0x0] (i32: 5)
        """)
    answer = engine.parse(Completed(0, output, ""), tmp_path / "p.i")
    assert answer == Answer("violated", inputs=None, line=3, chosen=[(2, (1 << 64) - 7)])


def program(engine: Declared, body: str) -> list[str]:
    unit = instrumented(Unit(tree=parse(f"int x; int main(void) {{ {body} }}")), engine.dialect)
    lines = unit.text.splitlines()
    return [line.strip() for line in lines[lines.index("{") + 1 : -1]]


@pytest.mark.parametrize(
    "claim, line",
    [
        ('__CSEQ_assert(x, "x");', "if (!(x)) reach_error(); /* x */"),
        ('__CSEQ_assert(f(x, ")") == \'"\', "a, b");', 'if (!(f(x, ")") == \'"\')) reach_error(); /* a, b */'),
        (r'__CSEQ_assert(x, "\"*/\" is");', r"if (!(x)) reach_error(); /* \"*\/\" is */"),
        ("__CSEQ_assume(x);", "__VERIFIER_assume(x);"),
        ("x = __CSEQ_nondet_int();", "x = __VERIFIER_nondet_int();"),
        ("x = __CSEQ_nondet_bits_3();", "x = __VERIFIER_nondet_uint();"),
    ],
)
def test_a_claim_is_a_call_in_its_line(tmp_path: Path, claim: str, line: str) -> None:
    assert program(toy(tmp_path, SMALL), claim) == [line]


@pytest.mark.parametrize("kinds", ["", "kinds = ['int', 'ulonglong', 'char']"])
def test_the_language_is_c(tmp_path: Path, compiler, kinds: str) -> None:  # type: ignore[no-untyped-def]
    engine = toy(tmp_path, SMALL.replace("[answer]", f"[language]\n{kinds}\n[answer]"))
    chosen = [kind for kind in NONDET_TYPES if "128" not in kind]
    assert set(chosen) <= {name.removeprefix("__CSEQ_nondet_") for name in engine.dialect.definitions}
    body = "".join(f"{NONDET_TYPES[kind]} v_{kind} = __CSEQ_nondet_{kind}();" for kind in chosen)
    body += '__CSEQ_havoc(&v_int, 4); __CSEQ_unwound(v_int, "u"); __CSEQ_assert(v_int, "a");'
    unit = Unit(tree=parse(f"typedef unsigned int __CSEQ_bits_3; int main(void) {{ __CSEQ_bits_3 b; {body} }}"))
    for dialect in (engine.dialect, _asking(engine.dialect), _asking(engine.dialect, "__cs_beyond")):
        text = instrumented(unit, dialect).text
        assert "__CSEQ_claim" not in text and "reach_error(); /* " in text
        compiler.check(text, "-Werror=implicit-function-declaration")


def test_a_kind_that_cannot_be_made_is_left_out(tmp_path: Path) -> None:
    text = SMALL.replace("[answer]", "[language]\nkinds = ['uchar']\n[answer]")
    made = toy(tmp_path, text).dialect.definitions
    assert "__CSEQ_nondet_char" in made and not {"__CSEQ_nondet_int", "__CSEQ_nondet_bits_"} & set(made)


def test_primitives_of_ones_own(tmp_path: Path) -> None:
    own = "[language.primitives]\n__CSEQ_zero = 'void __CSEQ_zero(void *o, unsigned long n) { mine(o, n); }'\n[answer]"
    engine = toy(tmp_path, SMALL.replace("[answer]", own))
    unit = instrumented(Unit(tree=parse("int x; int main(void) { __CSEQ_zero(&x, 4); }")), engine.dialect)
    assert "void __CSEQ_zero(void *o, unsigned long n) { mine(o, n); }" in unit.text


def test_places_of_lines(tmp_path: Path) -> None:
    engine = toy(tmp_path, SMALL)
    unit = instrumented(Unit(tree=parse("int x; int main(void) { __CSEQ_havoc(&x, 4); }")), engine.dialect)
    assert isinstance(unit, Instrumented)
    lines = unit.text.splitlines()
    definition = next(n for n, line in enumerate(lines, 1) if "static void __CSEQ_havoc" in line)
    assert unit.place(definition) == "__CSEQ_havoc"
    assert unit.place(lines.index("int x;") + 1) == 1


@pytest.mark.parametrize("name", declared.names())
def test_a_program_for_it_is_whole(name: str, compiler, sequentialized: Unit) -> None:  # type: ignore[no-untyped-def]
    text = instructions(["a/prog.c"], {"backend": name, "rounds": 2})
    made, saved = text.splitlines()[:2]
    assert made == f"/* Made by cseq {__version__} from a/prog.c with --rounds 2, for {name}."
    assert saved == " * Saved as prog.seq.c it is checked by"
    compiler.check(text + instrumented(sequentialized, backend(name).dialect).text)


@pytest.fixture(scope="module")
def sequentialized(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    """A program that has all that every verifier can check."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "prog.c").write_text(
        "#include <assert.h>\n#include <pthread.h>\nint x; double d; extern double __VERIFIER_nondet_double(void);\n"
        "void *add(void *p) { x++; return p; }\n"
        "int main(void) { pthread_t t; struct { char c[9]; } s; pthread_create(&t, 0, add, &s); x++;\n"
        "d = __VERIFIER_nondet_double(); pthread_join(t, 0); assert(x == 2 && s.c[1] != d); }\n"
    )
    chain = load("lazy")
    context = Context(chain.values({"rounds": 2}), folder)
    value: Any = [str(folder / "prog.c")]
    for name, stage in chain.chosen(context.values):
        value = stage(context).run(value)
        if name == "sequentializer":
            break
    assert isinstance(value, Unit)
    return value
