"""Explore a step program with SPIN."""

import os
import struct
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from cseq.backends import spin
from cseq.backends.native import EXPLORER, EXPLORER_SOURCES
from cseq.backends.spin import PanOptions, PanOutput
from cseq.c.preprocess import compiler
from cseq.model.activity import ActivityKind, Phase, phase
from cseq.model.claims import Claim, Kind, Reason
from cseq.model.errors import BackendError, MissingError, UsageError
from cseq.modules.explicit import promela
from cseq.modules.explicit.encode.step_program import STEPS, Label, Steps, is_label, labels_hook
from cseq.modules.explicit.engine import (
    BITSTATE,
    DEPTH,
    ENGINE,
    EXPLORATION,
    FAIR,
    FORMULA,
    LIVELY,
    NO_POR,
    SEED,
    Exploration,
    NoTimeToBuildError,
    build,
    compiled,
    kept,
)
from cseq.modules.explicit.promela import Check, Model
from cseq.modules.frontend.observers.observers import PROP
from cseq.modules.questions import ltl
from cseq.options.properties import (
    ACCEPTANCE,
    CHECKING,
    DEADLOCK,
    LTL,
    MEMLIMIT,
    PROGRESS,
    PROPERTY,
    TERMINATION,
    TIMEOUT,
)
from cseq.pipeline.facts import Gives, Needs
from cseq.pipeline.stage import Parameter, Unit, Wrapper
from cseq.pipeline.status import PhaseBegan
from cseq.pipeline.translator import user_name
from cseq.process.run import Completed, Limits, first, run

SWARM: Parameter[int | None] = Parameter(
    "swarm", int, None, "let SPIN search N times, each time in another order, marking states in a table",
    ("--swarm",), "N", minimum=1,
)  # fmt: skip
CORES = Parameter("cores", int, 1, "let SPIN or TLC search on N cores", ("--cores",), "N", minimum=1)

_MOST_OPTIONS = 4096
_BITS = 30  # log2 of the size in bits of the table in which states are marked: 128 MB

_KINDS = {LTL: "claim", TERMINATION: "claim", PROGRESS: "progress", ACCEPTANCE: "acceptance"}
"""How pan searches for violations of properties of infinite executions."""

_LABELS = {PROGRESS: Label.PROGRESS, ACCEPTANCE: Label.ACCEPT}

_LARGEST = frozenset({"depth", "state_bytes", "memory", "hash_factor"})

_LIMITS = {spin.OUT_OF_STEPS: "depth", spin.MARKED: "bitstate hashing"}
"""What kept SPIN's search from being complete → the name of that in `explicit_engine.LIMITS`."""

_STAYS = Claim(Kind.ACCEPTANCE, Reason.STAYS)

_VIOLATIONS = {
    LTL: Kind.LTL,
    PROGRESS: Kind.NON_PROGRESS,
    ACCEPTANCE: Kind.ACCEPTANCE,
    TERMINATION: Kind.TERMINATION,
}
"""What is violated, for each property of infinite executions."""


class SpinRun(Wrapper):
    """in: a step program. out: what SPIN found.

    SPIN receives a model with one process per thread, whose transitions are those of the program
    (`modules/explicit/promela.py`). Its verifier is compiled together with the program, and searches all states, or all
    cycles of states.
    """

    takes = (
        ENGINE,
        PROPERTY,
        TIMEOUT,
        MEMLIMIT,
        SEED,
        BITSTATE,
        NO_POR,
        DEPTH,
        PROP,
        FAIR,
        *LIVELY.values(),
        SWARM,
        CORES,
    )
    steps = Needs(STEPS)
    exploration = Gives(EXPLORATION)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Refuse early what cannot be combined."""
        if CORES.of(values) > 1 and SWARM.of(values):
            raise UsageError("--cores and --swarm cannot be combined")

    def run(self, value: Unit) -> Exploration:
        """Build the model and search. Raises BackendError if SPIN is missing or fails."""
        try:
            return self._saved(self._answer(value))
        except NoTimeToBuildError as error:
            return self._saved(Exploration("time", text=error.message))

    def _answer(self, value: Unit) -> Exploration:
        path = spin.find()
        if path is None:
            raise MissingError("the backend `spin` is not installed: `cseq doctor` says how to get it")
        steps = self.steps
        folder = self.context.workdir
        self.context.begin("compile", phase(ActivityKind.COMPILING))
        text = value.text + labels_hook(steps)
        program = compiled(text, folder / "steps.o", self.context.bits, self.context.left(self.parameter(TIMEOUT)))
        if self.parameter(PROPERTY) == DEADLOCK:
            self._warn(steps)
        model, search = self._planned(path, steps, state_size(program))
        found = self._searched(path, model, search, program)
        while (wanted := _options(found)) > model.options:
            if wanted > _MOST_OPTIONS:
                return Exploration("refused", text=f"more than {_MOST_OPTIONS} choices in one transition")
            model = replace(model, options=max(wanted, 2 * model.options))
            found = self._searched(path, model, search, program)
        return self._explored(found, self._search)

    def _warn(self, steps: Steps) -> None:
        """Warn that a label whose name happens to begin with `end` excuses a deadlock, too."""
        for place in steps.places:
            for label in place.labels if place is not None else ():
                if place is not None and is_label(label, Label.END):
                    what = f"at the label `{user_name(label)}` threads may be blocked for ever, as in Promela"
                    self.context.warn(what, place.origin)

    def _saved(self, found: Exploration) -> Exploration:
        self.exploration = found
        return found

    # The question

    def _planned(self, path: Path, steps: Steps, size: int) -> tuple[Model, PanOptions]:
        """The model for the property that is checked, and how to search it."""
        name = self.parameter(PROPERTY)
        lively = name in LIVELY
        fair = lively and self.parameter(FAIR)
        # Fairness is about the states in which a thread can go on, some of which a reduction leaves out.
        reduce = not self.parameter(NO_POR) and not fair and name not in _LABELS
        marked = self.parameter(BITSTATE) or self.parameter(SWARM)
        search = PanOptions(
            _KINDS.get(name, "safety"),
            fair,
            self.parameter(DEPTH) or spin.DEPTH,
            self.parameter(MEMLIMIT),
            _table(self.parameter(MEMLIMIT), self.parameter(SWARM)) if marked else None,
            self.parameter(CORES),
            None,
            size,
            steps.most_threads,
        )
        model = Model(
            steps.most_threads,
            size,
            check=Check.CS_CHECK_ASSERTION if lively else Check.CS_CHECK_CLAIM if name in CHECKING else Check(name),
            lively=lively,
            reduce=reduce,
            label=_LABELS.get(name),
        )
        if search.kind != "claim":
            return model, search
        words, formula = self._formula()
        negated = f"([] !{promela.DROPPED}) && !({formula})"
        claim = spin.claim(path, negated, self.context.workdir)
        return replace(model, propositions=len(words), claim=claim), search

    def _formula(self) -> tuple[list[str], str]:
        """The names of the propositions, and the formula in SPIN's syntax."""
        if self.parameter(PROPERTY) == TERMINATION:
            return [], f"<> {promela.TERMINATED}"
        words = [text.partition("=")[0].strip() for text in self.parameter(PROP)]
        formula = ltl.read(self.parameter(FORMULA) or "", words)
        named = dict(zip(words, promela.names(words), strict=True))
        return words, ltl.for_spin(formula, {**named, ltl.TERMINATED: promela.TERMINATED})

    # The search

    def _searched(self, path: Path, model: Model, search: PanOptions, program: Path) -> PanOutput:
        """Build the verifier and let it search."""
        folder = self.context.workdir
        self._search = search
        source = folder / "model.pml"
        source.write_text(promela.text(model), encoding="utf-8")
        self.context.begin("spin", phase(ActivityKind.MAKING_VERIFIER))
        spin.generate(path, source)
        sources = [program, library(folder)]
        left = self.context.left(self.parameter(TIMEOUT))
        build(spin.compilation(search, sources, folder, EXPLORER), "SPIN's verifier", left)
        self.context.begin("pan", phase(ActivityKind.SEARCHING, "spin"))
        left = self.context.left(self.parameter(TIMEOUT))
        if swarm := self.parameter(SWARM):
            return self._swarm(search, left, swarm)
        limits = Limits(left, self.parameter(MEMLIMIT), reserves=True)
        hear = self._hear if self.context.watcher is not None else None
        done = first([spin.command(search, folder)], lambda *_: False, limits, folder, hear=hear)[0]
        return self._found(done, search, folder)

    def _swarm(self, search: PanOptions, left: float | None, swarm: int) -> PanOutput:
        """Run *swarm* searches, as many at a time as there are cores. The first violation ends them."""
        begun, folder = time.monotonic(), self.context.workdir
        seeds = list(range(self.parameter(SEED), self.parameter(SEED) + swarm))
        together = min(len(seeds), os.cpu_count() or 1)
        answers: list[PanOutput] = []
        for batch in (seeds[at : at + together] for at in range(0, len(seeds), together)):
            searches = [replace(search, seed=seed) for seed in batch]
            spent = time.monotonic() - begun
            limits = Limits(None if left is None else max(left - spent, 0.1), self.parameter(MEMLIMIT), reserves=True)
            commands = [spin.command(each, folder) for each in searches]
            hear = self._hear if self.context.watcher is not None else None
            ended = first(commands, lambda _, done: _is_violated(done, search), limits, folder, hear=hear)
            for position, done in ended.items():
                answers.append(self._found(done, searches[position], folder))
                if answers[-1].status == "violated":
                    self._search = searches[position]
                    return answers[-1]
        worst = next((found for found in answers if found.status != "unknown"), answers[-1])
        notes = dict.fromkeys(note for found in answers for note in found.notes)
        return replace(worst, statistics=_summed([found.statistics for found in answers]), notes=tuple(notes))

    def _hear(self, position: int, printed: str) -> None:
        """Report the progress of the search."""
        if progress := spin.progress(printed):
            self.context.report(PhaseBegan(Phase((("", progress),), "spin")))

    def _found(self, done: Completed, search: PanOptions, folder: Path) -> PanOutput:
        found = spin.parse(done, search.kind)
        for number in map(int, _texts(found.notes, "proposition")):
            name, _, text = self.parameter(PROP)[number].partition("=")
            raise UsageError(f"--prop {name.strip()}: `{text.strip()}` crashes in a state of the program")
        if found.status == "error":
            raise BackendError(f"the backend `spin` failed: {found.reason}")
        return found

    # The answer

    def _explored(self, found: PanOutput, search: PanOptions) -> Exploration:
        cuts, coarse = _texts(found.notes, "cut"), _texts(found.notes, "coarse")
        answer = Exploration(found.status, text=found.reason, cuts=cuts, coarse=coarse, statistics=found.statistics)
        if any(self.steps.points):
            answer = replace(answer, reached=sorted({int(number) for number in _texts(found.notes, "reached")}))
        if found.status == "safe":
            return replace(answer, complete=True)
        if found.status == "unknown" and found.reason in _LIMITS:
            return replace(answer, text="", limits=[_LIMITS[found.reason]])
        if found.status != "violated":
            return answer
        violated = self._violated(answer, search, self.context.workdir)
        return replace(violated, text=_STAYS.key) if found.error == "accept stutter" else violated

    def _violated(self, answer: Exploration, search: PanOptions, folder: Path) -> Exploration:
        """The violation at the end of the trail in *folder*."""
        trail = spin.trail(run(spin.replay(search, folder), timeout=600, folder=folder))
        schedule: list[tuple[int, list[int]]] = []
        threads: list[int] = []
        cycle: int | None = None
        kind, text = "", ""
        for number, note in enumerate(trail.notes):
            if number == trail.cycle:
                cycle = len(schedule)
            word, _, rest = note.partition(" ")
            if word == "t":
                thread, transitions, *chosen = (int(part) for part in rest.split())
                schedule += [(thread, chosen), *[(thread, list[int]())] * (transitions - 1)]
            elif word == "end":
                kind, members, text = rest.split(" ", 2)
                threads = [thread for thread in range(64) if int(members, 16) >> thread & 1]
        if kind == "refused":
            return replace(answer, status="refused", text=text)
        name = self.parameter(PROPERTY)
        if name in LIVELY:
            kind = _VIOLATIONS[name].value
            text = Claim(_VIOLATIONS[name], subject=(self.parameter(FORMULA) or "") if name == LTL else "").key
            cycle = len(schedule) if cycle is None else cycle
        elif not kind:
            raise BackendError("the backend `spin` failed: its trail does not lead to what it found")
        return replace(answer, kind=kind, text=text, schedule=schedule, threads=threads, cycle=cycle)


def _table(memory: int | None, searches: int | None) -> int:
    """The size in bits of a table in which states are marked, as the exponent of a power of 2.

    memory: megabytes, of which the tables of all searches together take at most half.
    """
    if memory is None:
        return _BITS
    each = memory // (2 * min(searches or 1, os.cpu_count() or 1))
    return min(_BITS, max(each, 1).bit_length() - 1 + 23)


def _is_violated(done: Completed, search: PanOptions) -> bool:
    return spin.parse(done, search.kind).status == "violated"


def _summed(statistics: list[dict[str, float]]) -> dict[str, float]:
    """Statistics of several searches: sums, except for those about a single state or the deepest one."""
    names = dict.fromkeys(name for each in statistics for name in each)
    total = {name: [each[name] for each in statistics if name in each] for name in names}
    return {name: max(found) if name in _LARGEST else sum(found) for name, found in total.items()}


def _options(found: PanOutput) -> int:
    """The number of options that a process would need, where it has too few."""
    return max((int(text) for text in _texts(found.notes, "options")), default=0)


def _texts(notes: Collection[str], word: str) -> list[str]:
    return [rest for first_word, _, rest in (note.partition(" ") for note in notes) if first_word == word]


def library(folder: Path) -> Path:
    """The functions that the model calls, as an archive: compiled once per machine, and kept with the engines."""
    flags = ["-std=gnu11", "-O2", "-w", "-fno-pic", "-fno-stack-protector", f"-I{EXPLORER}"]
    engine = [path for path in EXPLORER_SOURCES if path.name != "main.c"]
    sources = [*engine, EXPLORER / "spin" / "model.c"]

    def make(target: Path) -> None:
        objects = []
        for source in sources:
            objects.append(str(folder / f"{source.stem}.model.o"))
            build([compiler(), *flags, "-c", str(source), "-o", objects[-1]], "the model's library")
        build(["ar", "rcs", str(target), *objects], "the model's library")

    return kept("spin", ".a", [compiler(), *flags], sources, folder, make)


def state_size(program: Path) -> int:
    """The size in bytes of the state of a step program compiled to *program*, an ELF file for 64 bits."""
    data = program.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise BackendError("SPIN can only be used where programs are in ELF for 64 bits, little-endian")
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    (start,) = struct.unpack_from("<Q", data, table + names * size + 24)
    for number in range(count):
        name, _, _, _, _, length = struct.unpack_from("<IIQQQQ", data, table + number * size)
        if data[start + name : data.index(b"\0", start + name)] == b"cseq_state":
            return int(length)
    raise BackendError("the step program has no state")
