"""How a compiled program can end in one of its threads, and what is no program: verdict, message, exit status."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cseq.cli.main import main
from tests.support.compiled_programs import compiled

IN_C = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int zero;

static int deep(volatile char *before, int count) {
    char room[1000];
    room[count % 1000] = *before;
    return deep(room, count + 1) + room[3];
}

static int bus(void) {
    FILE *file = tmpfile();
    char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    return mapped[10];
}

static void *work(void *word) {
    char here = 1, *end;
    int pipes[2];
    long number = strtol(word, &end, 10);
    switch (*end) {
    case 'n': *(volatile int *)(size_t)zero = 1; break;      // null
    case 'w': *(volatile int *)0x123456789000 = 1; break;    // wild
    case 'c': *(volatile char *)(size_t)"constant" = 1; break;
    case 'd': return (void *)(size_t)(5 / zero);             // division
    case 't': __builtin_trap();
    case 'b': return (void *)(size_t)bus();
    case 'o': return (void *)(size_t)deep(&here, 1);         // overflow of the stack
    case 'a': abort();
    case 'r': raise((int)number); break;
    case 'k': kill(getpid(), (int)number); break;
    case 'e': exit((int)number);
    case '_': _exit((int)number);
    case 's': while (!zero) { } break;                       // spins
    case 'l': for (;;) { } break;                            // a loop that has no access to memory
    case 'p': return pipe(pipes) + read(pipes[0], &here, 1) ? word : NULL;
    case 'm': for (int i = 0; i < 20; i++) { printf("%01048576d", i); } break; // much output
    }
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t thread;
    if (count > 2) {
        int read = getchar();
        return strcmp(arguments[1], "a  b") != 0 || strcmp(arguments[2], "\"'\n*") != 0 || read != 'i';
    }
    pthread_create(&thread, NULL, work, arguments[1]);
    pthread_join(thread, NULL);
    return 0;
}
"""

IN_CXX = r"""
#include <cstring>
#include <stdexcept>
#include <thread>

static void never() noexcept { throw 1; }

int main(int, char **arguments) {
    char word = arguments[1][0];
    std::thread thread([word] {
        if (word == 's') throw std::runtime_error("said");
        if (word == 'n') never();
        if (word == 't') std::terminate();
    });
    if (word == 'j') return 0; // joinable
    thread.join();
}
"""

ACCESS = "invalid memory access"
IN_A_THREAD = {
    "n": f"{ACCESS} (the pointer is NULL)", "w": ACCESS, "c": ACCESS, "b": ACCESS,
    "d": "division by zero, or one that overflows", "t": "the program is ended by SIGILL",
    "o": "the stack is too small for the calls", "a": "abort is called", "11r": "the program is ended by SIGSEGV",
    "8r": "the program is ended by SIGFPE", "15k": "the program is ended by SIGTERM",
    "9k": "the program is ended by SIGKILL", "3e": "the exit status is 3, not 0", "4_": "the exit status is 4, not 0",
}  # fmt: skip
EXCEPTIONS = {
    "s": "uncaught exception `std::runtime_error`", "n": "uncaught exception `int`", "t": "std::terminate is called",
    "j": "std::terminate is called",
}  # fmt: skip


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(compiled(IN_C, tmp_path_factory.mktemp("ends"), "-O1", "-w"))


@pytest.fixture(scope="module")
def in_cxx(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(compiled(IN_CXX, tmp_path_factory.mktemp("exceptions"), "-O1", "-std=c++17", "-w", cxx=True))


def said(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status of `cseq run` with these words, the first line of its report, and what it warns of."""
    status = main(["run", "--jobs", "1", *words])
    out, err = capfd.readouterr()
    return status, out.split("\n")[0], err


def line_of(text: str, source: str) -> int:
    return source[: source.index(text)].count("\n") + 1


def test_each_way_to_end_in_a_thread_is_named_with_its_place(in_c: str, capfd: pytest.CaptureFixture[str]) -> None:
    places = {
        "t": "case 't'",
        "o": "room[count",
        "3e": "case 'e'",
        "4_": "case '_'",
        "d": "case 'd'",
        "b": "mapped[10]",
    }
    for word, message in IN_A_THREAD.items():
        status, line, err = said(capfd, "--runs", "5", "--", in_c, word)
        assert (status, err) == (1, ""), word
        assert line.startswith(f"FALSE: {message} at "), word
        if word in places:
            assert f"program.c:{line_of(places[word], IN_C)} in " in line, word


def test_exceptions_that_nobody_catches(in_cxx: str, capfd: pytest.CaptureFixture[str]) -> None:
    for word, message in EXCEPTIONS.items():
        status, line, err = said(capfd, "--runs", "5", "--", in_cxx, word)
        assert (status, err) == (1, ""), word
        assert line.startswith(f"FALSE: {message} at "), word


def test_what_never_ends_spins_waits_or_is_out_of_time(in_c: str, capfd: pytest.CaptureFixture[str]) -> None:
    status, line, _ = said(capfd, "--runs", "1", "--steps", "2000", "--", in_c, "s")
    assert (status, line.partition(" at ")[0]) == (
        1,
        "FALSE: threads spin for ever: nothing that they read changes any more",
    )
    status, line, _ = said(capfd, "--runs", "1", "--", in_c, "p")
    assert status == 1 and re.match(
        r"FALSE: deadlock: work \(thread 1\) waits at \S+ for input or output at file", line
    )
    status, line, _ = said(capfd, "--runs", "1", "--run-time", "0.2", "--", in_c, "l")
    assert (status, line) == (3, "UNKNOWN: out of time")


def test_arguments_input_and_much_output(in_c: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "in put"
    text.write_text("input")
    program = shutil.copy(in_c, tmp_path / "with blank")
    for words in (["a  b", "\"'\n*"], ["m"]):
        status, line, err = said(capfd, "--runs", "2", "--stdin", str(text), "--", str(program), *words)
        assert (status, line[:21], err) == (0, "UNKNOWN: no violation", "")
    status, line, _ = said(capfd, "--runs", "1", "--", in_c, "a  b", "\"'\n*")
    assert (status, line.partition(" at ")[0]) == (1, "FALSE: the exit status is 1, not 0")


def test_what_is_no_program_for_this_machine(in_c: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = bytearray(Path(in_c).read_bytes())
    other[18:20] = b"\xb7\0"  # e_machine: AArch64
    for name, content, message in [
        ("other", bytes(other), "does not start: Exec format error"),
        ("empty", b"", "Exec format error"),
        ("cut", bytes(other[:20]), "Exec format error"),
        ("none", b"#!/no/such/interpreter\n", "cannot run"),
        ("script", b"#!/bin/sh\nexit 5\n", "was compiled for this: build it with cseq-cc or cseq-c++"),
    ]:
        path = tmp_path / name
        path.write_bytes(content)
        path.chmod(0o755)
        status, line, err = said(capfd, str(path))
        assert (status, line, err.count("\n")) == (2, "", 1), name
        assert message in err, name


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_a_search_that_is_ended(in_c: str, tmp_path: Path, how: signal.Signals) -> None:
    """Processes end with the command; files in the temporary folder are removed where it can do so."""
    command = [sys.executable, "-c", "from cseq.cli.main import main; raise SystemExit(main())"]
    words = ["run", "--run-time", "600", "--time", "600", "--jobs", "1", "--", in_c, "l"]
    with subprocess.Popen([*command, *words], env={**os.environ, "TMPDIR": str(tmp_path)}) as search:
        while len(processes(in_c)) < 2:  # the server and its run
            assert search.poll() is None
            time.sleep(0.05)
        search.send_signal(how)
    assert search.returncode in (-how, 130)
    end = time.monotonic() + 60
    while processes(in_c) and time.monotonic() < end:
        time.sleep(0.05)
    assert not processes(in_c)
    assert how is signal.SIGKILL or not list(tmp_path.iterdir())


def processes(program: str) -> list[str]:
    """The processes that run *program* as it is called here."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:  # it has ended meanwhile
            continue
        found += [path.parent.name] if words[:2] == [program.encode(), b"l"] else []
    return found
