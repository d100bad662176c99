"""Command lines of compilers: inputs, outputs, and what the compiler does with them."""

from pathlib import Path

import pytest

from cseq.modules.compiled.cc.commandline import CommandLine, expanded, grouped, joined, split


@pytest.mark.parametrize(
    "words",
    [
        "--version", "-v", "-dumpversion x.c", "-print-search-dirs", "--print-file-name=libc.so x.c", "-Wl,--version",
        "-dumpmachine", "--help", "",
    ],
)  # fmt: skip
def test_questions(words: str) -> None:
    line = CommandLine(words.split())
    assert line.asks
    assert not line.links


@pytest.mark.parametrize(
    "words",
    ["-c x.c", "-S x.cpp", "-E x.c", "-M x.c", "-MM x.c", "-fsyntax-only x.c", "-dM -E -x c /dev/null", "-c -x c++ -"],
)
def test_without_the_linker(words: str) -> None:
    line = CommandLine(words.split())
    assert not line.asks
    assert line.compiles
    assert not line.links


def test_compiling_and_linking() -> None:
    words = "-O2 -MD -MF x.d -MT x.c -I y.c x.cpp y.o libz.a -lm -l pthread -o prog -v"
    line = CommandLine(words.split())
    assert line.links
    assert line.sources == ["x.cpp"]
    assert line.objects == ["y.o", "libz.a", "-lm", "-lpthread"]
    assert line.output == "prog"
    assert line.cxx
    assert not (line.shared or line.static or line.relocatable or line.bare)


@pytest.mark.parametrize(
    "words, sources, assembled, headers, objects",
    [
        ("x.s y.S", [], ["x.s", "y.S"], [], []),
        ("-x assembler-with-cpp x.c", [], ["x.c"], [], []),
        ("-xc++ x -x none y", ["x"], [], [], ["y"]),
        ("x.h y.hpp", [], [], ["x.h", "y.hpp"], []),
        ("-x c++-header x.hxx.cxx", [], [], ["x.hxx.cxx"], []),
        ("x.so.1 -", [], [], [], ["x.so.1", "-"]),
    ],
)
def test_kinds_of_inputs(
    words: str, sources: list[str], assembled: list[str], headers: list[str], objects: list[str]
) -> None:
    line = CommandLine(words.split())
    assert (line.sources, line.assembled, line.headers, line.objects) == (sources, assembled, headers, objects)


def test_headers_are_precompiled_and_not_linked() -> None:
    line = CommandLine(["-O2", "x.hpp"])
    assert (line.compiles, line.links, line.cxx) == (True, False, True)


@pytest.mark.parametrize(
    "words, attribute",
    [
        ("-shared x.o", "shared"), ("--shared x.o", "shared"), ("-Wl,-z,now,-shared x.o", "shared"),
        ("-Xlinker -shared x.o", "shared"), ("-static x.o", "static"), ("-static-pie x.o", "static"),
        ("-r x.o", "relocatable"), ("-Wl,-r x.o", "relocatable"), ("-nostdlib x.o", "bare"),
        ("-nodefaultlibs x.o", "bare"),
    ],
)  # fmt: skip
def test_kinds_of_outputs(words: str, attribute: str) -> None:
    line = CommandLine(words.split())
    kinds = ("shared", "static", "relocatable", "bare")
    assert [kind for kind in kinds if getattr(line, kind)] == [attribute]


def test_own_choice_of_libraries_is_not_bare() -> None:
    assert not CommandLine(["-nostdlib", "x.o", "-lc"]).bare
    assert not CommandLine(["-nodefaultlibs", "x.o", "-l", "c"]).bare


def test_arguments_stay_with_their_options() -> None:
    words = "-o x -include a.h -Xclang -load -mllvm -y --param a=1 -DX -D Y z.c"
    assert grouped(words.split()) == [
        ["-o", "x"], ["-include", "a.h"], ["-Xclang", "-load"], ["-mllvm", "-y"], ["--param", "a=1"], ["-DX"],
        ["-D", "Y"], ["z.c"],
    ]  # fmt: skip
    assert CommandLine(["-ofile", "x.o"]).output == "file"


def test_response_files(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.write_text("-DTEXT=\\\"a\\ b\\\" 'two words'\n")
    outer = tmp_path / "outer"
    outer.write_text(f'-c "x y.c"\t@{inner} ""\n')
    assert expanded(["-O2", f"@{outer}", "@missing"]) == [
        "-O2", "-c", "x y.c", '-DTEXT="a b"', "two words", "", "@missing",
    ]  # fmt: skip


def test_response_file_that_is_written_is_read_again() -> None:
    words = ["-c", "x y.c", '-DX="a\\b"', "", "'", "-I/a/ü"]
    assert split(joined(words)) == words
