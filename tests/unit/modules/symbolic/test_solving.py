"""CBMC's solvers: which are there, what they answer, and that whatever is wrong with one of them is no verdict."""

import os
import shutil
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cseq.backends.base import Answer, Options
from cseq.backends.cbmc import BACKEND
from cseq.model.activity import Activity, ActivityKind, Phase
from cseq.model.errors import BackendError, UsageError
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.symbolic.replay import SymbolicReplay
from cseq.modules.symbolic.run import SOLVERS, SymbolicRun
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Context, Unit
from cseq.pipeline.status import Event, PhaseBegan
from cseq.process.run import Completed
from tests.support.checkout import ROOT
from tests.support.fake_engine import answering, fake, sent
from tests.support.processes import alive

pytestmark = pytest.mark.engine

TRIVIAL = "#include <assert.h>\nint x; int main(void) { assert(x == 0); return 0; }\n"
PAIRS = {"bank_transfer": (2, 1), "check_then_use": (2, 1)}
"""Programs of sv-benchmarks, with their rounds and unwinding."""


@cache
def real() -> Path | None:
    """A CBMC that can be let use solvers."""
    path = BACKEND.find()
    return path if path and (BACKEND.version(path) or (0,)) >= (6,) else None


needs_solvers = pytest.mark.skipif(real() is None, reason="there is no CBMC 6 (setup/provide-cbmc)")


@cache
def translated(folder: Path, name: str) -> tuple[dict[str, Any], dict[str, Any], Unit]:
    """A program of sv-benchmarks on its way to the engine: the values of the parameters, the facts, the program."""
    rounds, unwind = PAIRS[name.rpartition("_")[0]]
    text = (ROOT / "sv-benchmarks" / f"{name}.c").read_text(encoding="utf-8")
    context, unit = sent(folder, text, rounds=rounds, unwind=unwind)
    return context.values, context.facts, unit


def asked(folder: Path, name: str, solver: str) -> tuple[Context, Answer]:
    folder.mkdir(exist_ok=True)
    values, facts, unit = translated(folder, name)
    context = Context({**values, "solver": solver}, folder, facts.copy())
    return context, SymbolicRun(context).run(unit)


def script(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    """Put a script in the place of a solver."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@needs_solvers
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("solver", BACKEND.solvers)
def test_verdicts_of_a_program_and_its_twin(tmp_path_factory: pytest.TempPathFactory, solver: str, name: str) -> None:
    if solver != "minisat" and shutil.which(solver) is None:
        pytest.skip(f"{solver} is not installed")
    folder = tmp_path_factory.getbasetemp() / "solvers"
    context, answer = asked(folder, f"{name}_bad", solver)
    assert (answer.status, answer.solver) == ("violated", solver)
    outcome = SymbolicReplay(context).run(answer)
    assert isinstance(outcome, Outcome) and outcome.verdict is Verdict.FALSE, outcome
    context, answer = asked(folder, f"{name}_good", solver)
    assert (answer.status, answer.solver, context.facts[SOLVERS]) == ("safe", solver, (solver,))


FAILURES = {
    "z3": {
        "exit 1": "no verdict (exit status 6)",
        "exit 0": "no verdict (exit status 6)",
        "kill -9 $$": "no verdict (exit status 6)",
        "kill -11 $$": "no verdict (exit status 6)",
        "echo nonsense": "no verdict (exit status 6)",
        "head -c 5000 /dev/urandom": "",
        "echo unknown": 'SMT2 solver returned "unknown"',
        "echo '(error \"line 3: invalid\")'; echo unsat": 'SMT2 solver returned error message: "line 3: invalid"',
        "echo sat": "",
    },
    "kissat": {
        "exit 1": "the SAT solver failed (exit status 1)",
        "exit 0": "the SAT solver failed (exit status 0)",
        "kill -9 $$": "the SAT solver failed (exit status 137)",
        "echo nonsense; exit 20": "CBMC says: external SAT solver has provided an unexpected response",
        "echo 's UNSATISFIABLE'; exit 1": "the SAT solver failed (exit status 1)",
        "echo 's UNSATISFIABLE'; kill -11 $$": "the SAT solver failed (exit status 139)",
        "echo 's UNKNOWN'": "the SAT solver failed (exit status 0)",
        "echo 's UNSAT'; exit 20": "CBMC says: external SAT solver has provided an unexpected response",
        "echo 's SATISFIABLE'; exit 10": "CBMC says: no verdict (exit status 5)",
        "echo 's SATISFIABLE'; echo 'v 1 2 x 0'; exit 10": "CBMC says: SAT assignment x",
    },
}


@needs_solvers
@pytest.mark.parametrize(("solver", "text"), [(solver, text) for solver in FAILURES for text in FAILURES[solver]])
def test_failure_of_a_solver_is_no_verdict(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solver: str, text: str
) -> None:
    script(tmp_path / "bin", monkeypatch, solver, text)
    with pytest.raises(BackendError) as caught:
        asked(tmp_path_factory.getbasetemp() / "solvers", "bank_transfer_good", solver)
    assert caught.value.message.startswith(f"the backend `cbmc` failed: {solver}: ")
    assert FAILURES[solver][text] in caught.value.message


@needs_solvers
def test_solver_that_hangs_is_killed(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    script(tmp_path / "bin", monkeypatch, "z3", f"trap '' TERM; echo $$ > {started}; sleep 60")
    folder = tmp_path_factory.getbasetemp() / "solvers"
    folder.mkdir(exist_ok=True)
    values, facts, unit = translated(folder, "bank_transfer_good")
    context = Context({**values, "solver": "z3", "timeout": 3.0}, folder, facts.copy())
    assert SymbolicRun(context).run(unit) == Answer("timeout", solver="z3")
    if started.exists():  # on a machine that is very busy it may not have come to that
        assert not alive(int(started.read_text()))


def options(version: str, solver: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options that make this version of CBMC use the solver."""
    path = folder / version
    path.write_text(f"#!/bin/sh\necho '{version} (cbmc-{version})'\n")
    path.chmod(0o755)
    plain = BACKEND.command(path, Path("x.i"), Options())
    command = BACKEND.command(path, Path("x.i"), Options(solver=solver))
    assert command[: len(plain)] == plain
    return command[len(plain) :]


def test_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in BACKEND.solvers:
        script(tmp_path / "bin", monkeypatch, name, "")
    told = {name: options("6.6.0", name, tmp_path, monkeypatch) for name in BACKEND.solvers}
    assert told == {
        "minisat": ["--sat-solver", "minisat2"],
        "cadical": ["--external-sat-solver", "cadical"],
        "kissat": ["--external-sat-solver", "kissat"],
        "z3": ["--z3"],
        "bitwuzla": ["--bitwuzla"],
        "cvc5": ["--cvc5"],
    }
    assert options("5.12", "minisat", tmp_path, monkeypatch) == []


@pytest.mark.parametrize("solver", [name for name in BACKEND.solvers if name != "minisat"])
def test_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solver: str) -> None:
    with pytest.raises(UsageError) as caught:
        options("5.12", solver, tmp_path, monkeypatch)
    known = "CBMC 6 knows minisat, cadical, kissat, bitwuzla, z3 and cvc5"
    assert caught.value.message == f"CBMC 5.12 cannot use {solver}; it knows minisat ({known})"


def test_solver_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    monkeypatch.setattr("cseq.process.tools.known_to_apt", frozenset)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(BackendError) as caught:
        options("6.6.0", "cadical", tmp_path, monkeypatch)
    said = "the solver `cadical` is not installed (to install it: sudo apt-get install cadical)"
    assert caught.value.message == said


@pytest.mark.parametrize("limited", [False, True])
def test_crash_of_cbmc_is_no_lack_of_memory(limited: bool) -> None:
    said = (
        "--- begin invariant violation report ---\nInvariant check failed\nFile: a.cpp:1\nReason: too few\nBacktrace:\n"
    )
    completed = Completed(-6, "[", said, limited=limited)
    assert BACKEND.parse(completed, Path("x.i")) == Answer("error", "CBMC crashed: too few")


def test_solver_that_is_not_compiled_in() -> None:
    warning = "The specified solver, 'minisat2', is not available. The default solver will be used instead."
    said = f'[{{"messageText": "{warning}"}}, {{"cProverStatus": "success"}}]'
    assert BACKEND.parse(Completed(0, said, ""), Path("x.i")) == Answer("error", f"CBMC says: {warning}")


@pytest.mark.parametrize(
    ("backend", "solver", "complaint"),
    [
        ("cbmc", "chaff", r"^solver: `chaff` is not one of minisat, cadical, .*, portfolio$"),
        ("cbmc", "boolector", r"^the backend `cbmc` has no solver `boolector` \(known: minisat, .*, portfolio\)$"),
        ("klee", "z3", r"^the backend `klee` has no choice of solvers$"),
    ],
)
def test_solver_that_is_not_known(tmp_path: Path, backend: str, solver: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        sent(tmp_path, TRIVIAL, backend=backend, solver=solver)


def installed(monkeypatch: pytest.MonkeyPatch, *solvers: str) -> None:
    """Let these solvers be on PATH, and no other."""
    which = shutil.which

    def found(name: str, *_: object) -> str | None:
        if name in BACKEND.solvers:
            return name if name in solvers else None
        return which(name)

    monkeypatch.setattr(shutil, "which", found)


ANSWERED = Fact[Answer]("answered")


def portfolio(folder: Path, monkeypatch: pytest.MonkeyPatch, cores: int = 9, **scripts: str) -> Context:
    """Run a portfolio in which CBMC does what the *scripts* say, by solver; only those are installed."""
    names = {name: " ".join(words) for name, words in SOLVER_WORDS.items()}
    cases = " ".join(f'*"{names[name]}") {text} ;;' for name, text in scripts.items())
    fake(folder, monkeypatch, f'case "$*" in {cases} esac')
    installed(monkeypatch, *scripts)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    context, unit = sent(folder, TRIVIAL, solver="portfolio", timeout=20)
    context.facts[ANSWERED] = SymbolicRun(context).run(unit)
    return context


SOLVER_WORDS = {"minisat": ["minisat2"], "kissat": ["kissat"], "z3": ["--z3"], "cvc5": ["--cvc5"]}
NOISE = "echo nonsense; exit 6"


def test_first_answer_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    safe = answering(tmp_path, "safe")
    slow = f"echo $$ > {tmp_path}/slow; exec sleep 60"
    begun = time.monotonic()
    until = f"while [ ! -s {tmp_path}/slow ]; do sleep 0.01; done"
    context = portfolio(tmp_path, monkeypatch, minisat=slow, kissat=NOISE, z3=f"{until}; {safe}")
    assert time.monotonic() - begun < 20
    assert context.facts[ANSWERED] == Answer("safe", solver="z3")
    assert context.facts[SOLVERS] == ("z3",)
    assert not alive(int((tmp_path / "slow").read_text()))


def test_as_many_as_there_are_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    safe = answering(tmp_path, "safe")
    with pytest.raises(BackendError, match="minisat: "):
        portfolio(tmp_path, monkeypatch, cores=1, minisat=NOISE, z3=safe)
    assert portfolio(tmp_path, monkeypatch, cores=2, minisat=NOISE, z3=safe).facts[SOLVERS] == ("z3",)


def test_what_each_solver_does_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The second begins when the first has, and both end when that has been heard.
    said = """echo '[{"messageText": "%s"}'"""
    first = f"{said % 'Starting Bounded Model Checking'}; touch {tmp_path}/begun"
    second = f"until [ -e {tmp_path}/begun ]; do sleep 0.01; done; {said % 'converting SSA'}"
    end = f"until [ -e {tmp_path}/heard ]; do sleep 0.01; done; exit 6"
    fake(tmp_path, monkeypatch, f'case "$*" in *--z3) {second} ;; *) {first} ;; esac; {end}')
    installed(monkeypatch, "minisat", "z3")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    context, unit = sent(tmp_path, TRIVIAL, solver="portfolio", timeout=20)
    phases: list[Phase] = []

    def watch(event: Event) -> None:
        assert isinstance(event, PhaseBegan)
        phases.append(event.phase)
        if "z3" in dict(event.phase.activities):
            (tmp_path / "heard").touch()

    context.watcher = watch
    with pytest.raises(BackendError):
        SymbolicRun(context).run(unit)
    executing, solving = Activity(ActivityKind.EXECUTING_SYMBOLICALLY), Activity(ActivityKind.SOLVING)
    assert phases[-1] == Phase((("minisat", executing), ("z3", solving)), "cbmc")


def test_all_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackendError) as caught:
        portfolio(tmp_path, monkeypatch, minisat="kill -11 $$", z3=f"sleep 0.3; {NOISE}")
    nonsense = "CBMC's output (exit status 6) is not JSON: nonsense"
    assert caught.value.message == f"the backend `cbmc` failed: minisat: CBMC was killed by signal 11; z3: {nonsense}"


def test_some_fail_and_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, 'case "$*" in *--z3) exit 6 ;; *) exec sleep 60 ;; esac')
    installed(monkeypatch, "z3")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    context, unit = sent(tmp_path, TRIVIAL, solver="portfolio", timeout=0.5)
    assert SymbolicRun(context).run(unit).status == "timeout"
