"""What the tests of the specifier share: the specifications of programs, and what TLC finds in them."""

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.api import Functions, run
from cseq.backends import tlc
from cseq.modules.tla.encode.specifier import Specifier
from cseq.modules.tla.spec import Question, Specification
from cseq.modules.tla.writer.written import save, written
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from cseq.process.run import run as execute

HEADERS = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
_Bool __VERIFIER_nondet_bool(void); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
#line 1
"""

_CHAIN = """about TLA+
families tlc
stage merger
stage observers
stage scheduling_model
stage normalise
stage control_flow
stage thread_local_promotion
stage address_reuse
stage three_address
stage inliner
stage undisturbed
stage bytewise
stage input_choices
stage uninitialised_reads
stage specifier
default recursion 4
"""

THREAD = "pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0);"

Specified = Callable[..., Specification]


@pytest.fixture
def specified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Specified:
    """``specified(text)``: the specification of a program, without the headers that it includes."""
    # Without the planner of `tlc.chain`, which sets parameters itself.
    chain_file = tmp_path / "specified.chain"
    chain_file.write_text(_CHAIN, encoding="utf-8")
    made: list[Specification] = []
    translate = Specifier.translate

    def noted(self: Specifier, tree: object) -> object:
        result = translate(self, tree)  # type: ignore[arg-type]
        assert result is tree
        made.append(self.specification)
        return result

    monkeypatch.setattr(Specifier, "translate", noted)

    def make(text: str, **parameters: object) -> Specification:
        path = tmp_path / "x.c"
        path.write_text(HEADERS + dedent(text).lstrip("\n"), encoding="utf-8")
        chain = load(str(chain_file))

        def after(name: str, value: object) -> object:
            return None if name == "specifier" else value

        run(Configuration(chain, chain.values(parameters)), [path], observer=Functions(made=after), printing=True)
        return made[-1]

    return make


@pytest.fixture
def outcome(processes: None, specified: Specified, tmp_path: Path) -> Callable[..., str]:
    """``outcome(text)``: the status of the violation that TLC finds in a program; "" if it finds none."""
    jar = tlc.find()
    if jar is None or tlc.java() is None:
        pytest.skip("TLC or Java is not installed")

    def check(text: str, **parameters: object) -> str:
        specification = specified(text, **parameters)
        visible = frozenset(each.label for each in specification.statements)
        folder = tmp_path / "modules"
        save(written(specification, Question(visible, deadlock=True)), folder)
        name = specification.name
        command = tlc.command(jar, folder, f"{name}.tla", f"{name}.cfg", tlc.TlcOptions(optimize=False))
        found = execute(command, folder=folder, timeout=60).stdout
        if "No error has been found" in found:
            return ""
        statuses = re.findall(r'status \|-> "([^"]*)"', found)
        assert statuses, found[-3000:]
        return "deadlock" if "Deadlock reached" in found else str(statuses[-1])

    return check


@pytest.fixture
def bodies(specified):
    """``bodies(declarations, statements)``: the texts of the statements of a worker, by label."""

    def make(declarations: str, statements: str, **parameters: object) -> dict[str, str]:
        text = f"{declarations}\nvoid *worker(void *arg) {{\n{statements}\nreturn 0; }}\n"
        objects = re.findall(r"^int \*?(\w+);", declarations)  # what main uses too stays shared
        uses = " ".join(f"if ({name}) {name} = 0;" for name in objects)
        found = specified(f"{text}int main(void) {{ {THREAD} {uses} return 0; }}", **parameters)
        return {each.label: each.body for each in found.statements if each.start == "worker"}

    return make
