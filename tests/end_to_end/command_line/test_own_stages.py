"""Stages of a user's own, of both kinds: the example of CONTRIBUTING.md, which makes text, and one that makes trees."""

import re

import pytest

from cseq.pipeline.chain import modules_folder
from tests.support.checkout import ROOT
from tests.support.shell import Shell

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t more = PTHREAD_COND_INITIALIZER;
int done;
void *work(void *arg) {
  pthread_mutex_lock(&lock);
  done++;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  while (done < 2)
    pthread_cond_wait(&more, &lock);
  pthread_mutex_unlock(&lock);
  assert(done == 2);
  return 0;
}
"""

HURRIER = '''
"""A stage that rewrites the tree."""

from pycparser import c_ast

from cseq.pipeline.translator import Translator, rebuilt


class Hurrier(Translator):
    """in: a program. out: the same, in which nobody waits for more than one of anything."""

    def visit_Constant(self, node):
        return rebuilt(node, value="1") if node.value == "2" else node
'''


def example() -> str:
    """The stage in CONTRIBUTING.md."""
    found = re.search(r"```python\n(\"\"\"Make a mistake.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert found is not None
    return found.group(1)


@pytest.fixture
def chain(shell: Shell) -> Shell:
    """The chain of the example."""
    lazy = (modules_folder() / "lazy.chain").read_text()
    assert "stage    merger\n" in lazy
    shell.file("my.chain", lazy.replace("stage    merger\n", "stage    merger\nstage    mutator\n"))
    shell.file("mutator.py", example())
    shell.file("input.c", PROGRAM)
    return shell


def test_the_example_of_the_manual_finds_what_it_breaks(chain: Shell) -> None:
    bounds = ["--rounds", "2", "--unwind", "2"]
    assert chain.run("input.c", *bounds, "--quiet")[:2] == (0, "UNKNOWN\n")
    status, out, err = chain.run("--chain", "my.chain", "input.c", *bounds)
    assert (status, err) == (1, "")
    assert out.startswith("FALSE: assertion `done == 2` is violated at input.c:21 in main\n")
    assert chain.run("--chain", "my.chain", "input.c", "--mutant", "2", *bounds, "--quiet")[:2] == (0, "UNKNOWN\n")


def test_the_example_of_the_manual_refuses_with_the_place(chain: Shell) -> None:
    chain.file("input.c", PROGRAM.replace("    pthread_cond_wait(&more, &lock);", "    if (done) break;"))
    told = chain.refuse("--chain", "my.chain", "input.c")
    assert told == "input.c:18: error: a jump out of a mutated loop is not supported"


@pytest.mark.parametrize("order", [("mutator", "hurrier"), ("hurrier", "mutator")])
def test_both_kinds_mix_in_one_chain(chain: Shell, order: tuple[str, str]) -> None:
    chain.file("hurrier.py", HURRIER)
    stages = ["merger", *order, "normalise", "control_flow"]
    chain.file("mixed.chain", "".join(f"stage {stage}\n" for stage in stages))
    status, out, err = chain.run("--chain", "mixed.chain", "input.c", "--linemap", "--dump-all", "stages")
    assert (status, err) == (0, "")
    dumps = {path.name: path.read_text() for path in (chain.here / "stages").iterdir()}
    assert sorted(dumps) == [f"{number:02}-{stage}.c" for number, stage in enumerate(stages, 1)]
    one, other = (dumps[f"{stages.index(stage) + 1:02}-{stage}.c"] for stage in ("mutator", "hurrier"))
    assert "while (done < 2) {" in dumps["01-merger.c"]
    assert f"if (done < {1 if order[0] == 'hurrier' else 2}) {{" in one
    assert f"{'if' if order[0] == 'mutator' else 'while'} (done < 1) {{" in other
    assert "if (done < 1) {" in dumps["05-control_flow.c"]
    header, *rows = [line.split() for line in out.splitlines()]
    assert header == [*reversed(stages), "source"]
    last = dumps["05-control_flow.c"].splitlines()
    assert len(rows) == len(last)
    wait = "pthread_cond_wait(&more, &lock);"
    for text, kept, place in (("if (done < 1) {", "done <", 18), (wait, wait, 19)):
        found = [row for row, line in zip(rows, last, strict=True) if text in line]
        assert [row[-1] for row in found] == [f"input.c:{place}"]
        for stage, number in zip(stages, reversed(found[0][1:-1]), strict=False):
            made = dumps[f"{stages.index(stage) + 1:02}-{stage}.c"].splitlines()
            assert kept in made[int(number) - 1]
