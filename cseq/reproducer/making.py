"""Make the reproducer of a violation, and check that it fails before the user gets it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from cseq.model.actions import ActionKind
from cseq.model.verdict import Outcome, Verdict
from cseq.reproducer import running
from cseq.reproducer.program import ProgramMaker, ReproducerProgram, Source
from cseq.reproducer.turns import CannotReproduceError

__all__ = ["CannotReproduceError", "Source", "reproducer"]

_TIMES = 3
"""The number of runs in which it has to fail."""


def reproducer(outcome: Outcome, source: Source) -> ReproducerProgram:
    """The program that fails as *outcome* says; it has done so in each of several runs.

    Raises CannotReproduceError, with the reason, if there is none.
    """
    violated = [part for part in outcome.all() if part.verdict is Verdict.FALSE]
    reasons: list[str] = []
    for part in violated or [outcome]:
        try:
            return _seen(part, source)
        except CannotReproduceError as error:
            reasons.append(str(error))
    raise CannotReproduceError(reasons[0])


def _seen(outcome: Outcome, source: Source) -> ReproducerProgram:
    reasons: list[str] = []
    for program in _ways(outcome, source):
        why = _wrong(program)
        if not why:
            return program
        reasons.append(why)
    why = reasons[-1] if source.bits == 32 else reasons[0]
    shown = outcome.counterexample
    if shown is not None and any(action.kind is not ActionKind.WAKE for _, action in shown.spurious()):
        raise CannotReproduceError("a call fails without a reason, which it does not do on this machine")
    raise CannotReproduceError(f"the program that was made does not fail as it has to: {why}")


def _ways(outcome: Outcome, source: Source) -> Iterator[ReproducerProgram]:
    """The programs that may fail, the simplest first."""
    for bits in (64, 32) if source.bits == 32 else (64,):
        maker = ProgramMaker(outcome, source, bits=bits)
        yield maker.program()
        if maker.has_values():
            yield ProgramMaker(outcome, source, with_values=True, bits=bits).program()


def _wrong(program: ReproducerProgram) -> str:
    """What is wrong with the program; "" if it fails as it has to."""
    with tempfile.TemporaryDirectory(prefix="cseq-") as folder:
        binary = running.compiled(program, Path(folder))
        if isinstance(binary, str):
            return binary
        why = next((why for why in running.runs(program, binary, _TIMES) if why), "")
        if not why and program.race and not running.seen_by_sanitizer(program, Path(folder)):
            return "ThreadSanitizer does not report the race"
        return why
