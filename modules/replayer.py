"""Execute a counterexample before it is believed, and tell it in terms of the user's program."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cseq.backends import native
from cseq.backends.base import Answer, Dialect, backend
from cseq.errors import BackendError
from cseq.linemap import Origin
from cseq.modules import library
from cseq.modules.checker import Check
from cseq.modules.choices import Choices, missing
from cseq.modules.conflict import RACE, Race, about
from cseq.modules.evidence import Evidence, Sight, Stand
from cseq.modules.explanation import DEADLOCK, Deadlock
from cseq.modules.instrumenter import instrumented
from cseq.modules.misuse import NO_FUNCTION, NO_LENGTH, is_misuse
from cseq.modules.naming import Objects
from cseq.modules.objects import noted
from cseq.modules.properties import PROPERTY
from cseq.modules.standing import PREFIXES
from cseq.modules.tracer import EVIDENCE, Point, Tracer, Value
from cseq.stage import Unit, Wrapper
from cseq.symbols import Symbols
from cseq.trace import Access, Counterexample, Step, Thread
from cseq.translator import user_name
from cseq.verdict import Outcome, Property, Reason, Verdict


class Replayer(Wrapper):
    """in: the engine's answer. out: for a violation, an outcome; any other answer as it is.

    The sequentialized program is compiled and run on the inputs that the engine found. It has to fail the
    assertion that the engine says it fails; the counterexample is what the program was seen to do.
    """

    takes = (PROPERTY,)
    needs = ("sequentialized", "threads", "sources", "answer")

    def run(self, value: Answer) -> Answer | Outcome:
        """Replay a violation."""
        return self.replayed(value, native.DIALECT) if value.status == "violated" else value

    def replayed(self, value: Answer, dialect: Dialect, name: str | None = None) -> Outcome:
        """The outcome for a violation that the engine answers with.

        dialect: says what the primitives mean in the replay. name: what kind of violation it is; without it, the
        description tells.
        """
        if value.inputs is None and not value.chosen:
            return self._located(value, "tells no inputs", name)
        self.context.progress("replay")
        facts = self.context.facts
        unit: Unit = facts["sequentialized"]
        symbols = Symbols(unit.tree, self.context.model)
        tracer = Tracer(unit.tree, facts["threads"], symbols, self.parameter("property") in PREFIXES)
        claim, check = self._claim(value.description)
        tree = tracer.traced(unit.tree)
        if check is not None and check.name == "memsafety":
            tree = noted(tree, symbols)
        program = instrumented(Unit(tree=tree), dialect)
        text, given = program.text, ""
        if value.inputs is None:
            choices = Choices(value.chosen or (), unit.text)
            if not choices.fits(program):
                return self._located(value, "tells inputs that the replay does not have", name)
            text, given = choices.text(program), choices.given()
        source = self.context.workdir / "replay.c"
        source.write_text(native.program(text, claim, given), encoding="utf-8")
        try:
            lines = native.execute(source, self.context.values.get("bits", 64), list(value.inputs or ()))
        except BackendError as error:
            return self._not_replayed(check.text if check else value.description, error.message)
        if value.inputs is None:
            if lines and lines[-1].startswith("f "):  # whatever it was said to fail: what an execution fails, fails
                value = replace(value, description=lines[-1].removeprefix("f "))
                claim, check = self._claim(value.description)
            elif missing(lines):
                return self._located(value, "does not tell all inputs", name)
        steps = _steps(lines, tracer, facts["threads"], facts["sources"])
        end = lines[-1] if lines else ""
        told = value.description if check is None else check.text + _why(lines, tracer)
        if end != f"f {value.description}":
            if end.startswith("k") and steps:
                return self._crashed(told, steps[-1].origin)
            return self._not_replayed(told, _END.get(end[:1], f"it fails another assertion: {end[2:]}"))
        if value.description == DEADLOCK:
            seen = _evidence(lines, tracer, facts["threads"], symbols)
            return self._deadlock(Deadlock(seen, facts["threads"], self.context.values["spurious_wakeups"]), steps)
        if value.description == RACE:
            return self._race(Race(_evidence(lines, tracer, facts["threads"], symbols)), steps)
        last = steps[-1].origin if steps else None
        kind = name or (check.name if check else _kind(told))
        violated = Property(kind, told, last, check.part if check else "")
        if violated.name == "misuse" and steps[-1].events:
            steps[-1].events.pop()  # what the step would have done
        return Outcome(Verdict.FALSE, violated=violated, counterexample=Counterexample(steps, facts["threads"]))

    def _located(self, value: Answer, why: str, name: str | None) -> Outcome:
        """The outcome for a violation of which only is known where it is: there is nothing to execute.

        why: what is wrong with what the engine tells.
        """
        engine = backend(self.context.values["backend"]).name
        _, check = self._claim(value.description)
        told = check.text if check is not None else value.description
        if library.is_ours(value.origin):
            said = f"a violation ({told})" if told else "a violation"
            message = f"{engine} reports {said}, but not where in the program, and {why}: there is nothing to replay"
            return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message)
        self.context.warn(f"the violation is not replayed: {engine} {why}")
        violated = Property(name or (check.name if check else _kind(told)), told, value.origin)
        return Outcome(Verdict.FALSE, violated=violated, unreplayed=f"{engine} {why}")

    def _claim(self, description: str) -> tuple[int | None, Check | None]:
        """The number of the claim about memory or arithmetic that *description* names, and the claim."""
        claim = _number(description)
        checks = self.context.facts.get("checks")
        return claim, checks[claim] if claim is not None and checks is not None else None

    def _deadlock(self, found: Deadlock, steps: list[Step]) -> Outcome:
        """The last steps are where the threads are stuck, those on the circle first."""
        stuck = {known.thread: known for known in found.stuck}
        last = {step.thread: step for step in steps if step.stands}
        for thread, step in last.items():
            step.events.append(stuck[thread].waits)
        shown = [step for step in steps if not step.stands] + [last[thread] for thread in stuck]
        counterexample = Counterexample(shown, self.context.facts["threads"], list(stuck.values()))
        return Outcome(Verdict.FALSE, violated=found.violated, counterexample=counterexample)

    def _race(self, found: Race, steps: list[Step]) -> Outcome:
        """The last steps are the two accesses that are about to be made."""
        sides = {side.thread: side for side in found.sides}
        for step in steps:
            if step.stands:
                step.events.extend(about(sides[step.thread]))
        counterexample = Counterexample(steps, self.context.facts["threads"], racing=found.sides)
        return Outcome(Verdict.FALSE, violated=found.violated, counterexample=counterexample)

    def _crashed(self, told: str, origin: Origin) -> Outcome:
        """Engines go on where a real program crashes; what they find behind that is nothing to believe."""
        message = (
            f"the engine reports a violation ({told}), but on the way there the program crashes at "
            f"{origin}: a division by zero or an invalid memory access, perhaps through memory from malloc that "
            "nothing was written to, whose contents the replay cannot know"
        )
        return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message)

    def _not_replayed(self, told: str, why: str) -> Outcome:
        message = (
            f"the engine reports a violation ({told}) that could not be replayed: {why}; "
            "either something undefined comes before it, such as an invalid access to memory (see --memsafety), or "
            "this is a bug of CSeq or of the engine: please report it with the files that were kept"
        )
        return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message)


_END = {
    "x": "an assumption does not hold in the replay, or the process ends before",
    "e": "the replay ends without a violation",
    "k": "the replay crashes",
    "t": "the replay does not end",
    "": "the replay says nothing",
}


_REASONS = {
    "null": "the pointer is NULL",
    "freed": "the memory has been freed",
    "ended": "the life of the object has ended",
    "outside": "outside of the object, which has {0}",
    "unallocated": "no pointer to a block from malloc",
    "allocated": "allocated",
}
"""What the runtime says of a claim that does not hold, in words."""


def _number(description: str) -> int | None:
    """The number of a claim of the checker's; None for other assertions."""
    word, _, number = description.partition(" ")
    return int(number) if word == "check" and number.isdigit() else None


def _why(lines: list[str], tracer: Tracer) -> str:
    """Why the last assertion fails, as far as the runtime knows."""
    words = lines[-2].split() if len(lines) > 1 else []
    if words[:1] != ["w"] or words[1] not in _REASONS:
        return ""
    reason = _REASONS[words[1]]
    if words[1] == "outside":
        size = int(words[2], 16)
        reason = reason.format(f"{size} byte{'s' if size != 1 else ''}")
    elif len(words) > 2:
        reason += f" at {tracer.points[int(words[2], 16)].origin}"
    return f" ({reason})"


def _kind(description: str) -> str:
    """What sort of property the text of an assertion belongs to."""
    if is_misuse(description) and description not in (NO_FUNCTION, NO_LENGTH):
        return "misuse"
    return "assertion" if description.startswith("assertion") else "reachability"


def _steps(lines: list[str], tracer: Tracer, threads: list[Thread], sources: dict[str, list[str]]) -> list[Step]:
    """The steps that the trace *lines* tell of; what one thread does on one line without interruption is one step."""
    steps: list[Step] = []
    for point, value, bits in _events(lines, tracer):
        if point is not None:
            last = steps[-1] if steps else None
            if not last or point.stands or last.thread != point.thread or last.origin != point.origin:
                steps.append(Step(point.thread, point.origin, _source(point.origin, sources), stands=point.stands))
            if point.event:
                steps[-1].events.append(point.event)
            if point.created:
                steps[-1].created.append(point.created)
        elif value is not None and value.kind == "input" and steps:
            steps[-1].inputs.append(render(value.type, bits) if value.type else "")
        elif value is not None and value.kind not in EVIDENCE and steps:
            _add(steps[-1], value, bits, threads)
    return steps


def _evidence(lines: list[str], tracer: Tracer, threads: list[Thread], symbols: Symbols) -> Evidence:
    """What the trace *lines* say beside the steps."""
    seen = Evidence(threads, Objects(symbols))
    point: Point | None = None
    sight: Sight | None = None
    for now, (new, value, bits) in enumerate([*_events(lines, tracer), (None, None, 0)]):
        if sight is not None and point is not None and (value is None or value.kind != "state"):
            if point.stands:
                seen.stands[-1].objects.append(sight)
            else:
                seen.sees(sight, point.origin)
            sight = None
        if new is not None:
            point = new
            if point.stands:
                seen.stands.append(Stand(point.thread, point.origin, point.call))
            else:
                seen.last[point.thread.number] = now
        elif value is None:
            continue
        elif value.kind == "place":
            seen.objects.add(user_name(value.name) or value.name, tracer.types[value.name], bits)
        elif value.kind == "object":
            sight = Sight(value.type, value.name, bits)
        elif value.kind == "state" and sight is not None:
            sight.state[value.name] = bits
        elif value.kind == "ended" and bits:
            seen.ended.add(int(value.name))
        elif value.kind == "tells" and bits and seen.stands[-1].accesses is None:
            seen.stands[-1].accesses = (value.name, value.type)
        elif value.kind == "access":
            seen.said.setdefault(value.name, {})[int(value.type)] = bits
    return seen


def _events(lines: list[str], tracer: Tracer) -> Iterator[tuple[Point | None, Value | None, int]]:
    for line in lines:
        words = line.split()
        if words[:1] == ["a"]:
            yield tracer.points[int(words[1], 16)], None, 0
        elif words[:1] == ["v"]:
            yield None, tracer.values[int(words[1], 16)], int(words[2], 16)


def _add(step: Step, value: Value, bits: int, threads: list[Thread]) -> None:
    if value.type == "thread":
        known = 1 <= bits <= len(threads)
        step.events[-1] += f" {threads[bits - 1]}" if known else f" {value.name}, which is no thread"
        return
    access = Access(value.kind, value.name, render(value.type, bits))
    if access not in step.accesses or access.kind == "write":
        step.accesses.append(access)


def render(type_: str, bits: int) -> str:
    """The value that *bits* stand for in *type_*, as C text."""
    if type_ in ("float", "double", "long double"):
        return repr(struct.unpack("<d", bits.to_bytes(8, "little"))[0])
    if type_ == "pointer":
        return "NULL" if bits == 0 else hex(bits)
    if not type_.startswith("unsigned") and bits >> 63:
        bits -= 1 << 64
    return str(bits)


def _source(origin: Origin, sources: dict[str, list[str]]) -> str:
    lines: Any = sources.get(origin.file, ())
    return lines[origin.line - 1].strip() if 0 < origin.line <= len(lines) else ""
