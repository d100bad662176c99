"""CBMC, the C bounded model checker (5.12 and later)."""

import functools
import json
import re
import shutil
import signal
from pathlib import Path
from typing import Any

from cseq.backends.base import Answer, Backend, Dialect, Options, engines_folder, excerpt, last_phase
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError, MissingError, UsageError
from cseq.process.run import Completed, run

OLDEST = (5, 12)
"""The first version known to work."""

_PRIVATE = ("cbmc-6.6", "cbmc-5.12")  # below the engines folder, as setup/provide-cbmc creates them
_PATIENCE = 10.0  # seconds for reporting the version
_INPUT = "__CSEQ_input"
_ARRIVED = "__cs_at"
_OTHER_TYPE = re.compile(
    r"\bunion\b|\bmem(?:cpy|move)\(|__CPROVER_array_copy|\((?!(?:\w+ )*(?:void|char) \*\))[\w ]+\*+\) \(?&"
)
"""Where bytes may be read as a pointer that were not written as one."""
_LOOP = re.compile(r"^\s*(?:while|for|do)\b", re.MULTILINE)
_OUT_OF_MEMORY = re.compile(
    r"out.of.memory|bad_alloc|cannot allocate memory|failed to map segment|std::length_error", re.IGNORECASE
)

_AS_IT_IS = "--no-sat-preprocessor"
"""Keeps MiniSat, if that is the solver, from eliminating variables first. That takes longer than what it saves: on
sequentialized programs it made violations up to ten times as slow to find, and proofs no faster."""
_SOLVERS = {
    "minisat": ("--sat-solver", "minisat2"),
    "cadical": ("--external-sat-solver", "cadical"),
    "kissat": ("--external-sat-solver", "kissat"),
    "bitwuzla": ("--bitwuzla",),
    "z3": ("--z3",),
    "cvc5": ("--cvc5",),
}
_BUILT_IN = "minisat"
_WITH_SOLVERS = (6,)
"""The first version that may use solvers other than MiniSat. Some earlier ones, such as 5.12, report a proof if an SMT
solver is missing or crashes (with several claims and --stop-on-fail)."""
_PHASES = (
    ("CBMC version", ActivityKind.READING),
    ("Generic Property Instrumentation", ActivityKind.EXECUTING_SYMBOLICALLY),
    ("Starting Bounded Model Checking", ActivityKind.EXECUTING_SYMBOLICALLY),
    ("aborting path on assume", ActivityKind.EXECUTING_SYMBOLICALLY),
    ("size of program expression", ActivityKind.MAKING_FORMULA),
    ("Passing problem to", ActivityKind.MAKING_FORMULA),
    ("converting SSA", ActivityKind.SOLVING),
    ("Running propositional reduction", ActivityKind.SOLVING),
    ("Solving with", ActivityKind.SOLVING),
)
"""What CBMC prints, and what it does when that appears: its output is one message later than its activity."""
_SIZES = (
    (re.compile(r"size of program expression: (\d+) steps"), Amount.STEPS),
    (re.compile(r"\b(\d+) variables, "), Amount.VARIABLES),
    (re.compile(r"\b(\d+) clauses"), Amount.CLAUSES),
)
_CRASH = re.compile(r"^Invariant check failed$.*?^Reason: (.*?)$", re.MULTILINE | re.DOTALL)
_EXTERNAL = re.compile(r"Solver returned code: (\d+)$")
_SAT_STATUSES = ("10", "20")  # exit statuses of SAT solvers that have an answer

# Of the objects whose lifetime has ended, one is remembered, nondeterministically: so each use of any of them is seen.
# The same goes for blocks that have not been freed. CBMC 5.12 does not check the bounds of blocks in __CPROVER_r_ok.
_GONE = "static const void *__CSEQ_gone; "
_KEPT = "static const void *__CSEQ_kept_block; "
_CHOICE = f"unsigned char {_INPUT}; "
_NEW = (
    f"{_KEPT}static void *{{name}}(unsigned long size) "
    f"{{{{ void *block = __CPROVER_allocate(size, {{zeroed}}); {_CHOICE}"
    f"if ({_INPUT} & 1) __CSEQ_kept_block = block; return block; }}}}"
)
_VALID = (
    f"{_GONE}static _Bool {{name}}(int check, const volatile void *from, const volatile void *at, unsigned long size) "
    "{{ return __CPROVER_r_ok(at, size) && !__CPROVER_same_object(at, __CSEQ_gone) && "
    "(unsigned long)__CPROVER_POINTER_OFFSET(at) <= (unsigned long)__CPROVER_OBJECT_SIZE(at) && "
    "size <= (unsigned long)__CPROVER_OBJECT_SIZE(at) - (unsigned long)__CPROVER_POINTER_OFFSET(at); }}"
)
_LIFETIMES = {
    "__CSEQ_valid": _VALID.format(name="__CSEQ_valid"),
    "__CSEQ_valid_inside": _VALID.format(name="__CSEQ_valid_inside"),
    "__CSEQ_freeable": (
        f"{_GONE}static _Bool __CSEQ_freeable(int check, const volatile void *block) "
        "{ return __CPROVER_r_ok(block, 0) && __CPROVER_DYNAMIC_OBJECT(block) && "
        "__CPROVER_POINTER_OFFSET(block) == 0 && !__CPROVER_same_object(block, __CSEQ_gone); }"
    ),
    "__CSEQ_begins": (
        f"{_GONE}static void __CSEQ_begins(const volatile void *object) "
        "{ if (__CSEQ_gone == object) __CSEQ_gone = 0; }"
    ),
    "__CSEQ_ends": (
        f"{_GONE}static void __CSEQ_ends(const volatile void *object) "
        "{ _Bool remembered; if (remembered) __CSEQ_gone = (const void *)object; }"
    ),
    "__CSEQ_delete": (
        f"{_GONE}{_KEPT}static void __CSEQ_delete(void *block) {{ _Bool remembered; "
        "if (block != 0 && remembered) __CSEQ_gone = block; "
        "if (block != 0 && __CSEQ_kept_block == block) __CSEQ_kept_block = 0; }"
    ),
    "__CSEQ_renewed": (
        f"{_GONE}{_KEPT}static void __CSEQ_renewed(void *block) {{ {_CHOICE}"
        f"if ({_INPUT} & 1) __CSEQ_kept_block = block; if (__CSEQ_gone == block) __CSEQ_gone = 0; }}"
    ),
    "__CSEQ_new": _NEW.format(name="__CSEQ_new", zeroed=0),
    "__CSEQ_new_zeroed": _NEW.format(name="__CSEQ_new_zeroed", zeroed=1),
    "__CSEQ_kept": f"{_KEPT}static const void *__CSEQ_kept(void) {{ return __CSEQ_kept_block; }}",
    "__CSEQ_same": (
        "static _Bool __CSEQ_same(const volatile void *pointer, const void *block) "
        "{ return __CPROVER_same_object(pointer, block); }"
    ),
}
"""The primitives for questions about the state of objects."""


class Cbmc(Backend):
    """Checks the program without its loops; nothing is left for CBMC to unwind."""

    name = "cbmc"
    properties = Backend.properties | {"valid-memsafety", "no-overflow"}
    solvers = tuple(_SOLVERS)
    dialect = Dialect(
        names={
            "__CSEQ_assume": "__CPROVER_assume",
            "__CSEQ_assert": "__CPROVER_assert",
            "__CSEQ_address": "(unsigned long)",
            "__CSEQ_section_begin": "__CPROVER_atomic_begin",
            "__CSEQ_section_end": "__CPROVER_atomic_end",
            "__CSEQ_overflow_plus": "__CPROVER_overflow_plus",
            "__CSEQ_overflow_minus": "__CPROVER_overflow_minus",
            "__CSEQ_overflow_mult": "__CPROVER_overflow_mult",
        },
        definitions={
            # To CBMC a local without a value has any value; a name of its own makes it easy to find in a trace.
            "__CSEQ_nondet_": f"static {{type}} {{name}}(void) {{ {{type}} {_INPUT}; return {_INPUT}; }}",
            "__CSEQ_nondet_bool": f"static _Bool {{name}}(void) {{ unsigned char {_INPUT}; return {_INPUT} & 1; }}",
            "__CSEQ_full_fence": (
                'static void __CSEQ_full_fence(void) { __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence"); }'
            ),
            "__CSEQ_unwound": "static void __CSEQ_unwound(int holds, const char *what) { __CPROVER_assume(holds); }",
            "__CSEQ_havoc": (
                "static void __CSEQ_havoc(void *object, unsigned long size) "
                f"{{ for (unsigned long i = 0; i < size; i++) {{ unsigned char {_INPUT}; "
                f"((unsigned char *)object)[i] = {_INPUT}; }} }}"
            ),
            "__CSEQ_fresh": (
                "static void __CSEQ_fresh(void *block, unsigned long size) { __CSEQ_havoc(block, size); }"
            ),
            "__CSEQ_zero": (
                "static void __CSEQ_zero(void *object, unsigned long size) "
                "{ for (unsigned long i = 0; i < size; i++) ((unsigned char *)object)[i] = 0; }"
            ),
            "__CSEQ_allocate": (
                "static void *__CSEQ_allocate(unsigned long size) { return __CPROVER_allocate(size, 0); }"
            ),
            "__CSEQ_allocate_freeable": (
                "static void *__CSEQ_allocate_freeable(unsigned long size) { return __CPROVER_allocate(size, 0); }"
            ),
            "__CSEQ_zeroed": "static void *__CSEQ_zeroed(unsigned long size) { return __CPROVER_allocate(size, 1); }",
            "__CSEQ_size": (
                "static unsigned long __CSEQ_size(const void *object) { return __CPROVER_OBJECT_SIZE(object); }"
            ),
            "__CSEQ_room": (
                "static unsigned long __CSEQ_room(const void *object) { return __CPROVER_OBJECT_SIZE(object); }"
            ),
            "__CSEQ_inside": (
                "static _Bool __CSEQ_inside(const volatile void *pointer, const void *block) "
                "{ return __CPROVER_same_object(pointer, block); }"
            ),
            "__CSEQ_again": "static void __CSEQ_again(void *block) { }",
            "__CSEQ_release": "static void __CSEQ_release(void *object) { }",
            "__CSEQ_copy": (
                "static void __CSEQ_copy(void *to, const void *from, unsigned long size) "
                "{ if (size > 0) { char copied[size]; __CPROVER_array_copy(copied, (char *)from); "
                "__CPROVER_array_replace((char *)to, copied); } }"
            ),
            "__CSEQ_move": (
                "static void __CSEQ_move(void *to, const void *from, unsigned long size) "
                "{ if (size > 0) { char copied[size]; __CPROVER_array_copy(copied, (char *)from); "
                "__CPROVER_array_replace((char *)to, copied); } }"
            ),
            "__CSEQ_fill": (
                "static void __CSEQ_fill(void *object, int byte, unsigned long size) "
                "{ if (size > 0) { char filled[size]; __CPROVER_array_set(filled, (char)byte); "
                "__CPROVER_array_replace((char *)object, filled); } }"
            ),
            # The argument is a variable of its own, which CBMC's simplifier does not look through.
            "__CSEQ_pointer": "static void *__CSEQ_pointer(long number) { return (void *)number; }",
            **_LIFETIMES,
        },
        made_pointer="__CSEQ_pointer",
        bits="unsigned __CPROVER_bitvector[{width}]",
    )

    def find(self) -> Path | None:
        """$CSEQ_CBMC, a `cbmc` on PATH that is new enough, or one that was provided for CSeq alone."""
        return self.located(OLDEST, (engines_folder() / name / "bin" / "cbmc" for name in _PRIVATE))

    def version(self, path: Path) -> tuple[int, ...] | None:
        """For example (6, 6, 0)."""
        return _version(str(path))

    def usable(self, path: Path) -> list[str]:
        """MiniSat, which is a part of CBMC, and the solvers on PATH that this version may use."""
        others = (self.version(path) or (0,)) >= _WITH_SOLVERS
        return [name for name in self.solvers if name == _BUILT_IN or (others and shutil.which(name))]

    def command(self, path: Path, program: Path, options: Options) -> list[str]:
        """JSON with a trace, for the first violation; only what the program claims is checked."""
        command = [str(path), str(program), "--json-ui", "--trace", "--stop-on-fail", f"--{options.bits}"]
        command += ["--no-built-in-assertions", _AS_IT_IS]
        if options.memory_model != "sc":
            command += ["--mm", options.memory_model]
        version = self.version(path)
        if version is None:
            raise BackendError(f"{path} does not say its version as CBMC does")
        command += own_options(version, program.read_text(encoding="utf-8") if program.is_file() else "")
        return command if options.solver is None else [*command, *_solver_options(version, options.solver)]

    def parse(self, completed: Completed, program: Path) -> Answer:
        """Read the JSON: the verdict, the violated property and the inputs in the trace."""
        everything = completed.stdout + completed.stderr
        if completed.timed_out:
            return Answer("timeout")
        if _OUT_OF_MEMORY.search(everything) and completed.status not in (0, 10):
            return Answer("memory")
        if crash := _CRASH.search(everything):
            return Answer("error", f"CBMC crashed: {excerpt(crash.group(1))}")
        if completed.status in (-signal.SIGABRT, -signal.SIGSEGV) and completed.limited:
            return Answer("memory")  # a C++ program whose allocation fails at a bad moment cannot report it
        if completed.status < 0:
            return Answer("error", f"CBMC was killed by signal {-completed.status}")
        try:
            messages = json.loads(completed.stdout)
        except json.JSONDecodeError:
            return Answer("error", f"CBMC's output (exit status {completed.status}) is not JSON: {excerpt(everything)}")
        texts = [text for m in _objects(messages) if isinstance(text := m.get("messageText"), str)]
        if other := next((text for text in texts if "default solver will be used instead" in text), None):
            return Answer("error", f"CBMC says: {excerpt(other)}")
        external = next((match.group(1) for text in texts if (match := _EXTERNAL.search(text))), _SAT_STATUSES[0])
        if external not in _SAT_STATUSES:
            return Answer("error", f"the SAT solver failed (exit status {external})")
        status = next((m["cProverStatus"] for m in _objects(messages) if "cProverStatus" in m), None)
        if status == "success" and completed.status == 0:
            return Answer("safe")
        failed = next(
            (m for m in _objects(messages) if m.get("status") in ("failed", "FAILURE") and "trace" in m), None
        )
        if status == "failure" and completed.status == 10 and failed is not None:
            said = failed.get("description", "")
            return Answer(
                "violated", description=said, inputs=_inputs(failed["trace"]), events=_events(failed["trace"])
            )
        errors = [m.get("messageText", "") for m in _objects(messages) if m.get("messageType") == "ERROR"]
        said = errors[0] if errors else f"no verdict (exit status {completed.status})"
        return Answer("error", f"CBMC says: {excerpt(said)}")

    def covering(self, path: Path, program: Path, bits: int) -> list[str] | None:
        """JSON with a result for each claim; with versions whose options do not depend on the program."""
        version = self.version(path)
        if version is None or version < (6,):
            return None
        command = [str(path), str(program), "--json-ui", f"--{bits}", "--no-built-in-assertions", _AS_IT_IS]
        return [*command, *own_options(version, "")]

    def covered(self, completed: Completed) -> frozenset[str] | None:
        """The texts of the claims that fail."""
        try:
            results = next(m["result"] for m in _objects(json.loads(completed.stdout)) if "result" in m)
        except (json.JSONDecodeError, StopIteration):
            return None
        if any(result["status"] not in ("SUCCESS", "FAILURE") for result in results):
            return None
        return frozenset(str(result["description"]) for result in results if result["status"] == "FAILURE")

    def phase(self, printed: str) -> Activity | None:
        """The phase, with the size of the formula as far as it is reported."""
        doing = last_phase(printed, _PHASES)
        found = [(amount, pattern.findall(printed)) for pattern, amount in _SIZES]
        sizes = tuple((amount, int(numbers[-1])) for amount, numbers in found if numbers)
        return None if doing is None else Activity(doing, sizes)


def own_options(version: tuple[int, ...], program: str) -> list[str]:
    """What *version* needs so that it takes the text *program* for what it means.

    Version 5.12 reads the bytes of a number that it knows as another pointer; it knows none without propagation, which
    is what ends loops, though.
    """
    if version >= (6,):
        return ["--no-standard-checks"]
    return ["--no-propagation"] if _OTHER_TYPE.search(program) and not _LOOP.search(program) else []


@functools.cache
def _version(path: str) -> tuple[int, ...] | None:
    try:
        completed = run([path, "--version"], timeout=_PATIENCE)
    except BackendError:
        return None
    match = re.match(r"(?:CBMC version )?(\d+(?:\.\d+)+)", completed.stdout.strip())
    return tuple(int(part) for part in match.group(1).split(".")) if match else None


def _solver_options(version: tuple[int, ...], solver: str) -> tuple[str, ...]:
    """The options that make CBMC use *solver*."""
    if version < _WITH_SOLVERS:
        if solver != _BUILT_IN:
            number = ".".join(map(str, version))
            raise UsageError(f"CBMC {number} cannot use {solver}; it knows {_BUILT_IN} (CBMC 6 knows {_listed()})")
        return ()
    if solver != _BUILT_IN and shutil.which(solver) is None:
        from cseq.process.tools import advice

        raise MissingError(f"the solver `{solver}` is not installed (to install it: {advice(solver)})")
    return _SOLVERS[solver]


def _listed() -> str:
    names = list(_SOLVERS)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _objects(messages: Any) -> list[dict[str, Any]]:
    return [m for m in messages if isinstance(m, dict)] if isinstance(messages, list) else []


def _events(trace: list[dict[str, Any]]) -> list[tuple[int, str, int]] | None:
    """What the threads of the program do, as far as a replay needs it; None for a sequential program."""
    found, concurrent = [], False
    for step in trace:
        lhs = step.get("lhs")
        if step.get("stepType") == "failure":
            found.append((step.get("thread", 0), "", 0))
        elif step.get("stepType") == "assignment" and lhs in (_INPUT, _ARRIVED):
            concurrent = concurrent or lhs == _ARRIVED
            bits = step.get("value", {}).get("binary")
            found.append((step.get("thread", 0), lhs, int(bits, 2) if bits else 0))
    return found if concurrent else None


def _inputs(trace: list[dict[str, Any]]) -> list[int]:
    """The values of the inputs, in the order in which they were chosen."""
    values = []
    for step in trace:
        if step.get("stepType") == "assignment" and step.get("lhs") == _INPUT:
            value = step.get("value", {})
            bits = value.get("binary")
            # A pointer that CBMC made up has no bits that are meaningful to a compiled program.
            values.append(int(bits, 2) if bits else 0)
    return values


BACKEND = Cbmc()


def find() -> Path | None:
    """The place of CBMC; see `Cbmc.find`."""
    return BACKEND.find()


def version(path: Path) -> tuple[int, ...] | None:
    """The version of the CBMC at *path*."""
    return BACKEND.version(path)
