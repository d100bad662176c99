"""Make a regression test of a violation: a program that is made of the user's files as they are when it is built.

The schedule's calls are inserted when the test is built, by a program in C that finds the statements again. So the test
takes a C compiler, and not CSeq.
"""

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from cseq.c.numbering import quoted
from cseq.c.preprocess import compiler, is_preprocessed
from cseq.model.verdict import Outcome, Verdict
from cseq.reproducer import running
from cseq.reproducer.program import ProgramMaker, ProgramParts, Source, renamed
from cseq.reproducer.turns import CannotReproduceError

MEMBERS = ("CMakeLists.txt", "Makefile", "schedule.h", "weave.c")
"""The names of the files of a test."""

_LIMIT = 300
"""Seconds that ctest waits. The program ends itself before."""

_TIMES = 3
"""The number of runs in which the test has to fail."""


class _Call(NamedTuple):
    """What is inserted into a line, from 0, at a column of it. group: the number of the statement for which it is."""

    group: int
    line: int
    column: int
    text: str


@dataclass
class _File:
    """A file that the test reads. name: as messages have it. lines, calls: none where nothing is inserted."""

    name: str
    is_source: bool
    lines: list[str]
    calls: list[_Call]
    before: str = ""
    after: str = ""


def regression(outcome: Outcome, source: Source, folder: Path) -> dict[str, str]:
    """The files of the test in *folder*, which need not exist, by their names; the test has failed several times.

    Raises CannotReproduceError, with the reason, if there is none.
    """
    part = next((part for part in outcome.all() if part.verdict is Verdict.FALSE), outcome)
    reasons = []
    for with_values in (False, True):
        maker = ProgramMaker(part, source, with_values, source.bits, regression=True)
        if with_values and not maker.has_values():
            continue
        why = _refusal(part, source, maker)
        if why is not None:
            raise CannotReproduceError(why)
        woven = maker.woven()
        if woven.program.race:
            woven.program.flags += ("-fsanitize=thread",)
        files = list(_files(woven))
        why = _wrong(woven, files, source)
        if not why:
            return _written(woven, files, source, folder)
        reasons.append(why)
    raise CannotReproduceError(f"the test that was made does not fail as it has to: {reasons[0]}")


def _refusal(outcome: Outcome, source: Source, maker: ProgramMaker) -> str | None:
    if outcome.violated is not None and outcome.violated.name == "misuse":
        return "a misuse of the thread library makes no program fail by itself"
    if any(is_preprocessed(Path(file)) for file in source.files):
        return "a test is made from source files, not from preprocessed ones"
    if maker.mentions("pthread_barrier_wait"):
        return "a program with barriers cannot continue once it leaves the schedule"
    return None


def _files(woven: ProgramParts) -> Iterator[_File]:
    """The sources, and the headers in which something is inserted."""
    headers: dict[str, _File] = {}
    for number, (text, found, twice) in enumerate(zip(woven.texts, woven.pieces, woven.twice, strict=True), 1):
        before = "".join(f"{line}\n" for line in renamed(twice, number))
        file = _File(text.path, True, [], [], before, "".join(f"#undef {name}\n" for name in twice))
        for piece in found:
            name, line, column = text.place(piece.offset)
            target = file if name == quoted(text.path) else headers.setdefault(name, _File(name, False, [], []))
            target.calls.append(_Call(piece.slot, line - 1, column, piece.text))
            target.lines = target.lines or _lines(target.name)
            begin = text.text.rfind("\n", 0, piece.offset) + 1
            if target.lines[line - 1 : line] != [text.text[begin:].partition("\n")[0]]:
                raise CannotReproduceError(f"the text of {name} is not that of the file")
        yield file
    yield from headers.values()


def _lines(name: str) -> list[str]:
    try:
        return Path(name).read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except OSError:
        raise CannotReproduceError(f"{name} cannot be read") from None


def _wrong(woven: ProgramParts, files: list[_File], source: Source) -> str:
    """Why the test does not fail as it has to; "" if it does."""
    program = woven.program
    with tempfile.TemporaryDirectory(prefix="cseq-") as name:
        folder = Path(name)
        weave, text = folder / "weave.c", folder / "program.c"
        (folder / "schedule.h").write_text(program.text, encoding="utf-8", errors="surrogateescape")
        weave.write_text(_weaver(files, os.path.abspath), encoding="utf-8", errors="surrogateescape")
        for command in (
            [compiler(), "-w", str(weave), "-o", str(folder / "weave")],
            [str(folder / "weave"), str(text)],
        ):
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
            if done.returncode != 0:
                return f"its text cannot be made: {done.stderr.strip().splitlines()[-1:] or done.returncode}"
        whole = replace(program, text=text.read_text(encoding="utf-8", errors="surrogateescape"))
        binary = running.compiled(whole, folder, *_options(source, os.path.abspath))
        if isinstance(binary, str):
            return binary
        return next((why for why in running.runs(whole, binary, _TIMES) if why), "")


def _options(source: Source, path: Callable[[str], str]) -> list[str]:
    """The options of the compiler by which the files find their headers."""
    beside = dict.fromkeys(path(str(Path(file).parent)) for file in source.files)
    return ["-UNDEBUG", *(f"-iquote{folder}" for folder in beside), *(f"-I{path(each)}" for each in source.include)]


def _weaver(files: list[_File], path: Callable[[str], str]) -> str:
    """The program that makes the test's text. path: gives the path by which it finds a file."""
    out = [_ABOUT_WEAVE, "struct piece { int group, line, column; const char *text; };"]
    out += ["struct file {", "    const char *name, *path;", "    int is_source;", "    const char *const *lines;"]
    out += ["    int line_count;", "    const struct piece *pieces;", "    int piece_count;"]
    out += ["    const char *before, *after;", "};", ""]
    rows = []
    for number, file in enumerate(files):
        lines = ",\n".join(f"    {_literal(line)}" for line in file.lines or [""])
        calls = [f"    {{{c.group}, {c.line}, {c.column}, {_literal(c.text)}}}" for c in file.calls]
        out.append(f"static const char *const lines_{number}[] = {{\n{lines},\n}};")
        pieces = ",\n".join(calls or ["    {0, 0, 0, 0}"])
        out.append(f"static const struct piece pieces_{number}[] = {{\n{pieces},\n}};")
        counts = f"lines_{number}, {len(file.lines)}, pieces_{number}, {len(calls)}"
        names = f"{_literal(quoted(file.name) if file.is_source else file.name)}, {_literal(path(file.name))}"
        rows.append(
            f"    {{{names}, {int(file.is_source)}, {counts}, {_literal(file.before)}, {_literal(file.after)}}},"
        )
    out += ["static const struct file files[] = {", *rows, "};", ""]
    return "\n".join(out) + "\n" + (Path(__file__).parent / "weaver.h").read_text(encoding="utf-8")


_ABOUT_WEAVE = """\
/* Makes the program of a regression test, from the files of the project as they are now. The tables have the files as
 * they were when the violation was found, and the calls by which the schedule is followed. Made by CSeq. */"""

_ESCAPED = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "?": "\\?"}


def _literal(text: str) -> str:
    """The text, byte by byte, as a string literal in C."""
    whole = text.encode("utf-8", errors="surrogateescape").decode("latin-1")
    return '"' + "".join(_ESCAPED.get(c) or (c if " " <= c <= "~" else f"\\{ord(c):03o}") for c in whole) + '"'


# What is written into the folder


def _written(woven: ProgramParts, files: list[_File], source: Source, folder: Path) -> dict[str, str]:
    def path(name: str) -> str:
        return os.path.relpath(Path(name).parent.resolve() / Path(name).name, folder.resolve())

    name = "cseq_" + re.sub(r"\W+", "_", folder.absolute().name, flags=re.ASCII)
    flags = [*woven.program.flags, *_options(source, path)]
    around = woven.program.surroundings
    around = replace(around, stdin=path(around.stdin) if around.stdin is not None else os.devnull)
    what = f"{' '.join(source.files)}: {woven.program.place}"
    made = [path(file.name) for file in files]
    return {
        "CMakeLists.txt": _cmake(name, what, flags, made, around.command("PROGRAM").replace("PROGRAM", '"$0"', 1)),
        "Makefile": _makefile(what, flags, around.command("build/test")),
        "schedule.h": f"/* The schedule of a regression test. Made by CSeq. */\n{woven.program.text}",
        "weave.c": _weaver(files, path),
    }


_MAKEFILE = """\
# A regression test for {what}. Made by CSeq.
#
# `make` builds it from the files as they are now, and runs it. It fails as long as the violation is there. From another
# Makefile:
#
#     check: ; $(MAKE) -C FOLDER

CC ?= cc

.PHONY: test clean
test:
	@mkdir -p build
	$(CC) -w weave.c -o build/weave
	build/weave build/program.c
	$(CC) -w -g -O0 -pthread -I. {flags} build/program.c -o build/test -lm
	{command}

clean:
	rm -rf build
"""


def _makefile(what: str, flags: list[str], command: str) -> str:
    return _MAKEFILE.format(what=what, flags=shlex.join(flags).replace("$", "$$"), command=command.replace("$", "$$"))


_CMAKE = """\
# A regression test for {what}. Made by CSeq.
#
# It is built from the files as they are now, and fails as long as the violation is there. In the CMakeLists.txt of the
# project, after enable_testing():
#
#     add_subdirectory(FOLDER)

cmake_minimum_required(VERSION 3.13)
project({name} C)
enable_testing()
find_package(Threads REQUIRED)

add_executable({name}_weave weave.c)
add_custom_command(
  OUTPUT ${{CMAKE_CURRENT_BINARY_DIR}}/program.c
  COMMAND {name}_weave ${{CMAKE_CURRENT_BINARY_DIR}}/program.c
  DEPENDS {name}_weave schedule.h {files}
  WORKING_DIRECTORY ${{CMAKE_CURRENT_SOURCE_DIR}})
add_custom_target({name}_text DEPENDS ${{CMAKE_CURRENT_BINARY_DIR}}/program.c)
add_executable({name} ${{CMAKE_CURRENT_BINARY_DIR}}/program.c)
target_include_directories({name} PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}})
target_compile_options({name} PRIVATE -w -g -O0 {flags})
target_link_libraries({name} PRIVATE Threads::Threads m {links})
add_test(NAME {name} COMMAND {command} WORKING_DIRECTORY ${{CMAKE_CURRENT_SOURCE_DIR}})
set_tests_properties({name} PROPERTIES TIMEOUT {limit})
"""


def _cmake(name: str, what: str, flags: list[str], files: list[str], command: str) -> str:
    def given(word: str) -> str:
        return '"' + re.sub(r'([\\"$])', r"\\\1", word) + '"'

    def here(path: str) -> str:
        return path if path.startswith("/") else f"${{CMAKE_CURRENT_SOURCE_DIR}}/{path}"

    def option(flag: str) -> str:
        for prefix in ("-iquote", "-I"):
            if flag.startswith(prefix):
                return f'"{prefix}{here(flag.removeprefix(prefix))}"'
        return given(flag)

    links = [flag for flag in flags if flag.startswith(("-f", "-m"))]
    return _CMAKE.format(
        what=what,
        name=name,
        files=" ".join(f'"{here(file)}"' for file in files),
        flags=" ".join(map(option, flags)),
        links=" ".join(links),
        command=f"sh -c {given(command)} $<TARGET_FILE:{name}>",
        limit=_LIMIT,
    )
