"""Which files a program of a project consists of."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cseq.cli.projects.compile_database import CompileCommand
from cseq.cli.projects.ctest_listing import Test
from cseq.cli.projects.needed_units import Unit
from cseq.cli.projects.object_symbols import Symbols
from cseq.cli.projects.project_programs import distinct, from_mains, from_tests, of_function
from cseq.model.errors import InputError, UsageError
from cseq.model.origin import Origin


def unit(path: str, target: str = "", *, bits: int = 64, fault: str = "", **symbols: Any) -> Unit:
    """A unit; the symbols are words."""
    output = f"/b/CMakeFiles/{target}.dir/{path}.o" if target else ""
    entry = CompileCommand(f"/s/{path}", "/b", ("cc",), output, Origin("/b/compile_commands.json", 7))
    told = {name: tuple(value.split()) if isinstance(value, str) else value for name, value in symbols.items()}
    error = InputError(fault) if fault else None
    return Unit(entry, (), bits, False, Symbols(**told, fault=fault), error)


def files(units: list[Unit]) -> list[list[str]]:
    return [[each.path.removeprefix("/s/") for each in program.units] for program in from_mains(units, lambda _: None)]


def test_undefined_symbols_lead_to_files() -> None:
    units = [
        unit("unused.c", defined="other"),
        unit("b.c", defined="b", needed="c printf main"),
        unit("test.c", defined="main", needed="b"),
        unit("c.c", weak="c"),
    ]
    assert files(units) == [["test.c", "b.c", "c.c"]]


def test_of_several_files_that_of_the_same_target_is_taken() -> None:
    units = [
        unit("one.c", "one", defined="main", needed="log"),
        unit("two.c", "two", defined="main", needed="log"),
        unit("log1.c", "one", defined="log"),
        unit("log2.c", "two", defined="log"),
        unit("start.c", "two", starts=True, local="begin"),
    ]
    assert files(units) == [["one.c", "log1.c"], ["two.c", "start.c", "log2.c"]]
    said: list[str] = []
    library = unit("log.c", "library", defined="log")
    [program] = from_mains([units[0], library, units[2]], said.append)
    assert [each.path for each in program.units] == ["/s/one.c", "/s/log1.c"]
    assert said == ["/s/one.c: `log` is taken from /s/log1.c, which belongs to `one`, and not from /s/log.c"]


def test_a_weak_reference_takes_what_the_program_has_and_nothing_from_a_library() -> None:
    main = unit("t.c", "t", defined="main", wished="hook")
    assert files([main, unit("hook.c", "t", defined="hook")]) == [["t.c", "hook.c"]]
    assert files([main, unit("hook.c", "library", defined="hook")]) == [["t.c"]]
    library = unit("other.c", "library", defined="hook other")
    assert files([unit("t.c", "t", defined="main", wished="hook", needed="other"), library]) == [["t.c", "other.c"]]


def test_nothing_of_another_program_is_linked() -> None:
    """What no library of the project has is from elsewhere, and not from the test that replaces it."""
    units = [
        unit("one.c", "one", defined="main", needed="clock"),
        unit("two.c", "two", defined="main", needed="clock"),
        unit("fake_clock.c", "two", defined="clock"),
    ]
    assert files(units) == [["one.c"], ["two.c", "fake_clock.c"]]
    alone = [unit("a.c", defined="main", needed="f"), unit("b.c", defined="main f")]
    assert files(alone) == [["a.c"], ["b.c"]]


def test_what_nothing_decides_is_refused_and_what_makes_no_difference_is_said() -> None:
    said: list[str] = []
    twice = [unit("q.c", "static", defined="q"), unit("q.c", "shared", defined="q")]
    [program] = from_mains([unit("t.c", "t", defined="main", needed="q"), *twice], said.append)
    assert [each.entry.target for each in program.units] == ["t", "static"]
    assert said == ["/s/t.c: /s/q.c is compiled more than once, and is taken as it is compiled for `static`"]
    several = [unit("q.c", "a", defined="q"), unit("fake.c", "b", defined="q")]
    [program] = from_mains([unit("t.c", "t", defined="main", needed="q"), *several], said.append)
    assert str(program.fault) == (
        "/b/compile_commands.json:7: `q`, which /s/t.c needs, is defined in /s/q.c and in /s/fake.c: "
        "which of them the program is linked with is not known"
    )


def test_files_that_cannot_be_part_of_a_program_are_its_fault() -> None:
    main = unit("t.c", defined="main", needed="q")
    for other, said in (
        (unit("q.cpp", defined="q", fault="is not in C"), "is not in C"),
        (unit("q.c", defined="q", bits=32), "/s/q.c is compiled for 32 bits, and others are not"),
    ):
        [program, *_] = from_mains([main, other], lambda _: None)
        assert program.fault is not None and program.fault.message == said
    [_, broken] = from_mains([main, unit("x.c", fault="x.c:1: error: y")], lambda _: None)  # it may have a main
    assert broken.name == "/s/x.c" and broken.fault is not None


def test_tests_run_programs_of_targets() -> None:
    said: list[str] = []
    units = [unit("t.c", "t", defined="main"), unit("u.c", "u", fault="u.c:1: error: y")]
    tests = [
        Test("plain", ("/b/t",)),
        Test("with words", ("/b/t", "a b", "c")),
        Test("broken", ("/b/u",)),
        Test("shell", ("/bin/sh", "-c", "true")),
        Test("not built", ()),
        Test("off", ("/b/t",), True),
    ]
    found = from_tests(units, tests, said.append, Path("/b"))
    assert [(one.name, one.arguments, one.fault is None) for one in found] == [
        ("plain", "", True),
        ("with words", "'a b' c", True),
        ("broken", None, False),
    ]
    assert [line.split("`")[1] for line in said] == ["shell", "not built", "off"]
    places = [str(place) for _, place in distinct([found[1], found[0], found[0]])]
    assert places == ["with_words", "plain", "plain-2"]


def test_a_test_runs_what_is_linked_from_its_target(tmp_path: Path) -> None:
    """CMake writes how; a program of the system is not taken for one of the project."""
    link = tmp_path / "CMakeFiles" / "t.dir" / "link.txt"
    link.parent.mkdir(parents=True)
    link.write_text("/usr/bin/cc -O2 CMakeFiles/t.dir/t.c.o -o bin/renamed -lpthread\n")
    main = unit("t.c", "t", defined="main")
    main = replace(main, entry=replace(main.entry, output=str(link.parent / "t.c.o")))
    said: list[str] = []
    tests = [Test("renamed", (f"{tmp_path}/bin/renamed",)), Test("system", ("/usr/bin/t",))]
    assert [one.name for one in from_tests([main], tests, said.append, tmp_path)] == ["renamed"]
    assert said == ["the test `system` is left out: /usr/bin/t is not made of files in the database"]


def test_a_function_is_found_where_it_is_defined() -> None:
    units = [unit("a.c", defined="f", needed="g"), unit("b.c", defined="g", local="h"), unit("c.c", local="k")]
    assert [each.path for each in of_function(units, "f", print).units] == ["/s/a.c", "/s/b.c"]
    assert of_function(units, "h", print).calls == "h"
    for name, said in (("nobody", "defines `nobody`"), ("f(); x", "not the name"), ("main", "not the name")):
        with pytest.raises(UsageError, match=said):
            of_function(units, name, print)
    with pytest.raises(UsageError, match=r"`k` is defined in /s/c.c and in /s/d.c"):
        of_function([*units, unit("d.c", local="k")], "k", print)
