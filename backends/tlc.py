"""TLC: find it and the Java that runs it, call it, and read its output.

TLC checks a module in TLA+ by exploring its states. This was written for TLC 2.18, with `-tool`, which puts a number on
each message.
"""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cseq.backends.base import engines_folder, excerpt
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError, MissingError
from cseq.process.run import Completed, run

JAR = "tla2tools.jar"
JAR_FOLDERS = (Path("/usr/local/share/java"), Path("/usr/share/java"))
"""Where systems have jars."""

OLDEST_JAVA = 8

STACK = "a thread executes without end and without a visible step, or an expression is nested too deeply"
"""Why TLC ran out of stack."""


@dataclass(frozen=True)
class TlcOptions:
    """How TLC is to search.

    workers: threads of TLC. seed: chooses the hash function of states. memory: megabytes that all of it may use; None
    for what Java takes by itself. optimize: whether Java is to compile for long runs rather than to start soon.
    library: a folder with further modules; "" for none.
    """

    workers: int = 1
    seed: int | None = None
    memory: int | None = None
    optimize: bool = True
    library: str = ""


@dataclass(frozen=True)
class TlcOutput:
    """The output of TLC.

    status: ``safe``, ``violated``, ``unknown`` (the reason is in *reason*), ``memory``, ``time`` or ``error``
    (*reason*). kind: of a violation: ``invariant``, ``deadlock``, ``temporal``, ``action`` (a step that a property does
    not allow). name: of the violated operator, where TLC says it. states: for a violation, and where an expression has
    no value, the texts of the states that lead to it, for `tlavalues.assignments`; the first is an initial state.
    actions: what TLC says of the step that leads to each state. cycle: the number of the state (from 0) in which the
    part begins that is repeated for ever; None for a finite execution. statistics: states (distinct), generated,
    left (in the queue), depth, seconds, collision (the larger of TLC's estimates of the probability that two states had
    one fingerprint, so that one was left out), as far as TLC reports them. printed: the values that the module printed,
    as texts on one line each, without repetitions. places: for an error, the modules and lines that the message names.
    """

    status: str
    reason: str = ""
    kind: str = ""
    name: str = ""
    states: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    cycle: int | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    printed: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()


# --- where it is ---


def private() -> Path:
    """The copy that setup/provide-tlc makes."""
    return engines_folder() / "tlc-2.18" / JAR


def find() -> Path | None:
    """The jar, or the command that $CSEQ_TLC names; None if there is none.

    The first of $CSEQ_TLC, a tla2tools.jar on $CLASSPATH or where systems have jars, and the private copy.
    """
    return next((path for path, _ in places()), None)


def places() -> Iterator[tuple[Path, str]]:
    """All copies, each with where it was found, the best first. One that $CSEQ_TLC names is the only one."""
    if given := os.environ.get("CSEQ_TLC"):
        command = None if given.endswith(".jar") else shutil.which(given)
        path = Path(command or given).absolute()
        if path.is_file():
            yield path, "CSEQ_TLC"
        return
    for entry in map(Path, os.environ.get("CLASSPATH", "").split(os.pathsep)):
        if entry.name == JAR and entry.is_file():
            yield entry.absolute(), "CLASSPATH"
    for path in [folder / JAR for folder in JAR_FOLDERS]:
        if path.is_file():
            yield path, "jar"
    if private().is_file():
        yield private(), "private copy"


def java() -> Path | None:
    """The program that runs jars: that of $JAVA_HOME, or ``java`` on PATH; None if there is none."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which(str(Path(home) / "bin" / "java")) if home else None
    program = program or shutil.which("java")
    return Path(program).absolute() if program else None


def java_version(path: Path) -> int | None:
    """The version of the Java *path*, such as 17, or 8 for 1.8; None for a program that is no Java."""
    try:
        done = run([str(path), "-version"], timeout=30)
    except BackendError:
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(match[1]) if match and done.status == 0 else None


def installed() -> Path:
    """The jar or the command. MissingError if something is missing, BackendError if Java is too old."""
    path = find()
    if path is None:
        given = os.environ.get("CSEQ_TLC")
        why = f"CSEQ_TLC names {given}, which is neither a jar nor a command; " if given else ""
        raise MissingError(f"the backend `tlc` is not installed: {why}`cseq doctor` says how to get it")
    if path.suffix != ".jar":
        return path
    runs = java()
    if runs is None:
        raise MissingError("the backend `tlc` needs Java, which is not installed: `cseq doctor` says how to get it")
    number = java_version(runs)
    if number is None:
        raise BackendError(f"the backend `tlc` needs Java, and {runs} does not run")
    if number < OLDEST_JAVA:
        raise BackendError(f"the backend `tlc` needs Java {OLDEST_JAVA} or later, and {runs} is Java {number}")
    return path


# --- how it is called ---

_OUTSIDE = 64  # megabytes outside of the heap in which TLC has the hashes of states
_JAVA = 192  # megabytes that Java takes for itself


def command(path: Path, folder: Path, module: str, config: str, search: TlcOptions) -> list[str]:
    """The command that checks the module in the file *module*, with the file *config*, in *folder*.

    *path* is what `find` returned. The search has a folder of its own in *folder* for what it writes.
    """
    own = folder / "tlc"
    shutil.rmtree(own, ignore_errors=True)  # of an earlier search, perhaps in the same second
    # Each run unpacks TLA+'s standard modules into Java's folder for temporary files, under the same names; and the
    # folder for states gets its name from the time, to the second.
    for name in ("modules", "states"):
        (own / name).mkdir(parents=True, exist_ok=True)
    options = [f"-Djava.io.tmpdir={own / 'modules'}", "-XX:+UseSerialGC", "-Xss64m"]
    if search.workers > 1:
        options[1] = "-XX:+UseParallelGC"
    if not search.optimize:
        options.append("-XX:TieredStopAtLevel=1")
    if search.library:
        options.append(f"-DTLA-Library={Path(search.library).absolute()}")
    if search.memory is not None:
        heap = max(search.memory - _OUTSIDE - _JAVA, search.memory // 2)
        options += [f"-Xmx{heap}m", f"-XX:MaxDirectMemorySize={_OUTSIDE}m"]
    words = ["-tool", "-checkpoint", "0", "-lncheck", "final", "-metadir", str(own / "states")]
    words += ["-workers", str(search.workers), "-fp", str((search.seed or 0) % _FUNCTIONS)]
    words += ["-config", config, module]
    if path.suffix == ".jar":
        return [str(java() or "java"), *options, "-cp", str(path), "tlc2.TLC", *words]
    return ["env", f"JAVA_TOOL_OPTIONS={' '.join(options)}", str(path), *words]


_FUNCTIONS = 131
"""TLC's hash functions are numbered from 0 to 130."""


# --- its output ---

_MARK = re.compile(r"@!@!@(?:STARTMSG (\d+):(\d) @!@!@|ENDMSG (\d+) @!@!@)$", re.MULTILINE)
_STATE = re.compile(r"\s*(\d+): <([^\n]*)>\n(.*)", re.DOTALL)
_BACK = re.compile(r"\s*(\d+): Back to state")
_NUMBER = r"([\d,]+)"
_COUNTS = re.compile(
    rf"{_NUMBER} states generated(?: \({_NUMBER} s/min\))?, {_NUMBER} distinct states found"
    rf"(?: \({_NUMBER} ds/min\))?, {_NUMBER} states left on queue"
)
_PROGRESS = re.compile(rf"Progress\({_NUMBER}\) at [^\n]*?: {_COUNTS.pattern}")
_SECONDS = re.compile(r"Finished in (?:(\d+)d )?(?:(\d+)h )?(?:(\d+)min )?(?:(\d+)s )?(?:(\d+)ms )?")
_FULL = re.compile(r"OutOfMemoryError|ran out of memory|insufficient memory|not reserve enough space")
_NO_JAR = re.compile(r"Could not find or load main class|Invalid or corrupt jarfile|Unable to access jarfile")
_DEEP = re.compile(r"StackOverflowError|stack overflow", re.IGNORECASE)

_SUCCESS = "2193"
_STATES, _STUTTERING, _BACK_TO = "2217", "2218", "2122"
_VIOLATED = {"2110": "invariant", "2107": "invariant", "2112": "action", "2113": "action", "2108": "action",
             "2114": "deadlock", "2116": "temporal"}  # fmt: skip
"""The messages that report a violation."""

_STATISTICS = frozenset({"2199", "2200", "2209"})
_DEPTH, _TIME = "2194", "2186"
_COLLISION = re.compile(r"val = (\d[\d.]*(?:E-?\d+)?)")
_PARSING = frozenset({"3002", "3001"})
_POSITIONS = "2103"


@dataclass(frozen=True)
class _Message:
    number: str
    severity: int
    text: str


def parse(completed: Completed) -> TlcOutput:
    """Read what TLC printed, and how it ended."""
    messages, outside = _messages(completed.stdout)
    statistics = _statistics(messages)
    printed = tuple(dict.fromkeys(_values(outside)))

    def found(status: str, reason: str = "") -> TlcOutput:
        return TlcOutput(status, reason, statistics=statistics, printed=printed)

    if completed.timed_out:
        return found("time", "the engine ran out of time")
    said = completed.stdout[-_TAIL:] + completed.stderr
    wrong = next((one for one in messages if one.severity == 1 and one.number != _POSITIONS), None)
    if completed.exceeded == "memory" or _FULL.search(said):
        return found("memory", "the engine ran out of memory")
    if completed.exceeded:
        return found("unknown", f"it wrote more than it may ({completed.exceeded})")
    kind = _VIOLATED.get(wrong.number, "") if wrong is not None else ""
    if wrong is not None and kind:
        return _violation(found("violated"), kind, wrong, messages)
    if _DEEP.search(said) or (wrong is not None and _DEEP.search(wrong.text)):
        return found("unknown", STACK)
    if wrong is not None:
        # TLC shows the execution that leads to a state in which an expression has no value.
        states, actions, _ = _execution(messages)
        reason = _problem(wrong, messages, outside)
        places = _places(wrong, messages, outside)
        return TlcOutput(
            "error", reason, states=states, actions=actions, statistics=statistics, printed=printed, places=places
        )
    if completed.status == 0 and any(one.number == _SUCCESS for one in messages):
        return found("safe")
    if completed.status < 0:
        return found("error", f"TLC was killed by signal {-completed.status}: {_last(completed)}")
    if _NO_JAR.search(said):
        return found("error", f"there is no TLC in the jar: {_last(completed)}")
    return found("error", f"TLC printed no known message (exit status {completed.status}): {_last(completed)}")


_TAIL = 100_000


def _messages(text: str) -> tuple[list[_Message], str]:
    """The messages, in order, and what stands outside of them: what SANY and the module print."""
    messages: list[_Message] = []
    outside: list[str] = []
    opened: list[tuple[str, int, int]] = []
    end = 0
    for mark in _MARK.finditer(text):
        if not opened:
            outside.append(text[end : mark.start()])
        if mark[1] is not None:
            opened.append((mark[1], int(mark[2]), mark.end() + 1))
        elif opened:
            number, severity, begin = opened.pop()
            messages.append(_Message(number, severity, text[begin : mark.start()]))
        end = mark.end() + 1
    if not opened:
        outside.append(text[end:])
    return messages, "".join(outside)


def _violation(empty: TlcOutput, kind: str, wrong: _Message, messages: list[_Message]) -> TlcOutput:
    states, actions, cycle = _execution(messages)
    named = re.search(r"(?:Invariant|[Pp]roperty) (\S+) is violated", wrong.text)
    if not states and (initial := re.search(r"by the initial state:\n(.*)", wrong.text, re.DOTALL)):
        states, actions = (initial[1].strip(),), ("Initial predicate",)
    return TlcOutput(
        "violated", "", kind, named[1] if named else "", states, actions, cycle, empty.statistics, empty.printed
    )


def _execution(messages: list[_Message]) -> tuple[tuple[str, ...], tuple[str, ...], int | None]:
    """The states of the execution that TLC shows, the steps that lead to them, and where its cycle begins."""
    states: list[str] = []
    actions: list[str] = []
    cycle = None
    for one in messages:
        if one.number == _STATES and (match := _STATE.match(one.text)):
            if int(match[1]) == 1:  # of several executions, the last
                states, actions, cycle = [], [], None
            states.append(match[3].strip())
            actions.append(match[2])
        elif one.number == _STUTTERING:
            cycle = len(states) - 1
        elif one.number == _BACK_TO and (match := _BACK.match(one.text)):
            cycle = int(match[1]) - 1
    return tuple(states), tuple(actions), cycle


def _problem(wrong: _Message, messages: list[_Message], outside: str) -> str:
    """What is wrong with the module or with TLC, in one line."""
    if wrong.number in _PARSING:
        match = re.search(r"\*\*\*Parse Error\*\*\*\s*(.*?)\n\n|Semantic errors:\s*\*\*\* Errors: \d+\s*(.*?)\n\n\n",
                          outside, re.DOTALL)  # fmt: skip
        return f"SANY refuses the module: {excerpt(match[1] or match[2] if match else wrong.text)}"
    nested = [one.text for one in messages if one.severity == 0 and one.number.startswith("5")]
    where = next((one.text for one in messages if one.number == _POSITIONS), "")
    last = re.findall(r"^\d+\. (Line .*)$", where, re.MULTILINE)
    place = f" ({last[-1][0].lower()}{last[-1][1:]})" if last else ""
    text = re.sub(_MARK, "", nested[0] if nested else wrong.text)
    thrown = re.search(r"The exception was an? [\w.$]+\s*:(.*)", text, re.DOTALL)
    text = (thrown[1] if thrown else text).partition("While working on the initial state")[0]
    return f"{excerpt(text)}{place}"


_PLACE = re.compile(
    r"line (\d+), col(?:umn)? \d+(?: to line \d+, col(?:umn)? \d+)?(?: (?:of module|in) (\w+))?", re.IGNORECASE
)
_REFUSED = re.compile(r"parsing TLA\+ spec in file (\w+)|errors:\s.*?\bmodule (\w+)", re.DOTALL)


def _places(wrong: _Message, messages: list[_Message], outside: str) -> tuple[tuple[str, int], ...]:
    """The places that the report of an error names, each a module and a line."""
    if wrong.number in _PARSING:
        texts, named = [outside], _REFUSED.search(outside)
        module = next(filter(None, named.groups()), "") if named else ""
    else:
        texts, module = [one.text for one in messages if one.number in (wrong.number, _POSITIONS, "2215")], ""
    return tuple((each[2] or module, int(each[1])) for text in texts for each in _PLACE.finditer(text))


def _statistics(messages: list[_Message]) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in messages:
        if one.number in _STATISTICS and (match := _COUNTS.search(one.text)):
            found |= {"states": _int(match[3]), "generated": _int(match[1]), "left": _int(match[5])}
            if reached := re.match(rf"\s*Progress\({_NUMBER}\)", one.text):
                found["depth"] = _int(reached[1])
        elif one.number == _DEPTH and (match := re.search(rf"is {_NUMBER}\.", one.text)):
            found["depth"] = _int(match[1])
        elif one.number == _SUCCESS and (collision := _COLLISION.findall(one.text)):
            found["collision"] = max(map(float, collision))
        elif one.number == _TIME and (match := _SECONDS.match(one.text)):
            parts = zip(match.groups(), (86400, 3600, 60, 1, 0.001), strict=True)
            found["seconds"] = sum(int(number) * unit for number, unit in parts if number)
    return found


def _int(text: str) -> int:
    return int(text.replace(",", ""))


_PRINTED = re.compile(r'^<<\s*"cseq"', re.MULTILINE)


def _values(outside: str) -> Iterator[str]:
    """The tuples beginning with "cseq" that the module printed, on one line each: TLC breaks long ones."""
    for match in _PRINTED.finditer(outside):
        end = outside.find(">>", match.start())
        if end >= 0:
            yield " ".join(outside[match.start() : end + 2].split())


def _last(completed: Completed) -> str:
    said = completed.stderr.strip() or "\n".join(completed.stdout.strip().splitlines()[-3:])
    return excerpt(said) or "no output"


def progress(printed: str) -> Activity | None:
    """The progress of a search that has *printed* this last; None if it does not say."""
    found = _PROGRESS.findall(printed)
    if not found:
        return None
    depth, _, _, states, rate, _ = found[-1]
    amounts = [(Amount.STATES, float(_int(states)))]
    if rate:
        amounts.append((Amount.STATES_PER_SECOND, _int(rate) / 60))
    amounts.append((Amount.DEPTH, float(_int(depth))))
    return Activity(ActivityKind.SEARCHING, tuple(amounts))
