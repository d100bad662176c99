"""The engine gets the program, and its failures become errors of one line."""

import sys
import time
from pathlib import Path

import pytest

from cseq.backends.base import Answer
from cseq.backends.cbmc import BACKEND
from cseq.model.activity import Activity, ActivityKind, Amount, Phase, phase
from cseq.model.errors import BackendError
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.symbolic.replay import SymbolicReplay
from cseq.modules.symbolic.run import ANSWER, SymbolicRun
from cseq.pipeline.status import Event, PhaseBegan
from cseq.report.words import description
from tests.support.fake_engine import answering, fake, missing, sent

pytestmark = pytest.mark.engine

PROGRAM = "#include <assert.h>\nint x; int main(void) { assert(x == 0); return 0; }\n"


def fed(folder: Path, **parameters: object) -> Answer:
    context, unit = sent(folder, PROGRAM, **parameters)
    answer = SymbolicRun(context).run(unit)
    assert context.facts[ANSWER] is answer
    return answer


def test_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "safe"))
    assert fed(tmp_path) == Answer("safe")
    assert "success" in (tmp_path / "sequentialized.log").read_text()


def test_violation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "violated", "assertion: x == 0", (1, 2)))
    assert fed(tmp_path) == Answer("violated", description="assertion: x == 0", inputs=[1, 2])


@pytest.mark.parametrize("bits", [32, 64])
def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    fake(tmp_path, monkeypatch, f'echo "$@" > arguments; cp "$1" given; {answering(tmp_path, "safe")}')
    context, unit = sent(tmp_path, PROGRAM, bits=bits)
    SymbolicRun(context).run(unit)
    program = tmp_path / "sequentialized.i"
    assert (tmp_path / "given").read_text() == program.read_text() == unit.text
    words = (tmp_path / "arguments").read_text().split()
    assert words[0] == str(program)
    assert f"--{bits}" in words


def test_phase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "safe"))
    context, unit = sent(tmp_path, PROGRAM)
    phases: list[str] = []
    context.progress = phases.append
    SymbolicRun(context).run(unit)
    assert phases == ["cbmc"]


def test_what_the_engine_does_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = '{"messageText": "size of program expression: 12 steps"}, {"messageText": "converting SSA"}'
    fake(tmp_path, monkeypatch, f'echo \'[{said}, {{"cProverStatus": "success"}}]\'')
    context, unit = sent(tmp_path, PROGRAM)
    phases: list[Event] = []
    context.watcher = phases.append
    assert SymbolicRun(context).run(unit).status == "safe"
    solving = (("", Activity(ActivityKind.SOLVING, ((Amount.STEPS, 12),))),)
    assert (phases[0], phases[-1]) == (
        PhaseBegan(phase(ActivityKind.RUNNING, "cbmc")),
        PhaseBegan(Phase(solving, "cbmc")),
    )
    SymbolicRun(context).feed(unit, "unwinding")
    assert phases[-1] == PhaseBegan(Phase(solving, "cbmc", about_bounds=True))


def test_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing(tmp_path, monkeypatch)
    with pytest.raises(BackendError, match=r"`cbmc` is not installed .*cseq doctor"):
        fed(tmp_path)


@pytest.mark.parametrize(
    "script, complaint",
    [
        ("echo nonsense", "CBMC's output (exit status 0) is not JSON: nonsense"),
        ("echo oops >&2; exit 6", "CBMC's output (exit status 6) is not JSON: oops"),
        ("""echo '[{"messageType": "ERROR", "messageText": "no main"}]'; exit 6""", "CBMC says: no main"),
        ("kill -9 $$", "CBMC was killed by signal 9"),
        ("kill -11 $$", "CBMC was killed by signal 11"),
        ("exit 0", "CBMC's output (exit status 0) is not JSON: "),
        ("exit 10", "CBMC's output (exit status 10) is not JSON: "),
        ("echo '[]'; exit 10", "CBMC says: no verdict (exit status 10)"),
        ("""echo '[{"cProverStatus": "success"}]'; exit 10""", "CBMC says: no verdict (exit status 10)"),
        ("""echo '[{"cProverStatus": "failure"}]'; exit 10""", "CBMC says: no verdict (exit status 10)"),
        ("head -c 100000 /dev/zero | tr '\\0' '['", "its output cannot be read (RecursionError)"),
        ("head -c 9999 /dev/zero | tr '\\0' 7", "its output cannot be read (ValueError)"),
        (
            """echo '[7, {"status": "FAILURE", "trace": [3]}, {"cProverStatus": "failure"}]'; exit 10""",
            "its output cannot be read (AttributeError)",
        ),
    ],
)
def test_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, complaint: str) -> None:
    fake(tmp_path, monkeypatch, script)
    with pytest.raises(BackendError) as caught:
        fed(tmp_path)
    assert caught.value.message == f"the backend `cbmc` failed: {complaint}"
    assert (tmp_path / "sequentialized.log").exists()


def test_not_cbmc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSEQ_CBMC", "/bin/true")
    with pytest.raises(BackendError, match="/bin/true does not say its version as CBMC does"):
        fed(tmp_path)


def test_hangs_when_asked_for_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cbmc").write_text("#!/bin/sh\nsleep 60\n")
    (tmp_path / "cbmc").chmod(0o755)
    monkeypatch.setenv("CSEQ_CBMC", str(tmp_path / "cbmc"))
    monkeypatch.setattr("cseq.backends.cbmc._PATIENCE", 0.3)
    begun = time.monotonic()
    with pytest.raises(BackendError, match="does not say its version"):
        fed(tmp_path)
    assert time.monotonic() - begun < 30


def test_slow_to_tell_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "sleep 60")
    script = tmp_path / "fake-cbmc"
    script.write_text(script.read_text().replace("then echo", "then sleep 0.4; echo"))
    assert fed(tmp_path, timeout=0.1) == Answer("timeout")


def test_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "sleep 60")
    assert fed(tmp_path, timeout=0.2) == Answer("timeout")


def test_program_that_ignores_the_signal_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "trap '' TERM INT HUP; while :; do sleep 0.1; done")
    assert fed(tmp_path, timeout=0.3) == Answer("timeout")


def test_prints_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cseq.modules.symbolic.solving.OUTPUT", 1)
    fake(tmp_path, monkeypatch, "exec yes")
    with pytest.raises(BackendError, match=r"^the backend `cbmc` failed: it prints more than 1 MB$"):
        fed(tmp_path, timeout=60)


def test_fills_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cseq.modules.symbolic.solving.FILES", 3)
    fake(tmp_path, monkeypatch, "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > $i; done")
    with pytest.raises(BackendError, match=r"^the backend `cbmc` failed: it writes more than 3 MB of files$"):
        fed(tmp_path, timeout=60)


def test_uses_more_memory_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    eater = f"{sys.executable} -c 'b = bytearray(80 << 20); import time; time.sleep(60)'"
    fake(tmp_path, monkeypatch, f"{eater} & {eater} & {eater} & wait")
    assert fed(tmp_path, memlimit=200, timeout=60) == Answer("memory")


def test_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "ulimit -v > limit; kill -6 $$")
    assert fed(tmp_path, memlimit=700) == Answer("memory")
    assert (tmp_path / "limit").read_text().strip() == str(700 * 1024)


def prepared(folder: Path, monkeypatch: pytest.MonkeyPatch, *commands: str, timeout: float | None = None) -> Answer:
    """The answer of an engine for which *commands* prepare the program."""
    fake(folder, monkeypatch, answering(folder, "safe"))
    lines = [["sh", "-c", command] for command in commands]
    monkeypatch.setattr(type(BACKEND), "prepare", lambda self, path, program, options: lines)
    return fed(folder, timeout=timeout)


def test_what_prepares_the_program_runs_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert prepared(tmp_path, monkeypatch, "echo 1 > order", "echo 2 >> order") == Answer("safe")
    assert (tmp_path / "order").read_text() == "1\n2\n"


def test_what_prepares_the_program_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackendError) as caught:
        prepared(tmp_path, monkeypatch, "echo no such thing >&2; exit 1")
    assert caught.value.message == "the backend `cbmc` failed: sh says: no such thing"


def test_what_prepares_the_program_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert prepared(tmp_path, monkeypatch, "sleep 60", timeout=0.2) == Answer("timeout")


def test_an_engine_that_only_tells_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "safe"))
    context, unit = sent(tmp_path, PROGRAM)
    line = next(n for n, text in enumerate(unit.text.splitlines(), 1) if "__CPROVER_assert(x == 0" in text)
    told = Answer("violated", inputs=None, line=line)
    monkeypatch.setattr(type(BACKEND), "parse", lambda self, completed, program: told)
    answer = SymbolicRun(context).run(unit)
    assert answer.description == "assertion: x == 0"
    assert answer.origin is not None and answer.origin.line == 2
    outcome = SymbolicReplay(context).run(answer)
    assert isinstance(outcome, Outcome) and outcome.verdict is Verdict.FALSE and outcome.counterexample is None
    assert outcome.violated is not None and description(outcome.violated) == "assertion `x == 0`"
    assert "the violation is not replayed: cbmc reports no inputs" in [caution.message for caution in context.warnings]


def test_an_engine_that_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, _ = sent(tmp_path, PROGRAM)
    outcome = SymbolicReplay(context).run(Answer("violated", inputs=None))
    assert isinstance(outcome, Outcome) and outcome.verdict is Verdict.UNKNOWN
