"""The drop-in compilers with the real one, and a runtime of a few lines."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cseq.modules.compiled.cc import building, compilers, wrapper
from cseq.modules.compiled.cc.buildrecord import builds

pytestmark = [pytest.mark.engine, pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")]

RUNTIME = {
    "parts/hooks.c": """\
#include "hooks.h"
#include <stdio.h>
static int accesses, copies;
PUBLIC void __tsan_init(void) {}
PUBLIC void __tsan_func_entry(void *pc) { (void)pc; }
PUBLIC void __tsan_func_exit(void) {}
PUBLIC void __tsan_read4(void *address) { (void)address; accesses++; }
PUBLIC void __tsan_write4(void *address) { (void)address; accesses++; }
PUBLIC void *__wrap_memcpy(void *to, const void *from, unsigned long size)
{
    copies++;
    return __real_memcpy(to, from, size);
}
void *cs_static_real(const char *name) __attribute__((weak));
PUBLIC int sched_yield(void)
{
    int (*real)(void) = cs_static_real != NULL ? (int (*)(void))cs_static_real("sched_yield") : NULL;
    puts(real == NULL ? "ours" : real != sched_yield && real() == 0 ? "ours and that of the library" : "wrong");
    return 0;
}
void cs_hidden(void) {}
__attribute__((destructor)) static void count(void) { printf("%d accesses, %d copies\\n", accesses, copies); }
""",
    "hooks.h": """\
#define PUBLIC __attribute__((visibility("default")))
int sched_yield(void);
void *__real_memcpy(void *to, const void *from, unsigned long size) __attribute__((weak));
""",
}

LIBRARY = """\
#include <string.h>
int counter;
char from[24], to[24];
int bump(void) { memcpy(to, from, 24); return ++counter; }
"""

PROGRAM = """\
#ifdef __SANITIZE_THREAD__
#error the program sees that it is compiled with hooks
#endif
int bump(void);
int main(void) { return bump() - 1; }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with sources, in which commands run. Compilers run as children, and not in place of the tests."""
    folder = tmp_path_factory.mktemp("wrapper")
    for name, text in RUNTIME.items():
        (folder / "runtime" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "runtime" / name).write_text(text)
    (folder / "library.c").write_text(LIBRARY)
    (folder / "program.c").write_text(PROGRAM)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("CSEQ_CC", "gcc")
        patch.setattr(building, "SOURCES", folder / "runtime")
        patch.setattr(wrapper, "_become", wrapper._run)
        patch.chdir(folder)
        yield folder


def cc(text: str) -> int:
    return wrapper.main(text.split(), cxx=False)


def output(program: str) -> str:
    run = subprocess.run(
        [program], capture_output=True, text=True, check=True, env={**os.environ, "LD_LIBRARY_PATH": "."}
    )
    return run.stdout


def test_program_of_two_files_in_one_command(folder: Path) -> None:
    assert cc("-O1 -Wall -Werror program.c library.c -o one -flto -D_FORTIFY_SOURCE=2") == 0
    assert output("./one") == "2 accesses, 1 copies\n"
    (build,) = builds(folder / "one")
    assert build.compiler == "gcc"
    assert build.options == ("-O1",)
    assert str(build) == f"gcc {build.version} -O1"


def test_program_step_by_step_with_a_shared_library(folder: Path) -> None:
    assert cc("-O2 -fPIC -c library.c -o library.o") == 0
    assert cc("-shared -Wl,--no-undefined library.o -o libpart.so") == 0
    assert cc("-c program.c") == 0
    assert cc("program.o -L. -lpart -o two") == 0
    assert output("./two") == "2 accesses, 1 copies\n"
    assert [build.options for build in builds(folder / "two")] == [("-O0",)]
    assert [build.options for build in builds(folder / "libpart.so")] == [("-O2",)]


@pytest.mark.parametrize("options, printed", [("", "ours\n"), ("-static", "ours and that of the library\n")])
def test_functions_of_libraries_are_replaced(folder: Path, options: str, printed: str) -> None:
    (folder / "yield.c").write_text(
        "#include <sched.h>\nvoid cs_hidden(void) {}\nint main(void) { return sched_yield(); }\n"
    )
    assert cc(f"yield.c {options} -o yield") == 0
    assert output("./yield") == f"{printed}0 accesses, 0 copies\n"


def test_program_without_hooks(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["gcc", "-c", "program.c", "-o", "plain.o"], check=True)
    subprocess.run(["gcc", "-c", "library.c", "-o", "plain-library.o"], check=True)
    assert cc("plain.o plain-library.o -o three") == 1
    assert capfd.readouterr().err == (
        "cseq-cc: error: no part of three was compiled by cseq-cc or cseq-c++, so there is nothing to explore\n"
    )
    assert not (folder / "three").exists()
    assert cc("plain.o library.c -o three") == 0


def test_answers_of_the_compiler_are_its_own(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "wrong.c").write_text("int main(void) { return x; }\n")
    assert cc("-c wrong.c") == subprocess.run(["gcc", "-c", "wrong.c"], check=False).returncode == 1
    ours, theirs = capfd.readouterr().err.split("wrong.c: In", 2)[1:]
    assert ours.strip() == theirs.strip()
    assert cc("-dumpversion") == 0
    version = capfd.readouterr().out
    assert version == subprocess.run(["gcc", "-dumpversion"], check=True, capture_output=True, text=True).stdout


def test_sanitizers_with_another_shadow_are_named(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cc("-fsanitize=address -c program.c") == 0
    assert capfd.readouterr().err == (
        "cseq-cc: warning: -fsanitize=address cannot be combined with the hooks: dropped\n"
    )


def test_long_command_lines_go_through_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wrapper, "_LONG", 100)
    monkeypatch.setenv("TMPDIR", str(folder))
    commands: list[list[str]] = []
    spawn = os.posix_spawn

    def seen(path: str, words: list[str], *rest: Any, **others: Any) -> int:
        commands.append(words)
        return spawn(path, words, *rest, **others)

    monkeypatch.setattr(os, "posix_spawn", seen)
    (folder / "long.c").write_text('_Static_assert(sizeof TEXT == sizeof "two words", "quotes");\n')
    (folder / "arguments").write_text("-D'TEXT=\"two words\"'\n")
    before = set(folder.iterdir())
    assert cc("@arguments -c long.c") == 0
    assert [[word[0] for word in command[1:]] for command in commands] == [["@"]]
    assert {path.name for path in set(folder.iterdir()) - before} - {"cache"} == {"long.o"}


def test_compiler_without_hooks(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CSEQ_CC", "/bin/echo")
    assert cc("-c program.c") == 1
    assert capfd.readouterr().err == (
        "cseq-cc: error: /bin/echo has no -fsanitize=thread: choose another compiler with CSEQ_CC and CSEQ_CXX\n"
    )


def test_program_for_another_architecture(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cc("-m32 program.c library.c -o narrow") == 1
    assert capfd.readouterr().err == ("cseq-cc: error: -m32: programs for another architecture cannot be explored\n")


def test_runtime_is_built_once_for_all_who_ask(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = compilers.known(compilers.command(cxx=False))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        (made,) = set(pool.map(building.built, [compiler] * 4))
    assert sorted(path.name for path in made.iterdir()) == [
        "exported.list", "runtime.o", "static.o", "static.wraps", "wraps",
    ]  # fmt: skip
    assert building.wraps(made, static=False) == ["memcpy"]
    assert building.wraps(made, static=True) == ["sched_yield"]
    assert [path.name for path in made.parent.iterdir() if path.is_dir()] == [made.name]


def test_runtime_that_does_not_compile(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "hooks.c").write_text("int x = ;\n")
    compiler = compilers.known(compilers.command(cxx=False))
    with pytest.raises(compilers.CompilerError, match=r"the runtime cannot be built: .*hooks\.c:1:9: error"):
        building.built(compiler, tmp_path)


def test_process_becomes_the_compiler() -> None:
    command = [*wrapper.invocation(cxx=True), "-dumpmachine"]
    ours = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert ours == subprocess.run(["g++", "-dumpmachine"], check=True, capture_output=True, text=True).stdout
