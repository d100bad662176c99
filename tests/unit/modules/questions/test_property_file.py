"""Property files: which properties they ask for, what is refused and where, and what runs then check."""

from pathlib import Path

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.errors import CSeqError, UsageError
from cseq.model.verdict import Verdict
from cseq.modules.questions.property_file import properties, read
from tests.support.checkout import ROOT

ENGINE = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")
FOLDER = ROOT / "sv-benchmarks" / "properties"
MEMSAFETY = [f"CHECK( init(main()), LTL(G {name}) )" for name in ("valid-free", "valid-deref", "valid-memtrack")]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def write(*lines: str) -> str:
        Path("p.prp").write_text("\n".join(lines) + "\n")
        return "p.prp"

    return write


@pytest.mark.parametrize(
    "lines, names",
    [
        (["CHECK( init(main()), LTL(G ! call(reach_error())) )", ""], ("unreach-call",)),
        (["CHECK(init(main()),LTL(G!call(__VERIFIER_error())))"], ("unreach-call",)),
        (["CHECK( init(main()), LTL(G ! data-race) )"], ("no-data-race",)),
        (["CHECK( init(main()), LTL(G ! overflow) )"], ("no-overflow",)),
        (["CHECK( init(main()), LTL(G ! deadlock) )"], ("no-deadlock",)),
        (MEMSAFETY, ("valid-memsafety",)),
        (["", *reversed(MEMSAFETY), "", "CHECK( init(main()), LTL(G ! data-race) )"],
         ("valid-memsafety", "no-data-race")),
    ],
)  # fmt: skip
def test_what_a_file_asks_for(file, lines: list[str], names: tuple[str, ...]) -> None:
    assert properties(file(*lines)) == names


def test_functions_that_are_not_to_be_called(file) -> None:
    lines = [f"CHECK( init(main()), LTL(G ! call({name}())) )" for name in ("reach_error", "my_error")]
    assert read(file(*lines)) == (("unreach-call",), ("reach_error", "my_error"))


def test_the_files_of_the_benchmarks() -> None:
    for path in sorted(FOLDER.glob("*.prp")):
        assert properties(path) == (path.stem,)


@pytest.mark.parametrize(
    "lines, message",
    [
        (["", "CHECK( init(main()), LTL(F end) )"], "p.prp:2: the property termination (`F end`) is not supported"),
        (["CHECK( init(main()), LTL(G valid-memcleanup) )"],
         "p.prp:1: the property valid-memcleanup (`G valid-memcleanup`) is not supported"),
        (["COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"],
         "p.prp:1: the property coverage is not supported"),
        (["CHECK( init(main()), LTL(G (x -> F y)) )"], "p.prp:1: the property `G ( x - > F y )` is not supported"),
        (["CHECK( init(start()), LTL(G ! overflow) )"],
         "p.prp:1: a program that begins with `start` is not supported"),
        ([*MEMSAFETY[:2]], "p.prp:1: the property valid-free without valid-memtrack is not supported"),
        ([MEMSAFETY[0], "int main(void)"],
         "p.prp:2: `int main(void)` is not a property, as in `CHECK( init(main()), LTL(G ! overflow) )`"),
        (["CHECK( init(main()), LTL(G ! overflow) ) CHECK"],
         "p.prp:1: `CHECK( init(main()), LTL(G ! overflow) ) CHECK` is not a property, as in "
         "`CHECK( init(main()), LTL(G ! overflow) )`"),
        ([""], "p.prp: the file asks for no property"),
    ],
)  # fmt: skip
def test_what_is_refused(file, lines: list[str], message: str) -> None:
    with pytest.raises(CSeqError) as caught:
        properties(file(*lines))
    assert str(caught.value) == message
    assert caught.value.exit_status == 2


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.prp: no such file"):
        properties(tmp_path / "none.prp")
    with pytest.raises(UsageError, match="cannot be read"):
        properties(tmp_path)
    (tmp_path / "b.prp").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is a binary file"):
        properties(tmp_path / "b.prp")


PROGRAM = """\
#include <pthread.h>
extern void my_error(void);
void reach_error(void) { }
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg)
{
  x = 1;
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  return 0;
}
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (x == 1)
    my_error();
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  y = 2147483647;
  y = y + 1;
  return 0;
}
"""


@pytest.mark.engine
@ENGINE
@pytest.mark.parametrize(
    "formula, kind, line",
    [
        ("! call(my_error())", "reachability", 18),
        ("! deadlock", "deadlock", None),
        ("! data-race", None, None),
        ("! overflow", "overflow", 22),
    ],
)
def test_a_file_chooses_what_is_checked(file, formula: str, kind: str | None, line: int | None) -> None:
    Path("p.c").write_text(PROGRAM.replace("my_error();", "my_error();" if "call" in formula else "reach_error();"))
    spec = file(f"CHECK( init(main()), LTL(G {formula}) )")
    outcome = cseq.verify("p.c", rounds=2, spec=spec, timeout=60)
    assert outcome.verdict is Verdict.FALSE and outcome.violated is not None
    assert kind is None or outcome.violated.name == kind
    assert outcome.property == properties(spec)[0]
    if line is not None:
        assert outcome.violated.origin is not None and outcome.violated.origin.line == line


@pytest.mark.engine
@ENGINE
def test_what_a_file_does_not_ask_for_is_not_checked(file) -> None:
    Path("p.c").write_text("void reach_error(void) { }\nint main(void) { reach_error(); return 0; }\n")
    assert cseq.verify("p.c", backend="cbmc", spec=file(*MEMSAFETY), timeout=60).verdict is Verdict.TRUE
    spec = file(*MEMSAFETY, "CHECK( init(main()), LTL(G ! call(reach_error())) )")
    outcome = cseq.verify("p.c", backend="cbmc", spec=spec, timeout=60)
    assert outcome.verdict is Verdict.FALSE
    assert [part.property for part in outcome.parts] == ["unreach-call", "valid-memsafety"]
    assert [part.verdict for part in outcome.parts] == [Verdict.FALSE, Verdict.TRUE]


BEHIND = """\
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void reach_error(void) { %s }
void *f(void *arg) { x = 1; return 0; }
int main(void)
{
  pthread_t t;
  int a[2], i = 2, n = 2147483647;
  pthread_create(&t, 0, f, 0);
  %s
  %s
  return 0;
}
"""


@pytest.mark.engine
@ENGINE
@pytest.mark.parametrize(
    "formula, statement",
    [
        ("! data-race", "x = 2;"),
        ("! overflow", "n++;"),
        ("! deadlock", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);"),
        ("valid-deref", "a[i] = 1;"),
    ],
)
def test_what_comes_behind_a_reach_error_that_returns(file, formula: str, statement: str) -> None:
    """The function is nothing special where it is not asked for, and neither is the label."""
    spec = file(*MEMSAFETY) if formula == "valid-deref" else file(f"CHECK( init(main()), LTL(G {formula}) )")
    for body, call, verdict in (
        ("", "reach_error();", Verdict.FALSE),
        ("abort();", "reach_error();", Verdict.TRUE),
        ("", "ERROR:", Verdict.FALSE),
    ):
        Path("p.c").write_text(BEHIND % (body, call, statement))
        assert cseq.verify("p.c", rounds=2, prove=True, spec=spec, timeout=60).verdict is verdict, (body, call)


def test_a_file_is_all_that_is_asked(file) -> None:
    Path("p.c").write_text("int main(void) { return 0; }\n")
    spec = file("CHECK( init(main()), LTL(G ! overflow) )")
    with pytest.raises(UsageError, match="--spec and --race cannot be combined"):
        cseq.verify("p.c", spec=spec, race=True)
