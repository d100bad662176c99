"""The race: further searches where processors are free, who did what, and what is left."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import cseq
from cseq.model.jobrecords import JobEnd, JobName, JobRecord
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.pipeline.status import Event, JobsChanged
from cseq.portfolio import engine_race as auto
from cseq.portfolio.engine_race import RaceLog
from cseq.portfolio.families import Families
from cseq.portfolio.further import Entrant, further
from tests.support.processes import alive
from tests.unit.portfolio.test_families import explicit  # noqa: F401

pytestmark = pytest.mark.engine

SLEEPING = '#!/bin/sh\nif [ "$1" = --version ]; then echo "6.6.0 (cbmc-6.6.0)"; exit; fi\nsleep 100\n'


@pytest.fixture
def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Further searches begin soon, and the symbolic engine has no answer."""
    monkeypatch.setattr(auto, "_HEAD_START", 0.1)
    monkeypatch.setattr(auto, "PATIENCE", 0.1)
    engine = tmp_path / "cbmc"
    engine.write_text(SLEEPING)
    engine.chmod(0o755)
    monkeypatch.setenv("CSEQ_CBMC", str(engine))


def ends(outcome: Outcome) -> set[tuple[str, str, JobEnd]]:
    return {(record.name.engine, record.name.search, record.end) for record in outcome.jobs}


def test_a_further_search_has_the_answer(
    impatient: None,
    explicit: Callable[..., Path],  # noqa: F811
) -> None:
    explicit(
        """
        if values["search"] == "icb":
            return Outcome(Verdict.TRUE)
        time.sleep(100)
        """.replace("values", "self.context.values")
    )
    outcome = cseq.verify("safe.c", jobs=8)
    assert (outcome.verdict, outcome.backend, outcome.attempts) == (Verdict.TRUE, "native", [])
    found = ends(outcome)
    assert {("native", "icb", JobEnd.PROVED), ("native", "", JobEnd.STOPPED), ("cbmc", "", JobEnd.STOPPED)} <= found
    assert all(record.name.property == "unreach-call" for record in outcome.jobs)


def test_where_no_processor_is_free_nobody_else_takes_part(
    impatient: None,
    explicit: Callable[..., Path],  # noqa: F811
) -> None:
    explicit("time.sleep(2.5)\nreturn Outcome(Verdict.TRUE)")
    for jobs in (1, 2):
        outcome = cseq.verify("safe.c", jobs=jobs)
        assert ends(outcome) == {("native", "", JobEnd.PROVED), ("cbmc", "", JobEnd.STOPPED)}


def test_nobody_waits_for_further_searches(
    impatient: None,
    explicit: Callable[..., Path],  # noqa: F811
    tmp_path: Path,
) -> None:
    """When the families are done, so is the race; and a further search without a violation is no answer."""
    folder = explicit(
        f"""
        values = self.context.values
        other = Path({str(tmp_path)!r}, "other")
        if values["search"] == "icb":
            other.with_suffix(".new").write_text(str(os.getpid()))
            other.with_suffix(".new").rename(other)
            time.sleep(100)
        if values["search"] != "bfs":
            return Outcome(Verdict.UNKNOWN, Reason.BOUNDED)
        while not other.exists():
            time.sleep(0.01)
        return Outcome(Verdict.UNKNOWN, Reason.MEMORY)
        """
    )
    assert folder.exists()
    (tmp_path / "cbmc").unlink()
    outcome = cseq.verify("safe.c", jobs=6)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.MEMORY)
    assert ("native", "icb", JobEnd.STOPPED) in ends(outcome)
    assert not alive(int((tmp_path / "other").read_text()))


def test_a_further_search_that_fails_is_named(
    impatient: None,
    explicit: Callable[..., Path],  # noqa: F811
) -> None:
    explicit("""
        if self.context.values["search"] == "icb":
            raise BackendError("it crashed")
        while not Path("crashed").exists():
            time.sleep(0.01)
        return Outcome(Verdict.TRUE)
        """)
    over = auto._Race._over

    def noted(race: auto._Race, contender: str, answer: object) -> object:
        if isinstance(answer, Exception) and "crashed" in str(answer):
            Path("crashed").touch()
        return over(race, contender, answer)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto._Race, "_over", noted)
        outcome = cseq.verify("safe.c", jobs=8)
    assert outcome.verdict is Verdict.TRUE
    assert [str(caution) for caution in outcome.warnings] == ["native, icb: it crashed; please report it"]


ENDLESS = """
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int a, b;
void *f(void *u) { for (int i = 0; i < 1000000; i++) a = a * 3 + b; return u; }
int main(void) {
  pthread_t t;
  a = __VERIFIER_nondet_int();
  pthread_create(&t, 0, f, 0);
  for (int i = 0; i < 1000000; i++) b = b * 5 + a;
  pthread_join(t, 0);
  assert(b != 123456789);
  return 0;
}
"""


def test_a_finished_level_stays_when_the_time_is_up(
    explicit: Callable[..., Path],  # noqa: F811
) -> None:
    explicit("time.sleep(100)")
    Path("endless.c").write_text(ENDLESS)
    outcome = cseq.verify("endless.c", timeout=8, jobs=1)
    assert (outcome.verdict, outcome.exit_status, outcome.backend) == (Verdict.UNKNOWN, 0, "cbmc")
    assert outcome.levels and outcome.levels[0].verdict is Verdict.UNKNOWN


# --- which further searches there are ---


def entrants(symbolic: bool = True, explicit_: bool = True, count: int = 40) -> list[Entrant]:
    way, rivals = Families().ways({})
    found = further("unreach-call", rivals[0] if explicit_ else None, way if symbolic else None, ["minisat", "cadical"])
    return list(islice(found, count))


def test_further_searches_differ() -> None:
    found = entrants()
    assert len({(entrant.name, str(sorted(map(str, entrant.way.values.items())))) for entrant in found}) == 40
    assert len({entrant.label for entrant in found}) == 40
    assert all(entrant.is_further and entrant.name.property == "unreach-call" for entrant in found)
    assert {entrant.name.search for entrant in found} == {"", "swarm", "icb", "random", "auto", "dfs"}
    seconds = [entrant.seconds for entrant in found]
    assert seconds == sorted(seconds, key=float) and seconds[0] != seconds[-1]


def test_what_further_searches_do() -> None:
    found = entrants()
    for entrant in found:
        values = entrant.way.values
        if entrant.name.engine == "native":
            assert (entrant.name.search == "swarm") == values.get("bitstate", False) == values.get("shuffle", False)
            assert entrant.name.seed in (None, values["seed"]) and values["seed"] >= 1
        else:
            assert (values["prove"], values["auto"]) == (False, False), "it is asked for a violation"
            assert dict(entrant.name.bounds)["rounds"] == values["rounds"] >= 2
            assert values["unwind"] > 1
    solvers = [entrant.way.values["solver"] for entrant in found if entrant.name.engine != "native"]
    assert set(solvers) == {"minisat", "cadical"}
    assert found[0].name.engine != "native", "larger bounds differ most from the first searches"


def test_only_families_that_take_part_have_further_searches() -> None:
    assert {entrant.name.engine for entrant in entrants(symbolic=False)} == {"native"}
    assert {entrant.name.engine for entrant in entrants(explicit_=False)} == {"cbmc"}
    assert entrants(symbolic=False, explicit_=False) == []


# --- who did what ---


def test_what_became_of_whom() -> None:
    way, rivals = Families().ways({})
    told: list[Event] = []
    raced = RaceLog(told.append)
    search = next(further("a", rivals[0], None))
    for label, entrant in (("n", Entrant.of(rivals[0], "a")), ("c", Entrant.of(way, "b")), ("f", search)):
        raced.enter(label, entrant)
    assert raced.is_entering
    raced.begin("n")
    raced.begin("f")
    assert not raced.is_entering, "of the families it does not matter"
    assert (raced.further, told[-1]) == (1, JobsChanged((search.name,), 0))
    raced.add(JobRecord(JobName("cbmc", "b", tile="1/2"), JobEnd.NOTHING, 1))
    raced.end("f", JobEnd.NOTHING)
    raced.end("f", JobEnd.FAILED)  # it was over
    raced.stop("c")  # it had not begun
    assert told[-1] == JobsChanged((), 1)
    assert [(job.name.engine, job.end) for job in raced.jobs("a")] == [
        ("native", JobEnd.NOTHING),
        ("native", JobEnd.STOPPED),
    ]
    assert [job.name.tile for job in raced.jobs("b")] == ["1/2"]
