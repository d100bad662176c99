"""Every function that is known of the C library and the thread library works in both families of engines.

Each is called once, rightly. No engine may fail, and where both have a verdict it is the same.
"""

import re
from pathlib import Path

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.claims import Limit
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Outcome, Verdict
from tests.programs import calls
from tests.programs.matrix import made, sampled
from tests.support.selection import everything

ALL = everything()

_MOST_NEW = 8

needs_engine = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")


def checked(folder: Path, text: str, engine: str) -> Outcome:
    """The answer of *engine* for the program *text*."""
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    return cseq.verify(str(path), backend=engine)


def test_there_is_a_call_of_every_function() -> None:
    known = calls.known()
    assert len(known) > 400 and len(calls.modelled()) > 60
    assert [name for name in known if not calls.call(name)] == []
    assert set(known) >= calls.MANY


@needs_engine
@pytest.mark.parametrize("kind", ["modelled", "others"])
def test_every_function_of_the_c_library_can_be_called(kind: str, tmp_path: Path) -> None:
    names = calls.modelled() if kind == "modelled" else calls.others()[:: 1 if ALL else 9]
    assert checked(tmp_path, calls.program(names), "cbmc").verdict is not Verdict.FALSE
    left = list(names)
    for _ in range(_MOST_NEW):
        text = calls.program(left)
        try:
            assert checked(tmp_path, text, "native").verdict is Verdict.TRUE
            return
        except UnsupportedError as refusal:  # a function that is new, and should be in `calls.MANY`
            assert "more than 256 values" in refusal.message and refusal.origin is not None
            line = text.splitlines()[refusal.origin.line - 1]
            left = [name for name in left if calls.call(name) != line.strip()]
    pytest.fail("most functions are refused")


@pytest.mark.parametrize("name", sorted(calls.MANY) if ALL else sorted(calls.MANY)[:2])
def test_of_what_has_too_many_values_to_try_each_some_are_tried(name: str, tmp_path: Path) -> None:
    outcome = checked(tmp_path, calls.program([name]), "native")
    assert outcome.verdict is Verdict.UNKNOWN
    assert {bound.cut.limit for bound in outcome.bounds} & {Limit.SAMPLED, Limit.SAMPLED_RESULT}


@pytest.mark.parametrize("program", made() if ALL else sampled(made())[::6], ids=lambda each: each.name)
def test_every_function_of_the_thread_library_can_be_explored(program, tmp_path: Path) -> None:
    assert checked(tmp_path, program.text, "native").verdict is not Verdict.FALSE
    assert checked(tmp_path, f"#define BUG\n{program.text}", "native").verdict is Verdict.FALSE


def test_memory_of_strdup_counts_as_the_program_s(tmp_path: Path) -> None:
    copy = 'char *copy = strdup("abc"); if (!copy) return 0; copy[1] = 0; '
    text = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) { %s free(copy); return 0; }"
    assert checked(tmp_path, text % f"{copy}assert(strlen(copy) == 1);", "native").verdict is Verdict.TRUE
    assert checked(tmp_path, text % f"{copy}assert(strlen(copy) == 3);", "native").verdict is Verdict.FALSE
    twice = checked(tmp_path, text % f"{copy}free(copy);", "native")
    assert twice.verdict is Verdict.FALSE and re.search("free", str(twice.violated))
