"""Make a program that fails as a counterexample does: the user's text, the scheduler, and the schedule."""

import re
import shlex
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cseq.c.numbering import Slot, Text, flat, quoted
from cseq.c.preprocess import is_preprocessed
from cseq.c.scanner import identifiers
from cseq.model.origin import Origin
from cseq.model.trace import Access, Counterexample, Effect, Move, SignalWait
from cseq.model.verdict import Outcome, Verdict
from cseq.report import waits, words
from cseq.reproducer import runtime, verifier
from cseq.reproducer.insertion import Insertions, Piece, inserted, pieces
from cseq.reproducer.instances import Instance
from cseq.reproducer.turns import END, LAST, PAUSE, Call, CannotReproduceError, Schedule, Turn

_SHOWN = frozenset({"assertion", "reachability", "deadlock", "misuse", "race"})
_ASSERTS = re.compile(r'\bassert\s*\(|\b__assert_fail\s*\([^;]*?"((?:\\.|[^"\\])*)"\s*,\s*(\d+)\s*,')
_OTHERS = {
    "memsafety": "an error of memory",
    "overflow": "an undefined operation",
    "crash": "a crash",
    "invariant": "a violated --invariant",
    "unwinding": "a loop that exceeds its bound",
}
_GUARD = re.compile(r"^[ \t]*#[ \t]*(?:ifndef\b|pragma[ \t]+once\b)", re.MULTILINE)
_STATIC = re.compile(r"\bstatic\b[^;{}()=]*?\b(\w+)\s*[(=;,\[]")
_MORE = 64
"""The threads that a changed program may have more."""
_AFTER_NAME = (";", "=", "[", ",", ")")  # in the declaration of a variable
_NUMBER = re.compile(r"-?\d+$")


@dataclass(frozen=True)
class Environment:
    """What a program gets from outside.

    arguments: those of main, without the program's name. variables: the environment; None for that of the caller.
    stdin: the file that standard input is read from; None for an empty one.
    """

    arguments: tuple[str, ...] = ()
    variables: dict[str, str] | None = None
    stdin: str | None = None

    def command(self, program: str) -> str:
        """The command line that starts *program* like this, for a shell."""
        settings = [] if self.variables is None else ["env", "-i", *(f"{k}={v}" for k, v in self.variables.items())]
        words = shlex.join([*settings, program, *self.arguments])
        return words if self.stdin is None else f"{words} < {shlex.quote(self.stdin)}"


@dataclass(frozen=True)
class Source:
    """What the program is made from.

    files: their names as the user gave them. include, define: as for the compiler. bits: the data model.
    surroundings: what the program gets from outside.
    """

    files: tuple[str, ...]
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    bits: int = 64
    surroundings: Environment = field(default_factory=Environment)


def refusal(outcome: Outcome) -> str | None:
    """Why there cannot be a program for *outcome*, in words; None if there may be one."""
    if outcome.verdict is not Verdict.FALSE:
        return "there is no violation"
    if outcome.memory_model == "c11":
        return "a schedule alone does not show what weak memory orders allow"
    if outcome.counterexample is None or not outcome.counterexample.moves:
        return "the violation is not replayed" if outcome.unreplayed else "there is no counterexample"
    if outcome.counterexample.cycle is not None:
        return "the execution is infinite"
    if outcome.violated is None or outcome.violated.name not in _SHOWN:
        name = outcome.violated.name if outcome.violated is not None else ""
        return f"a schedule alone does not show {_OTHERS.get(name, 'this violation')}"
    if any(move.function == "__cs_step_rwlock_arrive" for move in outcome.counterexample.moves):
        return "a writer that waits for a lock which prefers writers cannot be stopped there"
    return None


@dataclass
class ReproducerProgram:
    """A program that fails: its text, and how it has to end, which is always an abort.

    place: the file and line that it has to name. stuck: the files and lines of blocked threads. turns: their number.
    crashes: any signal may end it. flags: further options that the compiler needs. race: the violation is a data race.
    surroundings: what it has to get from outside.
    """

    text: str
    place: str
    stuck: list[str] = field(default_factory=list)
    turns: int = 0
    crashes: bool = False
    flags: tuple[str, ...] = ()
    race: bool = False
    surroundings: Environment = field(default_factory=Environment)


@dataclass(frozen=True)
class ProgramParts:
    """The parts of a program that fails. program: how it has to end; its text is what comes before the user's.

    texts: those of the files, headers included. For each of them, pieces: what is inserted; twice: the static names
    that an earlier one has, too.
    """

    program: ReproducerProgram
    texts: list[Text]
    pieces: list[list[Piece]]
    twice: list[list[str]]


class ProgramMaker:
    """Makes the program that fails as *outcome* says.

    with_values: locals without an initialiser get the values that they have in the counterexample. bits: the data model
    for which the program is compiled. regression: for a program that may change.
    """

    def __init__(
        self, outcome: Outcome, source: Source, with_values: bool = False, bits: int = 64, regression: bool = False
    ) -> None:
        why = refusal(outcome)
        if why is not None:
            raise CannotReproduceError(why)
        assert outcome.counterexample is not None and outcome.violated is not None
        self._source = source
        self._shown: Counterexample = outcome.counterexample
        self._moves: list[Move] = self._shown.moves
        self._violated = outcome.violated
        self._texts = self._read()
        self._deadlock = self._violated.name == "deadlock"
        self._race = self._violated.name == "race"
        self._numbers: dict[Call, int] = {}
        self._around: dict[int, Insertions] = {}
        self._sets: list[str] = []
        self._with_values = with_values
        self._regression = regression
        self._turns = self._names = 0
        self._flags = ("-m32",) if bits == 32 else ()

    def program(self) -> ReproducerProgram:
        """The program. Raises CannotReproduceError."""
        tables, place = self._scheduled()
        texts = list(self._apart([inserted(text, self._within(text)) for text in self._texts]))
        functions = list(verifier.definitions(self._texts))
        parts = [self._header(place), *self._before(tables, [*texts, *functions]), *texts, *functions]
        return self._made(parts, place)

    def woven(self) -> ProgramParts:
        """The same in parts, for a program that may change. Raises CannotReproduceError."""
        tables, place = self._scheduled()
        found = [pieces(text, self._within(text)) for text in self._texts]
        functions = list(verifier.definitions(self._texts, regression=True))
        before = self._before(tables, [*(piece.text for each in found for piece in each), *functions], regression=True)
        return ProgramParts(self._made([*before, *functions], place), self._texts, found, list(self._twice()))

    def mentions(self, function: str) -> bool:
        """Whether the program uses this function of the library."""
        return function in self._called()

    def _scheduled(self) -> tuple[str, Origin]:
        """The tables, and the place of the violation, after noting what is inserted."""
        self._aside = not self._deadlock and not self._race and not self._is_plain()
        schedule = Schedule(self._moves, self._stopped(), self._aside, self._race)
        rows = [self._row(schedule, turn) for turn in schedule.turns]
        self._turns, self._names = len(rows), len(schedule.order) + self._unseen()
        for call, number in self._numbers.items():
            self._put(call, number)
        if self._with_values:
            self._values(schedule)
        # What may change has to fail by itself. Only a place that must not be reached fails by being reached.
        if self._violated.name == "reachability" if self._regression else self._aside or self._race:
            self._claim(schedule)
        self._sets += self._uncancelled(schedule)
        place = self._violated.origin
        if place is None:
            raise CannotReproduceError("it is not known where the violation is")
        return self._tables(schedule, rows, place), place

    def _before(self, tables: str, used: list[str], regression: bool = False) -> list[str]:
        """What comes before the user's text and what else is *used*."""
        words = set(identifiers("\n".join([tables, *used])))
        scheduler = runtime.text(self._called() & runtime.supported(regression), words, self._deadlock, regression)
        return [
            f"#define CSEQ_THREADS {self._names}",
            f"#define CSEQ_CALLS {max(self._numbers.values(), default=0) + 1}",
            scheduler + tables,
            *(_define(each) for each in self._source.define),  # which the scheduler must not see
            *verifier.prototypes(self._texts),
        ]

    def _made(self, parts: list[str], place: Origin) -> ReproducerProgram:
        return ReproducerProgram(
            "\n".join(parts) + "\n",
            f"{place.file}:{place.line}",
            [f"{one.origin.file}:{one.origin.line}" for one in self._shown.stuck],
            self._turns,
            self._violated.name == "misuse",
            self._flags,
            self._race,
            self._source.surroundings,
        )

    def _stopped(self) -> list[int]:
        """The numbers of the threads that are blocked in the end, or that race."""
        if not self._race:
            return [one.thread.number for one in self._shown.stuck]
        racing = list(dict.fromkeys(move.thread.number for move in self._moves if move.stands))
        if len(racing) != 2:
            raise CannotReproduceError("it is not known which statements race")
        return racing

    def has_values(self) -> bool:
        """Whether locals without an initialiser have values in the counterexample."""
        return any(access.kind == "undefined" for move in self._moves for access in move.accesses)

    def _read(self) -> list[Text]:
        texts: list[Text] = []
        for file in self._source.files:
            path = Path(file)
            text = flat(path, self._source.include, is_preprocessed(path))
            name = next((word for word in identifiers(text) if word in runtime.words()), None)
            if name is not None:
                raise CannotReproduceError(f"the program has the name `{name}`, which is one of the scheduler's")
            texts.append(Text(str(path), text, texts[-1].end if texts else 1))
        return texts

    def _slot(self, number: int) -> Slot:
        for text in self._texts:
            if number < text.end:
                return text.slot(number)
        raise CannotReproduceError("the files are not those that were checked")

    def _within(self, text: Text) -> dict[int, Insertions]:
        return {number: what for number, what in self._around.items() if text.first_slot <= number < text.end}

    def _twice(self) -> Iterator[list[str]]:
        """For each text the static names that an earlier one has, too; not those of a header that counts only once."""
        known: dict[str, str] = {}
        for text in self._texts:
            found = _STATIC.finditer(text.text) if len(self._texts) > 1 else ()
            static = {match[1]: text.place(match.start(1))[0] for match in found}
            yield sorted(
                name
                for name in static.keys() & known.keys()
                if static[name] != known[name] or not _is_guarded(static[name])
            )
            known |= static

    def _apart(self, texts: list[str]) -> Iterator[str]:
        """The texts, in which static names that several of them define are renamed."""
        for number, (text, twice) in enumerate(zip(texts, self._twice(), strict=True), 1):
            yield "\n".join([*renamed(twice, number), text, *(f"#undef {name}" for name in twice)])

    def _at(self, slot: int) -> Insertions:
        return self._around.setdefault(slot, Insertions())

    # Calls

    def _number(self, call: Call) -> int:
        return self._numbers.setdefault(call, len(self._numbers) + 1)

    def _put(self, call: Call, number: int) -> None:
        around = self._at(call.slot)
        match call.form:
            case "at":
                around.before.append(f"CSEQ_AT({number})")
            case "after":
                around.after.append((f"CSEQ_AFTER({number}, ", f"CSEQ_AT({number})"))
            case "inner":
                around.inner.append((call.text, call.which, f"CSEQ_AFTER({number}, "))
            case "split":
                text, after = (part.replace("@", str(number)) for part in (call.text, call.after))
                around.before.append(f"CSEQ_SPLIT({number}, {text})")
                done = f"CSEQ_DONE({number}, {after})" if after else f"CSEQ_DONE({number})"
                if after and self._slot(call.slot).kind != "statement":
                    raise CannotReproduceError("a condition is interrupted after a call that it makes")
                around.after.append((f"CSEQ_DONE_AFTER({number}, ", done))

    def _is_plain(self) -> bool:
        """Whether a claim in the user's own text ends the program, such as an `assert`."""
        last = next((move for move in reversed(self._moves) if not move.stands), None)
        if last is None or not last.origin.statement or self._violated.name != "assertion":
            return False
        slot = self._slot(last.origin.statement[-1])
        text = next(text for text in self._texts if slot.number < text.end)
        if verifier.claims(text.text[slot.mark : slot.stop]):
            return True
        found = _ASSERTS.search(text.text, slot.mark, slot.stop)
        place = self._violated.origin
        if found is None or found[1] is None or place is None:
            return found is not None
        return (found[1], int(found[2])) == (quoted(place.file), place.line)  # an expanded macro names its own place

    def _claim(self, schedule: Schedule) -> None:
        """Insert the call that ends the program if the user's own text does not."""
        instance = schedule.instances.of[len(self._moves) - 1]
        if instance is None:
            raise CannotReproduceError("what is violated is in no statement of the program")
        call = f"CSEQ_FAIL({_literal(words.description(self._violated))})"
        around = self._at(instance.slot)
        if self._violated.name in ("misuse", "race"):
            around.after.append((f"CSEQ_AFTER_FAIL({call}, ", call))
        else:
            around.before.append(call)

    def _values(self, schedule: Schedule) -> None:
        """Give locals without an initialiser the values that they have in the execution."""
        for number, move in enumerate(self._moves):
            instance = schedule.instances.of[number]
            for access in move.accesses:
                if access.kind == "undefined" and instance is not None and (bits := _bits(access)) is not None:
                    self._set(schedule, instance, access.name, bits)

    def _set(self, schedule: Schedule, instance: Instance, name: str, bits: int) -> None:
        if self._slot(instance.slot).kind != "statement":
            return
        call = Call("set", instance.slot, name)
        if call not in self._numbers:
            number = self._number(call)
            put = f"CSEQ_SET({number}, {name})"
            self._at(instance.slot).after.append((put, put))
        thread = schedule.order[instance.thread]
        self._sets.append(f"{{{thread}, {self._numbers[call]}, {instance.times}, {bits}ULL}}")

    def _uncancelled(self, schedule: Schedule) -> Iterator[str]:
        """Rows for the cancellation points at which a cancelled thread goes on all the same."""
        if all(move.effect is not Effect.CANCELS for move in self._moves):
            return
        counts: Counter[int] = Counter()
        for number, move in enumerate(self._moves):
            if move.effect is not Effect.TESTS:
                continue
            thread = move.thread.number
            counts[thread] += 1
            call = schedule.instances.of[number]
            if call is not None and not any(self._moves[later].ends for later in call.moves if later > number):
                yield f"{{{schedule.order[thread]}, CSEQ_GOES_ON, {counts[thread]}, 1}}"

    # Tables

    def _row(self, schedule: Schedule, turn: Turn) -> str:
        thread = schedule.order.get(turn.thread)
        if thread is None:
            raise CannotReproduceError("it is not known where a thread is created")
        if isinstance(turn.until, Call):
            until = str(self._number(turn.until))
            slot = self._slot(turn.until.slot)
            file, line = slot.file, slot.line
        else:
            until = {END: "CSEQ_END", PAUSE: "CSEQ_PAUSE", LAST: "CSEQ_LAST"}[turn.until]
            place = self._end(turn)
            file, line = quoted(place.file), place.line
        return f'    {{{thread}, {until}, {turn.times}, {turn.piece}, "{file}", {line}}},'

    def _end(self, turn: Turn) -> Origin:
        """The approximate place where a turn ends that ends at no call: the last known place of the thread."""
        if turn.until == LAST and self._violated.origin is not None:
            return self._violated.origin
        mine = [move.origin for move in self._moves if move.thread.number == turn.thread and move.origin.file]
        return mine[-1] if mine else Origin("", 0)

    def _tables(self, schedule: Schedule, rows: list[str], place: Origin) -> str:
        out = ["", "/* The schedule: the thread, where its turn ends, and at which of its visits to that place. */"]
        out += ["static const struct cseq_turn cseq_turns[] = {", *rows, "};"]
        by_number = {thread.number: thread for thread in self._shown.threads}
        names = [_literal(str(by_number[number])) for number in schedule.order]
        names += ['"another thread"'] * self._unseen()
        out.append(f"static const char *const cseq_names[] = {{{', '.join(names)}}};")
        inputs = list(self._inputs(schedule))
        plan = [
            _literal(self._violated.name), _literal(words.description(self._violated)),
            f'"{quoted(place.file)}"', str(place.line), str(len(names)), "cseq_names",
            "cseq_turns", str(len(rows)),
        ]  # fmt: skip
        for name, kind, found in (
            ("inputs", "value", inputs),
            ("sets", "set", self._sets),
            ("stuck", "stuck", list(self._stuck(schedule))),
        ):
            if found:
                out.append(f"static const struct cseq_{kind} cseq_{name}[] = {{{', '.join(found)}}};")
            plan += [f"cseq_{name}" if found else "0", str(len(found))]
        out.append(f"static const struct cseq_plan cseq_plan = {{{', '.join(plan)}}};")
        return "\n".join(out)

    def _unseen(self) -> int:
        """The number of threads that are created but not recorded, since the execution ends in that step.

        A program that has changed may create more.
        """
        return _MORE * self._regression + sum(
            move.effect is Effect.CREATES and not move.created for move in self._moves
        )

    def _inputs(self, schedule: Schedule) -> Iterator[str]:
        for move in self._moves:
            for value in move.inputs:
                bits = _bits(Access("input", "", value))
                if bits is None:
                    raise CannotReproduceError(f"the value of the input at {move.origin} is not known")
                yield f"{{{schedule.order[move.thread.number]}, {bits}ULL}}"

    def _stuck(self, schedule: Schedule) -> Iterator[str]:
        for one in self._shown.stuck:
            thread, place = schedule.order[one.thread.number], one.origin
            sleeps = int(isinstance(one.wait, SignalWait))
            yield f'{{{thread}, "{quoted(place.file)}", {place.line}, {_literal(waits.plain(one))}, {sleeps}}}'

    # The text around the program

    def _header(self, place: Origin) -> str:
        files = " ".join(self._source.files)
        where = f"{place.file}:{place.line}"
        how = "blocks for ever, and says where" if self._deadlock else f"fails at {where}"
        race = ["With -fsanitize=thread, the compiler's runtime reports the race.", ""] if self._race else []
        command = self._source.surroundings.command("./FILE")
        lines = [
            f"{files}, with a schedule under which it {how}: {words.description(self._violated)}",
            "",
            f"    cc {' '.join(['-g', '-pthread', *self._flags])} FILE.c -o FILE && {command}",
            "",
            *race,
            "Each thread runs only in its turns. Their table comes after the scheduler, and the program, with the",
            "calls at which turns end (CSEQ_…), after that. Debuggers show the lines of the original files.",
            "CSEQ_TRACE=1 in the environment prints each turn. Made by CSeq.",
        ]
        text = "\n".join(f" * {line}".rstrip() for line in lines).replace("*/", "* /")
        return f"/*{text[2:]}\n */" if text.startswith(" *") else f"/*\n{text}\n */"

    def _words(self) -> Iterator[tuple[str, str, str]]:
        """The tokens of the program, each with the previous and the next one."""
        for text in self._texts:
            tokens = [token.text for token in text.tokens]
            yield from zip(tokens, ["", *tokens], [*tokens[1:], ""], strict=False)

    def _called(self) -> set[str]:
        """The functions of the library that the program mentions and does not define itself.

        Variables may have such names, too: a name without `_` (sleep, pause) counts only if it is called.
        """
        defined = {function.name for text in self._texts for function in text.functions}
        words = list(self._words())
        defined |= {word for word, before, after in words if after in _AFTER_NAME and _is_type(before)}
        called = {word for word, _, after in words if after == "("}
        mentioned = {word for word, before, _ in words if before not in (".", "->") and ("_" in word or word in called)}
        return mentioned - defined


def _is_guarded(header: str) -> bool:
    """Whether the text of this file counts only once, although several files include it."""
    path = Path(header)
    return path.is_file() and _GUARD.search(path.read_text(encoding="utf-8", errors="replace")) is not None


def renamed(names: list[str], number: int) -> list[str]:
    """The macros that rename what is static in text *number*, from 1."""
    return [f"#define {name} {name}__cs{number}" for name in names]


def _is_type(text: str) -> bool:
    """Whether *text* can be the token before a name that is declared: the end of a type."""
    return text.isidentifier() and text not in ("return", "case", "goto", "else", "do", "sizeof")


def _bits(access: Access) -> int | None:
    """The bits of the value of an access, as in the tables; None if it has no such value."""
    if _NUMBER.match(access.value):
        return int(access.value) & ((1 << 64) - 1)
    if access.value == "NULL":
        return 0
    try:
        return int.from_bytes(struct.pack("<d", float(access.value)), "little")
    except ValueError:
        return int(access.value, 16) if access.value.startswith("0x") else None


def _literal(text: str) -> str:
    escaped = quoted(text).replace("\n", "\\n")
    return f'"{escaped}"'


def _define(text: str) -> str:
    name, equals, value = text.partition("=")
    return f"#define {name} {value if equals else '1'}"
