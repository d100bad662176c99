"""The step program: what it keeps of a thread, and where its transitions end."""

import re
import subprocess
from pathlib import Path

import pytest

from cseq.api import Functions, run
from cseq.c.preprocess import compiler
from cseq.modules.explicit.encode.thread_sets import NarrowError
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from tests.support.checkout import ROOT

EXPLORER = ROOT / "backends" / "explorer"
CHAIN = load("explicit")


def stepped(path: Path, **parameters: object) -> str:
    """The step program for the C program at *path*."""

    def after(name: str, value: object) -> object:
        return None if name == "stepper" else value

    return str(
        run(Configuration(CHAIN, CHAIN.values(parameters)), [path], observer=Functions(made=after), printing=True).text
    )


def written(folder: Path, text: str) -> Path:
    path = folder / "input.c"
    path.write_text(f"#include <pthread.h>\n{text}")
    return path


PROGRAM = """int x;
void *worker(void *arg) { int i = 0, twice; while (i < 3) { twice = 2 * i; x = twice; i++; } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return x; }
"""


@pytest.mark.parametrize(
    ("creations", "most"),
    [
        ("pthread_create(&t, 0, worker, 0);", 2),
        ("pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0);", 3),
        ("while (x < 9) pthread_create(&t, 0, worker, 0);", 9),
        ("pthread_create(&t, 0, maker, 0);", 3),
        ("for (int i = 0; i < 15; i++) pthread_create(&t, 0, worker, 0);", 16),
        ("for (int i = 0; i < 100; i++) pthread_create(&t, 0, worker, 0);", 64),
    ],
)
def test_number_of_threads(tmp_path: Path, creations: str, most: int) -> None:
    maker = "void *worker(void *arg) { x++; return 0; }\n"
    maker += "void *maker(void *arg) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }\n"
    text = stepped(written(tmp_path, f"int x;\n{maker}int main(void) {{ pthread_t t; {creations} return 0; }}"))
    assert f"__CSEQ_THREADS = {most}\n" in text


@pytest.mark.parametrize(("count", "most"), [(3, 4), (100, 101), (200, 128)])
def test_number_of_threads_with_wide_sets(tmp_path: Path, count: int, most: int) -> None:
    wait = "pthread_mutex_lock(&m); pthread_barrier_wait(&b); pthread_mutex_unlock(&m);"
    text = f"""pthread_barrier_t b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *worker(void *arg) {{ {wait} return 0; }}
        int main(void) {{ pthread_t t; for (int i = 0; i < {count}; i++) pthread_create(&t, 0, worker, 0); return 0; }}
        """
    made = stepped(written(tmp_path, text), wide=True)
    assert f"__CSEQ_THREADS = {most}\n" in made
    assert "typedef unsigned __int128 __cs_threads_t;" in made
    assert "1ULL <<" not in made.replace("((unsigned __int128) 1ULL) <<", "")


def test_a_program_with_more_threads_than_a_word_has_bits_asks_for_wide_sets(tmp_path: Path) -> None:
    text = """void *worker(void *arg) { return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 64; i++) pthread_create(&t, 0, worker, 0); return 0; }
        """
    with pytest.raises(NarrowError):
        stepped(written(tmp_path, text), wide=False)
    assert "__CSEQ_THREADS = 64\n" in stepped(written(tmp_path, text), wide=False, threads=63)


def test_threads_as_the_user_says(tmp_path: Path) -> None:
    assert "__CSEQ_THREADS = 5\n" in stepped(written(tmp_path, PROGRAM), threads=4)


@pytest.mark.engine
@pytest.mark.parametrize("name", ["bounded_buffer_bad", "fibonacci_race_good", "recursion_bad", "atomic_sections_good"])
def test_compiles(tmp_path: Path, name: str) -> None:
    program = tmp_path / "steps.c"
    program.write_text(stepped(ROOT / "sv-benchmarks" / f"{name}.c"))
    command = [compiler(), "-std=gnu11", "-w", "-include", str(EXPLORER / "program" / "program.h"), "-c", str(program)]
    subprocess.run([*command, "-o", str(tmp_path / "steps.o")], check=True)


@pytest.mark.parametrize(("asked", "refused"), [("0", False), ("&p", True)])
def test_a_result_that_is_not_defined_is_never_taken_for_zero(tmp_path: Path, asked: str, refused: bool) -> None:
    worker = "int x;\nvoid *worker(void *arg) { x++; }\n"
    main = f"int main(void) {{ pthread_t t; void *p; pthread_create(&t, 0, worker, 0); pthread_join(t, {asked}); }}"
    assert ("__CSEQ_refuse(" in stepped(written(tmp_path, worker + main))) == refused


def test_choices_among_inputs_are_numbers_of_no_address(tmp_path):
    text = """int x[4];
void *worker(void *arg) { int i = __VERIFIER_nondet_int(); if (i < 0 || i >= 4) return 0; x[i] = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return x[0]; }
"""
    found = stepped(written(tmp_path, text))
    assert "__cs_choice_1 = __CSEQ_choose(5);" in found
    assert re.search(r"\(\(long long\) \S*__cs_choice_1\) \+ \(-1\)", found)
