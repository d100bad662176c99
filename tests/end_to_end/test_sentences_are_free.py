"""Nothing depends on how a report says something.

Programs are checked twice: with the sentences of reports, and with their keys in the place of these. All but the
sentences has to be the same: verdicts, exit statuses, rules with their CWE numbers, kinds of explanations, bounds,
witnesses, reproducers, and whatever else reports for programs have in them. With --all, all programs are checked.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

import pytest

from cseq.api import run
from cseq.backends.cbmc import BACKEND
from cseq.cli.options import read
from cseq.cli.request import Request
from cseq.cli.svcomp import line
from cseq.model.claims import Cut, Limit
from cseq.model.errors import CSeqError
from cseq.model.verdict import Outcome, Verdict
from cseq.pipeline.chain import load
from cseq.report import violations, waits, words
from cseq.report.explain.paragraph import explain
from cseq.report.json import jsonreport
from cseq.report.sarif import sarifreport
from cseq.report.text import terminal
from cseq.report.violation_kinds import kind_of
from cseq.report.witness import waypoints, yamlwitness
from cseq.reproducer.program import ProgramMaker, Source
from cseq.reproducer.program import refusal as no_program
from cseq.reproducer.turns import CannotReproduceError
from tests.support.checkout import ROOT
from tests.support.explained import kind
from tests.support.selection import everything
from tests.support.sentences import keys_only

ALL = everything()
CONFORMANCE, BENCHMARKS = ROOT / "tests" / "programs" / "conformance", ROOT / "sv-benchmarks"

needs_engine = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")

SENTENCES = frozenset({
    "message", "description", "explanation", "events", "waits", "text", "markdown", "reached", "bounds", "about",
    "help", "shortDescription", "fullDescription", "seconds", "statistics",
})  # fmt: skip
"""What reports for programs call their sentences, and what differs from run to run. Bounds are compared as they are."""

BUGS = (
    "memsafety/double_free", "memsafety/use_after_free", "memsafety/null_pointer", "memsafety/leak",
    "memsafety/index_race", "overflow/division", "overflow/shift_value", "deadlock/mutex_of_ended_thread",
    "deadlock/cond_missed", "deadlock/semaphore", "deadlock/barrier", "deadlock/once_circle",
    "deadlock/rwlock_upgrade", "deadlock/join_circle", "race/section", "race/once",
    "race/same_line", "threads/attributes_unready", "threads/join_misuse", "threads/cleanup_return",
    "language/variable_length_negative",
)  # fmt: skip
TASKS = (
    "lost_update_bad", "unlock_not_owner_bad", "late_mutex_init_bad", "second_unwinding_bad",
    "deadlock/philosophers_two_bad", "deadlock/join_self_bad", "race/one_sided_lock_bad",
    "lost_update_bad-explored", "uninit_call_bad-explored", "deadlock/philosophers_two_bad-explored",
    "race/freed_node_bad-explored",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """What is asked. words: the chain, and those of its command line."""

    name: str
    words: tuple[str, ...]

    def outcome(self) -> tuple[Outcome, Request]:
        """The answer. Raises CSeqError where the program is refused."""
        chain, *given = self.words
        task = read(load(chain), given)
        assert isinstance(task, Request)
        outcome: Any = run(task.way.having(moves=True), task.files)
        assert isinstance(outcome, Outcome)
        return outcome, task


def _property(name: str) -> tuple[str, str]:
    return "--spec", str(BENCHMARKS / "properties" / f"{name}.prp")


ONLY = {
    "--deadlock": "no-deadlock", "--race": "no-data-race", "--memsafety": "valid-memsafety",
    "--overflow": "no-overflow",
}  # fmt: skip


def conformance() -> list[Case]:
    """The buggy version of each program."""
    found = []
    for path in sorted(CONFORMANCE.glob("*/*.c")):
        header = path.read_text(encoding="utf-8").split("\n", 2)[1]
        if header.startswith(" * --"):
            options = header.removeprefix(" * ").removesuffix("*/").split()
            asked = [word for option in options for word in (_property(ONLY[option]) if option in ONLY else (option,))]
            name = str(path.relative_to(CONFORMANCE).with_suffix(""))
            found.append(Case(name, ("lazy", *asked, "-D", "BUG", str(path))))
    return found


def benchmarks() -> list[Case]:
    """Each program, searched symbolically and state by state."""
    found = []
    for path in sorted(BENCHMARKS.glob("*_bad.c")) + sorted(BENCHMARKS.glob("*/*_bad.c")):
        if path.parent.name == "library":  # those are no programs
            continue
        name = str(path.relative_to(BENCHMARKS).with_suffix(""))
        asked = _property({"deadlock": "no-deadlock", "race": "no-data-race"}.get(path.parent.name, "unreach-call"))
        if path.parent.name != "explicit":  # those take many rounds
            bounds = ("--rounds", "2", "--unwind", "2", "--unwinding-assertions")
            found.append(Case(name, ("lazy", *asked, *bounds, str(path))))
        found.append(Case(f"{name}-explored", ("explicit", *asked, str(path))))
    return found


OTHERS = [
    Case("levels", ("lazy", "--auto", str(BENCHMARKS / "second_unwinding_bad.c"))),
    Case("proof", ("lazy", "--auto", str(BENCHMARKS / "lost_update_good.c"))),
    Case("cut-off", ("lazy", "--rounds", "1", "--unwind", "1", str(BENCHMARKS / "second_unwinding_good.c"))),
]
"""Deepening, a proof, and an answer within bounds."""


def chosen() -> list[Case]:
    """What is checked here: all, or a sample with one of each kind."""
    everything = [*conformance(), *benchmarks()]
    if ALL:
        return [*everything, *OTHERS]
    named = {case.name: case for case in everything}
    return [*(named[name] for name in (*BUGS, *TASKS)), *OTHERS]


def without_sentences(value: Any) -> Any:
    """*value* without the members that are sentences."""
    if isinstance(value, dict):
        return {name: without_sentences(item) for name, item in value.items() if name not in SENTENCES}
    return [without_sentences(item) for item in value] if isinstance(value, list) else value


def program_of(part: Outcome, task: Request) -> Any:
    """What a reproducer of the violation has in it beside the words for what is violated."""
    if no_program(part) is not None:
        return None
    try:
        made = ProgramMaker(part, Source(tuple(map(str, task.files)))).program()
    except (CSeqError, CannotReproduceError) as error:
        return type(error).__name__
    assert part.violated is not None and part.counterexample is not None
    found = {item.name: getattr(made, item.name) for item in fields(made)}
    for as_keys in (False, True):  # a program's own comments may say the same
        with keys_only(as_keys):
            sentences = [words.description(part.violated), *map(waits.plain, part.counterexample.stuck)]
            for sentence in sentences:
                found["text"] = found["text"].replace(sentence, "…")
    return found


def witness_of(part: Outcome, task: Request) -> str:
    """The witness for the answer, if there is one, but for its own name."""
    if waypoints.refusal(part) is not None:
        return ""
    asked = waypoints.WitnessTask(tuple(map(str, task.files)), created=datetime(2000, 1, 1, tzinfo=UTC))
    return re.sub(r"uuid: .*", "", yamlwitness.render(part, asked))


def answer(case: Case) -> dict[str, Any]:
    """All that is said of a program but for the sentences; and how many there are, which are not empty."""
    try:
        outcome, task = case.outcome()
    except CSeqError as error:
        return {"refused": (type(error).__name__, error.exit_status, error.origin)}
    outcome.times, outcome.kept = {}, None
    files = tuple(map(str, task.files))
    parts = []
    for part in outcome.all():
        rule = kind_of(part.violated) if part.verdict is Verdict.FALSE else None
        shown = part.counterexample
        told = shown is not None and part.violated is not None
        parts.append(
            {
                "verdict": (part.property, part.verdict, part.reason, part.exit_status),
                "claim": part.violated.claim if part.violated is not None else None,
                "about": part.about,
                "rule": (rule.id, rule.cwes, rule.related) if rule is not None else None,
                "explanation": kind(shown, part.violated) if told else None,
                "bounds": [(bound.kind, bound.value, bound.cut, bound.origin, bound.certain) for bound in part.bounds],
                "reproducer": program_of(part, task),
                "witness": witness_of(part, task),
            }
        )
    return {
        "exit status": outcome.exit_status,
        "competition": line(outcome).partition(":")[0],
        "levels": [(level.bounds, level.verdict, level.reason, level.reached) for level in outcome.levels],
        "parts": parts,
        "json": without_sentences(jsonreport.report(outcome, files, {})),
        "sarif": without_sentences(json.loads(sarifreport.render(outcome, files, ("cseq", *files)))),
        "lines": len(terminal.render(outcome, steps=True, details=True).splitlines()),
    }


@needs_engine
@pytest.mark.parametrize("case", chosen(), ids=lambda case: case.name)
def test_the_answer_is_the_same_without_sentences(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with_sentences = answer(case)
    monkeypatch.setenv("CSEQ_SENTENCES", "keys")  # for other processes
    with keys_only():
        without = answer(case)
    for name, found in with_sentences.items():
        assert without[name] == found, name


@needs_engine
def test_no_sentence_is_left() -> None:
    """The mode does what it says: of the words for a violation, nothing but keys is left."""
    case = next(case for case in conformance() if case.name == "memsafety/double_free")
    with keys_only():
        outcome, _ = case.outcome()
        assert words.answer(outcome).startswith("<claim.memsafety.free>") and " free" not in words.answer(outcome)
        assert set(explain(outcome).split()) == {"<explanation>"}
    assert words.answer(outcome).startswith("invalid free of `buffer`")


def test_the_mode_is_left_again() -> None:
    said: Callable[[], str] = lambda: violations.cut(Cut(Limit.LOOP, 2))  # noqa: E731
    with keys_only():
        assert said() == "<cut.loop>"
        with keys_only(False):
            assert said() == "the loop may run more than 2 times"
        assert said() == "<cut.loop>"
    assert said() == "the loop may run more than 2 times"
