"""What becomes of command lines: hooks, the runtime, and options that cannot stay."""

import pytest

from cseq.modules.compiled.cc.commandline import CommandLine
from cseq.modules.compiled.cc.compilers import DISTINCTION, Compiler
from cseq.modules.compiled.cc.hooking import PRELUDE, SPECS, Plan

GCC = Compiler(["/usr/bin/gcc"], "gcc", "12.2.0", True, True)
CLANG = Compiler(["/usr/bin/clang"], "clang", "14.0.6", True, True)
WRAPS = ["memcpy"]


def compiled(text: str, compiler: Compiler = GCC) -> list[str]:
    return Plan(CommandLine(text.split())).compiling(compiler)


def linked(text: str, compiler: Compiler = GCC) -> list[str]:
    return Plan(CommandLine(text.split())).linking(compiler, "/rt", WRAPS)


def given(words: list[str]) -> list[str]:
    """The user's words among those of a command that compiles."""
    assert words[0] == "-g"
    return words[1 : words.index("-frecord-gcc-switches")]


def test_hooks_of_gcc() -> None:
    words = compiled("-O2 -c x.c")
    assert given(words) == ["-O2", "-c", "x.c"]
    own = words[4:]
    assert own[:2] == ["-frecord-gcc-switches", "-U_FORTIFY_SOURCE"]
    assert own[2] == "-fsanitize=thread"
    assert {"-Wno-tsan", "-fno-builtin-memcpy", "-U__SANITIZE_THREAD__"} < set(own)
    assert own[own.index("tsan-distinguish-volatile=1") - 1] == "--param"
    assert PRELUDE not in own
    assert compiled("-c x.cpp")[-2:] == ["-include", PRELUDE]
    newer = Compiler(["/usr/bin/gcc"], "gcc", "14.1.0", True, True)
    assert compiled("-c x.c", newer)[-2:] == ["-include", PRELUDE]


def test_hooks_of_clang() -> None:
    own = compiled("-c x.c", CLANG)[3:]
    assert own == [
        "-frecord-gcc-switches", "-U_FORTIFY_SOURCE", "-Xclang", "-fsanitize=thread",
        *DISTINCTION["clang"], "-U__SANITIZE_THREAD__", "-include", PRELUDE,
    ]  # fmt: skip


def test_older_compilers_do_not_get_newer_options() -> None:
    old = Compiler(["/usr/bin/gcc"], "gcc", "9.1.0", True, False)
    assert "--param" not in compiled("-c x.c", old)


def test_command_that_also_links_keeps_the_hooks_from_the_linker() -> None:
    words = linked("x.c -o x")
    assert f"-specs={SPECS}" in words
    assert "-fsanitize=thread" not in words
    clang = linked("x.c -o x", CLANG)
    assert clang[clang.index("-fsanitize=thread") - 1] == "-Xclang"


def test_program_is_linked_with_the_runtime_first() -> None:
    assert linked("-O2 -x none x.o -lfoo -o x") == [
        "/rt/runtime.o", "-O2", "-x", "none", "x.o", "-lfoo", "-o", "x", "-Wl,--wrap=memcpy",
        "-Wl,--dynamic-list=/rt/exported.list", "-ldl", "-lpthread",
    ]  # fmt: skip


def test_static_program_takes_from_archives_what_the_runtime_calls() -> None:
    line = CommandLine(["-static", "x.o", "-o", "x"])
    assert Plan(line).linking(GCC, "/rt", ["time", "__cxa_guard_acquire", "__ubsan_on_report"]) == [
        "/rt/static.o", "-static", "x.o", "-o", "x", "-Wl,--wrap=time", "-Wl,--wrap=__cxa_guard_acquire",
        "-Wl,--wrap=__ubsan_on_report", "-Wl,-u,time", "-ldl", "-lpthread",
    ]  # fmt: skip
    cxx = CommandLine(["-static", "x.o"], cxx=True)
    assert "-Wl,-u,__cxa_guard_acquire" in Plan(cxx).linking(GCC, "/rt", ["__cxa_guard_acquire"])


@pytest.mark.parametrize("kind", ["-r", "-nostdlib"])
def test_linked_without_the_runtime(kind: str) -> None:
    assert linked(f"{kind} x.o -o y.o") == [kind, "x.o", "-o", "y.o"]
    assert ("-fsanitize=thread" in compiled(f"{kind} -c x.c")) is True


def test_bare_program_gets_no_hooks() -> None:
    words = linked("-nostdlib x.c -o x")
    assert not any("specs" in word or "fsanitize" in word for word in words)


@pytest.mark.parametrize(
    "options, kept",
    [
        ("-Wl,-z,defs", []),
        ("-Wl,-z -Wl,defs", []),
        ("-Xlinker -z -Xlinker defs", []),
        ("-z defs", []),
        ("-Wl,--no-undefined,-z,now", ["-Wl,-z,now"]),
        ("-Wl,--unresolved-symbols=report-all -Wl,-soname,y", ["-Wl,-soname,y"]),
        ("-Xlinker -rpath -Xlinker /a,b", ["-Xlinker", "-rpath", "-Xlinker", "/a,b"]),
    ],
)
def test_shared_library_may_have_undefined_symbols(options: str, kept: list[str]) -> None:
    assert linked(f"-shared {options} x.o -o y.so") == ["-shared", *kept, "x.o", "-o", "y.so", "-Wl,--wrap=memcpy"]


def test_program_keeps_what_only_matters_for_libraries() -> None:
    assert linked("-Wl,-z,defs x.o")[1:3] == ["-Wl,-z,defs", "x.o"]


def test_symbols_are_not_stripped() -> None:
    assert linked("-s -Wl,-s,-O1 -Wl,--strip-all x.o")[1:3] == ["-Wl,-O1", "x.o"]
    assert given(compiled("-g0 -c x.c")) == ["-c", "x.c"]
    assert given(compiled("-ggdb3 -c x.c")) == ["-ggdb3", "-c", "x.c"]


def test_optimisation_at_link_time_would_drop_the_hooks() -> None:
    options = "-flto -flto=thin -flto-partition=none -ffat-lto-objects -fno-fat-lto-objects -fwhole-program-vtables"
    assert given(compiled(f"-O2 {options} -c x.c")) == ["-O2", "-c", "x.c"]
    assert linked(f"{options} -O2 x.o")[1:3] == ["-O2", "x.o"]


@pytest.mark.parametrize(
    "option, kept, dropped",
    [
        ("-fsanitize=thread", [], []),
        ("-fsanitize=undefined", ["-fsanitize=undefined"], []),
        ("-fsanitize=thread,undefined,bounds", ["-fsanitize=undefined,bounds"], []),
        ("-fsanitize=address,undefined,leak", ["-fsanitize=undefined"], ["address", "leak"]),
        ("-fsanitize=address -fsanitize=address", [], ["address"]),
        ("-fsanitize=cfi-vcall", [], ["cfi-vcall"]),
        ("-fno-sanitize=address,vptr", ["-fno-sanitize=address,vptr"], []),
        ("-fno-sanitize-recover=all", ["-fno-sanitize-recover=all"], []),
    ],
)
def test_sanitizers(option: str, kept: list[str], dropped: list[str]) -> None:
    plan = Plan(CommandLine([*option.split(), "-c", "x.c"]))
    words = plan.compiling(GCC)
    assert given(words) == [*kept, "-c", "x.c"]
    assert "-fsanitize=thread" in words
    assert plan.dropped == dropped


@pytest.mark.parametrize(
    "options, hooks",
    [
        ("-fno-sanitize=thread", False),
        ("-fsanitize=thread -fno-sanitize=all", False),
        ("-fno-sanitize=all -fsanitize=thread", True),
    ],
)
def test_files_that_the_user_wants_without_hooks(options: str, hooks: bool) -> None:
    assert ("-fsanitize=thread" in compiled(f"{options} -c x.c")) is hooks


def test_fortified_functions_would_hide_calls() -> None:
    words = compiled("-D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=2,-DX -Wp,-D_FORTIFY_SOURCE=3 -c x.c")
    assert given(words) == ["-D_FORTIFY_SOURCE=2", "-Wp,-DX", "-c", "x.c"]
    assert words.index("-U_FORTIFY_SOURCE") > words.index("-D_FORTIFY_SOURCE=2")


def test_preprocessed_files_take_no_options_of_the_preprocessor() -> None:
    for line in ("-c x.ii", "-c -x c++-cpp-output x"):
        words = compiled(line, CLANG)
        assert "-Xclang" in words
        assert not {"-U_FORTIFY_SOURCE", "-U__SANITIZE_THREAD__", "-include"} & set(words)


def test_assembler_is_left_alone() -> None:
    assert compiled("-g -c x.S") == ["-g", "-c", "x.S"]


def test_options_come_before_the_end_of_options() -> None:
    assert compiled("-c -- -x.c")[-2:] == ["--", "-x.c"]
