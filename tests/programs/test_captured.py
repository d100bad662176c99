"""A program may have any name of its own: no text that CSeq adds means anything else then, and no verdict changes.

Each kind of name is tried with all words of all texts at once.
"""

import re
import subprocess
from pathlib import Path

import pytest

import cseq
from cseq.api import Observer, run
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Verdict
from cseq.modules.explicit.engine import compiled
from cseq.modules.library import stubs
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from tests.programs import captured
from tests.support.selection import everything

ALL = everything()
SAMPLE = ("enumerator", "typedef", "local", "macro")
KINDS = [kind for kind in captured.KINDS if kind != "nothing"]
DEFINED = KINDS if ALL else SAMPLE

LAST = {"explicit": "hooks", "lazy": "instrumenter"}
"""The chains, and what makes the program that an engine gets."""

PROGRAM = """\
static int mine_shared;
static pthread_mutex_t mine_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t mine_done;
static void *mine_adds(void *mine_arg)
{
    char mine_text[20];
    snprintf(mine_text, 20, "t-%d", *(int *)mine_arg);
    assert(mine_text[2] == '1');
    pthread_mutex_lock(&mine_lock);
    mine_shared = mine_shared + 1;
    pthread_mutex_unlock(&mine_lock);
    sem_post(&mine_done);
    return mine_arg;
}
static void mine_main(void)
{
    pthread_t mine_thread;
    int mine_number = MINE_NUMBER;
    sem_init(&mine_done, 0, 0);
    pthread_create(&mine_thread, 0, mine_adds, &mine_number);
    sem_wait(&mine_done);
    assert(mine_shared == 1);
    pthread_join(mine_thread, 0);
}
"""

needs_engine = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")


class _Keeper(Observer):
    def __init__(self, last: str) -> None:
        self._last = last
        self.text = ""

    def seen(self, name, output, context):
        if name == self._last:
            self.text = output.text

    def made(self, name, output):
        return None if name == self._last else output


def translated(chain: str, folder: Path, text: str) -> str:
    """The program that an engine gets for the C program *text*."""
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    loaded, keeper = load(chain), _Keeper(LAST[chain])
    run(Configuration(loaded, loaded.values({})), [path], observer=keeper, keep=folder, printing=True)
    return keeper.text


@pytest.fixture(scope="session")
def plain(tmp_path_factory) -> dict[str, str]:
    """Chain → what it makes of the program that calls everything, and has no names but its own."""
    text = captured.program("nothing", [], captured.everything())
    return {chain: translated(chain, tmp_path_factory.mktemp(chain), text) for chain in LAST}


@pytest.fixture(scope="session")
def words(plain) -> list[str]:
    """The words of all texts that a program may define, and of all that is generated."""
    texts = [*(path.read_text("utf-8") for path in captured.TEXTS), *plain.values()]
    return captured.definable({word for text in texts for word in captured.words_of(text)})


def library_in(text: str) -> dict[str, str]:
    """The functions of the library in a generated program, by name, whatever numbers are in the names of locals."""
    found = re.findall(r"^(\w[\w *]*?\b(\w+)\([^;\n]*\)\n\{\n.*?^\}\n)", text, re.MULTILINE | re.DOTALL)
    return {name: re.sub(r"__cs\d+(_\d+)?", "__cs", part) for part, name in found if stubs.is_library(name)}


def test_the_words_are_those_of_the_texts(plain, words) -> None:
    assert len(words) > 600
    assert {"value", "digit", "power", "base", "mutex", "who", "at", "to", "unit", "block"} <= set(words)
    assert len(library_in(plain["explicit"])) > 250 and len(library_in(plain["lazy"])) > 250


@pytest.mark.parametrize("kind", DEFINED)
def test_the_library_is_the_same(kind: str, plain, words, tmp_path: Path) -> None:
    text = captured.program(kind, words, captured.everything())
    for chain in LAST:
        made = translated(chain, tmp_path, text)
        assert library_in(made) == library_in(plain[chain])
        if kind == "macro":
            assert made == plain[chain]
        if chain == "explicit":
            defined = _external_symbols(compiled(made, tmp_path / "steps.o", 64))
            assert {name for name in defined if not name.startswith(("__CSEQ_", "__cs_"))} <= {"main"}


def _external_symbols(path: Path) -> list[str]:
    """What an object file defines for others."""
    done = subprocess.run(["nm", "-g", "--defined-only", str(path)], capture_output=True, text=True, check=True)
    return [line.split()[-1] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_the_explorer_gives_the_same_verdict(kind: str, number: int, tmp_path: Path) -> None:
    assert _verdict(kind, number, "native", tmp_path) is (Verdict.TRUE if number == 1 else Verdict.FALSE)


@needs_engine
@pytest.mark.parametrize("kind", DEFINED)
def test_cbmc_finds_the_same_violation(kind: str, tmp_path: Path) -> None:
    assert _verdict(kind, 2, "cbmc", tmp_path) is Verdict.FALSE
    assert _verdict(kind, 1, "cbmc", tmp_path) is not Verdict.FALSE


def _verdict(kind: str, number: int, backend: str, folder: Path) -> Verdict:
    plain = [word for item in stubs.items().values() for word in item.words]
    path = folder / "program.c"
    path.write_text(captured.program(kind, captured.definable(plain), PROGRAM.replace("MINE_NUMBER", str(number))))
    return cseq.verify(str(path), backend=backend).verdict
