"""What the tests of translators share: C in, the C that a stage makes of it out; and a compiler to compare them."""

from __future__ import annotations

import gc
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from pycparser import c_ast

from cseq.c import print_unit
from cseq.c.preprocess import compiler as c_compiler
from cseq.model.claims import Claim, Cut, Limit
from cseq.model.errors import CSeqError, InputError
from cseq.model.verdict import Outcome
from cseq.pipeline.chain import Chain, load
from cseq.pipeline.stage import Context, Unit
from cseq.report.violations import claim as in_words
from tests.support import selection
from tests.support.checkout import ROOT
from tests.support.tiers import MARKERS, Watch, is_unit, limited, tier

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.support.terminal import Terminal

# Where tests run in the background the shell has interrupts ignored, and so would all be that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

WATCH = Watch()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run all cases, and not the selection of them for every change")
    parser.addoption("--bless", action="store_true", help="write what stages make now into the files of cases")


def pytest_configure(config: pytest.Config) -> None:
    selection.choose(config.getoption("--all"))
    for line in MARKERS:
        config.addinivalue_line("markers", line)


def pytest_report_header() -> str:
    return "cases: all" if selection.everything() else "cases: those for every change (all of them: --all)"


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(tier(item))


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # what stays until the end need not be looked at again and again


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with WATCH.unit() if is_unit(item) else nullcontext():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with WATCH.unit() if is_unit(item) else nullcontext(), limited() if is_unit(item) else nullcontext():
        yield


def said(words: str) -> Cut:
    """A cut that reports describe by these words."""
    return Cut(Limit.SAID, subject=words)


# What the primitives that a translation leaves open mean where the program is just run: any value will do for an
# undefined object, so it gets one that is unlikely to be right.
PRELUDE = """\
int printf(const char *, ...);
void exit(int);
void *memset(void *, int, unsigned long);
void __CSEQ_assume(int holds) { if (!holds) { printf("an assumption does not hold\\n"); exit(3); } }
void __CSEQ_assert(int holds, const char *what) { if (!holds) { printf("failed: %s\\n", what); exit(1); } }
void __CSEQ_unwound(int holds, const char *what) { if (!holds) { printf("cut off: %s\\n", what); exit(4); } }
void __CSEQ_check(int holds, const char *what) { __CSEQ_assert(holds, what); }
#define __CSEQ_atomic_fetch_add __atomic_fetch_add
#define __CSEQ_atomic_fetch_sub __atomic_fetch_sub
#define __CSEQ_atomic_init(object, value) (*(object) = (value))
void __CSEQ_coarse(const char *what) {}
void __CSEQ_access(int atomic) {}
unsigned long __CSEQ_address(const volatile void *byte) { return (unsigned long)byte; }
void *__CSEQ_allocate(unsigned long size) { return __builtin_malloc(size); }
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
void __CSEQ_havoc(void *object, unsigned long size) { memset(object, 0xA5, size); }
void __CSEQ_fresh(void *block, unsigned long size) { __CSEQ_havoc(block, size); }
void __CSEQ_zero(void *object, unsigned long size) { memset(object, 0, size); }
_Bool __CSEQ_nondet_bool(void) { return 1; }
char __CSEQ_nondet_char(void) { return 0x5A; }
signed char __CSEQ_nondet_schar(void) { return 0x5A; }
unsigned char __CSEQ_nondet_uchar(void) { return 0xA5; }
short __CSEQ_nondet_short(void) { return 0x5A5A; }
unsigned short __CSEQ_nondet_ushort(void) { return 0xA5A5; }
int __CSEQ_nondet_int(void) { return 0x5A5A5A5A; }
unsigned int __CSEQ_nondet_uint(void) { return 0xA5A5A5A5; }
long __CSEQ_nondet_long(void) { return 0x5A5A5A5A; }
unsigned long __CSEQ_nondet_ulong(void) { return 0xA5A5A5A5; }
long long __CSEQ_nondet_longlong(void) { return 0x5A5A5A5A; }
unsigned long long __CSEQ_nondet_ulonglong(void) { return 0xA5A5A5A5; }
float __CSEQ_nondet_float(void) { return -4242.5f; }
double __CSEQ_nondet_double(void) { return -4242.5; }
void *__CSEQ_nondet_pointer(void) { return (void *)16; }
"""

# Behind a program that puts what it comes to into `results`: told when it exits, however it does.
EPILOGUE = """
__attribute__((destructor)) static void __CSEQ_tell(void)
{
    for (int i = 0; i < count; i++) printf("%d: %lld\\n", i + 1, results[i]);
}
"""


class Translation:
    """Runs the stages of a chain on C texts, in a folder of its own, where the text is the file ``program.c``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._chain: Chain | None = None

    def write(self, text: str, name: str = "program.c") -> str:
        """Write a file, and return its name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return name

    def use(self, chain: str) -> None:
        """From now on, run the stages of *chain* instead of the lazy chain."""
        self._chain = load(chain)

    def context(self, **parameters: Any) -> Context:
        """A context with a value for each parameter of the chain; by default all of the program is kept and shared."""
        self._chain = self._chain or load("lazy")
        return Context(self._chain.values({"keep_unused": True, "privatize": False, **parameters}), self.folder)

    def units(self, *paths: str | Path, until: str = "sequentializer", **parameters: Any) -> Iterator[tuple[str, Unit]]:
        """The unit that each stage makes of the files *paths*, up to the stage *until*."""
        context = self.context(**parameters)
        assert self._chain is not None
        assert until in self._chain.names
        value: Any = list(paths)
        for name, stage in self._chain.chosen(context.values):
            value = stage(context).run(value)
            yield name, value
            if name == until:
                return

    def unit(self, stage: str, text: str, **parameters: Any) -> Unit:
        """The program *text* behind *stage*."""
        return list(self.units(self.write(text), until=stage, **parameters))[-1][1]

    def __call__(self, stage: str, text: str, *functions: str, **parameters: Any) -> str:
        """The text of *text* behind *stage*: all of it, or the named functions of it."""
        unit = self.unit(stage, text, **parameters)
        return function_text(unit, *functions) if functions else unit.text

    def refusal(self, stage: str, text: str, kind: type[CSeqError] = InputError, **parameters: Any) -> str:
        """What the user reads when a stage up to *stage* refuses *text*, with `--strict`."""
        with pytest.raises(kind) as caught:
            self.unit(stage, text, **{"strict": True, **parameters})
        return str(caught.value)


def function_text(unit: Unit, *names: str) -> str:
    """The text of some functions of *unit*, in the order of their names."""
    definitions = {node.decl.name: node for node in unit.tree.ext if isinstance(node, c_ast.FuncDef)}
    return print_unit(c_ast.FileAST([definitions[name] for name in names]))[0]


class Compiler:
    """The C compiler of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0

    def run(self, text: str, *options: str) -> str:
        """Compile the program *text* and run it: what it printed, and its exit status where that is not 0."""
        self._count += 1
        source, binary = self.folder / f"run{self._count}.c", self.folder / f"run{self._count}"
        source.write_text(text, encoding="utf-8")
        self._compile([str(source), "-o", str(binary), *options])
        done = subprocess.run([binary], capture_output=True, text=True, timeout=20, check=False)
        return done.stdout + (f"exit status {done.returncode}\n" if done.returncode else "")

    def check(self, text: str, *options: str) -> None:
        """Compile *text* without making anything of it; its static assertions have to hold."""
        self._count += 1
        source = self.folder / f"check{self._count}.c"
        source.write_text(dedent(text), encoding="utf-8")
        self._compile(["-fsyntax-only", str(source), *options])

    def _compile(self, arguments: list[str]) -> None:
        command = [c_compiler(), "-std=gnu11", "-w", "-O0", "-fwrapv", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.fail(f"the compiler refuses it:\n{done.stderr}")


@pytest.fixture(autouse=True)
def no_engine_fails(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test fails if an engine fails for a reason of ours and another answers, unless it is marked `engine_fails`.

    A unit test has no engines; so it need not import the application.
    """
    if is_unit(request.node):
        yield
        return
    from cseq.portfolio import engine_race as auto
    from cseq.portfolio.deciding import failed

    told: list[str] = []
    decided = auto.decided

    def heard(results: Mapping[str, Outcome | Exception], symbolic: str) -> Outcome:
        told.extend(f"{engine}: {result}" for engine, result in results.items() if failed(result))
        return decided(results, symbolic)

    monkeypatch.setattr(auto, "decided", heard)
    yield
    if request.node.get_closest_marker("engine_fails") is None:
        assert told == []


@pytest.fixture(scope="session")
def processes() -> None:
    """Taken by tests, and by fixtures, that start processes: see `tests/support/tiers.py`."""


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Translation:
    """``translated(stage, text, function)``: the text of a function behind a stage."""
    monkeypatch.chdir(tmp_path)
    return Translation(tmp_path)


@pytest.fixture
def compiler(processes: None, tmp_path: Path) -> Compiler:
    """The C compiler; every machine that CSeq works on has one, since it preprocesses with it."""
    folder = tmp_path / "compiled"
    folder.mkdir()
    return Compiler(folder)


@pytest.fixture(scope="session")
def browser(processes: None) -> Iterator[Chrome]:
    """A headless Chromium; the tests that need it are skipped where there is none."""
    from tests.support.browser import chromium, missing

    if missing():
        pytest.skip(missing())
    with chromium() as driver:
        yield driver


@pytest.fixture
def terminal(processes: None) -> Iterator[Terminal]:
    """A terminal that says what is on its screen."""
    from tests.support.terminal import Terminal

    made = Terminal()
    yield made
    made.close()


@pytest.fixture
def prelude() -> str:
    """C definitions of the primitives that a translated program leaves open."""
    return PRELUDE


@pytest.fixture
def epilogue() -> str:
    """C code that prints the ``count`` numbers in ``results`` when a program ends."""
    return EPILOGUE


@pytest.fixture
def failures(translated: Translation, compiler: Compiler) -> Callable[..., set[str]]:
    """``failures(text, rounds=2, unwind=1)``: the assertions that fail in some schedule of the program *text*.

    Said by running the sequentialized program for every guess that it can make. An assertion is named by its text.
    """
    here = ROOT / "tests" / "support"

    def run(text: str, **parameters: Any) -> set[str]:
        program = translated("sequentializer", text, **{"rounds": 2, **parameters})
        parts = ((here / "guesses.h").read_text(), program, (here / "guesses_main.h").read_text())
        lines = compiler.run("".join(parts), "-O1").splitlines()
        said = [in_words(Claim.of(line)) for line in lines]
        return {words.removeprefix("assertion `").removesuffix("`") for words in said}

    return run
