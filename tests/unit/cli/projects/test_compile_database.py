"""Compilation databases as CMake, Meson and Bear write them, and broken ones."""

import json
from pathlib import Path

import pytest

from cseq.cli.main import main
from cseq.cli.projects.compile_database import database
from cseq.cli.projects.compiler_flags import flags
from cseq.model.errors import InputError


def database_of(folder: Path, *entries: object) -> Path:
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(entries, indent=1))
    return path


def test_arguments_and_command_are_the_same(tmp_path: Path) -> None:
    common = {"directory": str(tmp_path / "build"), "file": "../src/a b.c"}
    words = ["cc", '-DX="a b"', "-o", "a.o", "-c", "../src/a b.c"]
    path = database_of(
        tmp_path, {**common, "arguments": words}, {**common, "command": 'cc "-DX=\\"a b\\"" -o a.o -c "../src/a b.c"'}
    )
    [entry] = database(path)  # the second one says the same
    assert entry.path == str(tmp_path / "src" / "a b.c")
    assert (entry.words, entry.output) == (tuple(words), str(tmp_path / "build" / "a.o"))
    assert entry.origin.line == 2


def test_targets_of_cmake_and_meson(tmp_path: Path) -> None:
    def named(directory: str, output: str) -> dict[str, str]:
        return {"directory": directory, "file": "a.c", "command": f"cc -c a.c -o {output}"}

    path = database_of(
        tmp_path,
        named("build/lib", "CMakeFiles/queue.dir/src/a.c.o"),  # of make; the directory is relative to the database
        named("build", "lib/CMakeFiles/queue.dir/a.c.o"),  # of ninja
        {**named("build", "x.o"), "output": "tests/check.p/a.c.o"},
        named("build", "a.o"),
    )
    found = [(entry.target, entry.folder) for entry in database(path)]
    build = str(tmp_path / "build")
    assert found == [("queue", f"{build}/lib"), ("queue", f"{build}/lib"), ("check", f"{build}/tests"), ("", build)]


def test_flags_do_not_depend_on_the_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more").write_text("-DMORE -m32\n")
    (tmp_path / "config.h").touch()
    command = "ccache gcc -Iinclude -I ../other -isystem/opt/x -DA=1 -UB -include config.h -include x.h @more \
-Wp,-DW,-MD,x -MF -DNOT -O2 -g -std=c99 -ansi -DNDEBUG -c a.c"
    [entry] = database(database_of(tmp_path, {"directory": str(tmp_path), "file": "a.c", "command": command}))
    given = flags(entry)
    words = " ".join(given.words).replace(str(tmp_path.parent), "..")
    assert words == (
        "-I include -I ../other -isystem /opt/x -DA=1 -UB -include config.h -include x.h -DMORE -DW "
        "-std=c99 -std=gnu90 -DNDEBUG"
    )
    assert (given.bits, given.no_assertions, given.fault) == (32, True, None)


@pytest.mark.parametrize("word", ["gcc -funsigned-char", "gcc -fopenmp", "arm-none-eabi-gcc", "gcc -mx32"])
def test_flags_that_give_programs_another_meaning_are_refused(tmp_path: Path, word: str) -> None:
    path = database_of(tmp_path, {"directory": str(tmp_path), "file": "a.c", "command": f"{word} -c a.c"})
    fault = flags(database(path)[0]).fault
    assert fault is not None and str(fault.origin) == f"{path}:2" and "not supported" in fault.message


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("{}", 1, "not a compilation database, which is an array in JSON"),
        ('[\n{"file": "a.c",\n}]', 3, "not JSON: expecting property name"),
        ('[\n{"directory": ".", "file": "a.c", "command": "cc"}\n', 3, "not JSON: expecting a comma"),
        ("[\n3]", 2, "the entry is not an object"),
        ('[{"directory": "."}]', 1, "the entry has no `file`"),
        ('[{"directory": ".", "file": "a.c"}]', 1, "neither `arguments` nor a `command`"),
        ('[{"directory": ".", "file": "a.c", "arguments": [1]}]', 1, "neither `arguments` nor a `command`"),
        ('[\n\n{"directory": ".", "file": "a.c", "command": "cc \\"a"}]', 3, "cannot be split: no closing quotation"),
        ("[]", 1, "has no entry"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, said: str
) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        database(tmp_path)  # the folder that it is in
    assert said in caught.value.message and str(caught.value.origin) == f"{path}:{line}"
    assert main(["check", "--project", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:{line}: error: ")
