"""ESBMC, an SMT-based bounded model checker (8.4)."""

import functools
import math
import re
import signal
from pathlib import Path

from cseq.backends import portable
from cseq.backends.base import Answer, Backend, Dialect, Options, engines_folder, excerpt, last_phase
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError
from cseq.process.run import Completed, run

OLDEST = (8, 4)
"""The first version known to work. Earlier ones print different counterexamples."""

LONGEST = 64
"""How often loops that copy or fill memory are repeated, if only an input ends them earlier."""

_INPUT = "__CSEQ_input"
_VALUE = re.compile(rf"  {_INPUT} = .* \(([01 ]+)\)|  {_INPUT} = .*")
_STATE = re.compile(r"State \d+ file .*? line \d+ (?:column \d+ )?(?:function (\w+) )?thread \d+")
_OUT_OF_MEMORY = re.compile(
    r"out of memory|bad_alloc|cannot allocate memory|failed to map segment|std::length_error", re.IGNORECASE
)
_CUT = "unwinding assertion loop"
_PHASES = (
    ("Parsing ", ActivityKind.READING),
    ("Starting Bounded Model Checking", ActivityKind.EXECUTING_SYMBOLICALLY),
    ("Symex completed", ActivityKind.MAKING_FORMULA),
    ("Encoding remaining VCC", ActivityKind.MAKING_FORMULA),
    ("Solving with solver", ActivityKind.SOLVING),
)
_ASSIGNMENTS = re.compile(r"remaining after simplification \((\d+) assignments\)")
_THEIRS = ("__memset_impl:0", "__memcpy_impl:0", "__memmove_impl:0", "__memmove_impl:1")
_OURS = ("__CSEQ_copy:0", "__CSEQ_move:0", "__CSEQ_move:1", "__CSEQ_fill:0", "__CSEQ_zeroed:0")
"""Those loops: the function, and which of its loops. For all others ESBMC can determine the number of iterations."""


def private() -> Path:
    """The place where setup/provide-esbmc puts one."""
    return engines_folder() / "esbmc-8.4" / "bin" / "esbmc"


class Esbmc(Backend):
    """Checks a program without loops, except for those that copy memory."""

    name = "esbmc"
    solvers = ("bitwuzla", "boolector", "z3")
    reserves = True  # 512 MB for its stack
    dialect = Dialect(
        prologue=(
            "void __ESBMC_assume(_Bool);",
            "void __ESBMC_assert(_Bool, const char *);",
            "static void __CSEQ_suppose(int holds) { __ESBMC_assume(holds != 0); }",
            f"unsigned long long {_INPUT};",
        ),
        names={"__CSEQ_assume": "__ESBMC_assume", "__CSEQ_assert": "__ESBMC_assert"},
        definitions={
            **{name: text for name, text in portable.DEFINITIONS.items() if name != "__CSEQ_nondet_bits_"},
            # Any function of this name without a body returns any value of its type.
            "__CSEQ_nondet_": (
                "{type} __VERIFIER_nondet_{kind}(void); static {type} {name}(void) "
                f"{{ {{type}} any = __VERIFIER_nondet_{{kind}}(); {_INPUT} = any; return any; }}"
            ),
            # To the solver, a pointer made from a number may be any object, by its address, which does not scale. A
            # pointer without a value, and fresh memory, are arbitrary already: they only have to be reported.
            "__CSEQ_nondet_pointer": (
                "static void *__CSEQ_nondet_pointer(void) "
                f"{{ void *any; unsigned long bits = (unsigned long)any; {_INPUT} = bits; return any; }}"
            ),
            # (The value of a variable is printed as bits; that of an expression not always.)
            "__CSEQ_fresh": (
                "static void __CSEQ_fresh(void *block, unsigned long size) { for (unsigned long i = 0; i < size; i++) "
                f"{{ unsigned char any = ((unsigned char *)block)[i]; {_INPUT} = any; }} }}"
            ),
            # To ESBMC two objects may have the same address, but they are two objects.
            "__CSEQ_address": (
                "static unsigned long __CSEQ_address(const volatile void *byte) { __ESBMC_HIDE:; return "
                "((unsigned long)__ESBMC_POINTER_OBJECT((const void *)byte) << (sizeof(long) == 8 ? 32 : 20)) "
                "+ (unsigned long)__ESBMC_POINTER_OFFSET((const void *)byte); }"
            ),
            "__CSEQ_size": (  # hidden, since printing it in a trace makes ESBMC crash
                "static unsigned long __CSEQ_size(const void *block) "
                "{ __ESBMC_HIDE:; return __ESBMC_alloc_size[__ESBMC_POINTER_OBJECT(block)]; }"
            ),
        },
        bits="unsigned _BitInt({width})",
        as_unsigned=("^", "|"),
    )

    def find(self) -> Path | None:
        """$CSEQ_ESBMC, an `esbmc` on PATH that is new enough, or the one that was provided for CSeq alone."""
        return self.located(OLDEST, [private()])

    def version(self, path: Path) -> tuple[int, ...] | None:
        """For example (8, 4, 0)."""
        return _version(str(path))

    def command(self, path: Path, program: Path, options: Options) -> list[str]:
        """Check only what the program claims, and all of it: a loop that is cut off is a violation as well.

        Without slicing all inputs are in the counterexample. Arrays are split into their elements: there are few, and
        the solvers need a fifth of the time.
        """
        command = [str(path), str(program), f"--{options.bits}", "--no-standard-checks", "--force-malloc-success"]
        command += [
            "--no-slice-name",
            f"c:@{_INPUT}",
            "--array-flattener",
            "--quiet",
            "--color",
            "never",
            f"--{options.solver or 'bitwuzla'}",
        ]
        loops = [*_THEIRS, *(f"{program.name}@{loop}" for loop in _OURS)]
        command += ["--unwindsetname", ",".join(f"{loop}:{LONGEST}" for loop in loops)]
        if options.timeout is not None:  # in case nothing else is left to stop it
            command += ["--timeout", f"{math.ceil(options.timeout) + 1}s"]
        return command

    def parse(self, completed: Completed, program: Path) -> Answer:
        """Read the text: the verdict, the violated property, and the inputs in the states before it."""
        text = completed.stdout + completed.stderr
        lines = text.splitlines()
        if completed.timed_out or "ERROR: Timed out" in lines:
            return Answer("timeout")
        verdict = next((line for line in reversed(lines) if line.startswith("VERIFICATION ")), "")
        if verdict == "VERIFICATION SUCCESSFUL" and completed.status == 0:
            return Answer("safe")
        if verdict == "VERIFICATION FAILED" and completed.status == 1:
            return _violation(lines)
        if _OUT_OF_MEMORY.search(text) or (
            completed.limited and completed.status in (-signal.SIGABRT, -signal.SIGSEGV)
        ):
            return Answer("memory")
        if completed.status < 0:
            return Answer("error", f"ESBMC was killed by signal {-completed.status}")
        errors = [line for line in lines if re.search(r"\berror\b", line, re.IGNORECASE)]
        said = errors[0] if errors else verdict or f"no verdict (exit status {completed.status})"
        return Answer("error", f"ESBMC says: {excerpt(said)}")

    def phase(self, printed: str) -> Activity | None:
        """The phase, with the size of the formula when it is made."""
        doing = last_phase(printed, _PHASES)
        size = _ASSIGNMENTS.search(printed)
        sizes = () if size is None else ((Amount.ASSIGNMENTS, int(size[1])),)
        return None if doing is None else Activity(doing, sizes)


def _violation(lines: list[str]) -> Answer:
    """The inputs and what is violated; an error if a part of that is missing."""
    try:
        end = lines.index("Violated property:")
        description = lines[end + 2][2:]
    except (ValueError, IndexError):
        return Answer("error", "ESBMC reports a violation without a counterexample")
    if description.startswith(_CUT):
        return Answer("error", f"the program may copy or fill any number of bytes, more than {LONGEST}")
    inputs, where = [], ""
    for line in lines[:end]:
        if state := _STATE.match(line):
            where = state.group(1) or ""
        elif where and (found := _VALUE.fullmatch(line)):  # outside functions it only gets its initial value
            if found.group(1) is None:
                return Answer("error", f"ESBMC reports no bits of an input: {excerpt(line)}")
            inputs.append(int(found.group(1).replace(" ", ""), 2))
    return Answer("violated", description=description, inputs=inputs)


@functools.cache
def _version(path: str) -> tuple[int, ...] | None:
    try:
        completed = run([path, "--version"], timeout=10)
    except BackendError:
        return None
    match = re.search(r"^ESBMC version (\d+(?:\.\d+)+)", completed.stdout + completed.stderr, re.MULTILINE)
    return tuple(int(part) for part in match.group(1).split(".")) if match else None


BACKEND = Esbmc()
