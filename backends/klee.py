"""KLEE, the symbolic execution engine (3.0 and later).

Its exit status does not say what it found. That is in files, one per path that ended badly, and in messages, one per
thing that it did not check. ``safe`` is only reported if there are neither.
"""

import functools
import re
import shutil
import signal
import struct
from collections.abc import Iterator
from pathlib import Path

from cseq.backends import portable
from cseq.backends.base import Answer, Backend, Dialect, Options, engines_folder, excerpt
from cseq.model.errors import BackendError, MissingError, UsageError
from cseq.process.run import Completed, run

OLDEST = (3, 0)
"""The first version known to work."""

ANSWER = r"^KLEE (\d+(?:\.\d+)+)"
"""KLEE's words for its version."""

_PRIVATE = ("klee-3.2",)  # below the engines folder, as setup/provide-klee creates them

_INPUT, _BYTES, _BIT, _MOST, _STOP = "__cs_input", "__cs_bytes", "__cs_bit_", "__cs_most_", "__cs_stop_"
"""The names of symbolic objects: an input; an input for each byte; a bit of an input, followed by a letter from `a` on;
a
guess of a context, followed by the greatest value; whether the context ends here, followed by the value if it does."""

_EACH = "for (unsigned long i = 0; i < size; i++)"

# A choice that decides which way control takes is made bit by bit, with a branch for each. To the solver each is a
# question on which nothing else depends, and which it has already met on other paths; after it everything is concrete.
# Where a context ends is not guessed when it begins. It is decided at each label that the thread reaches, so that paths
# share what they have in common; the name of the bit says which value was guessed.
_STEPS = (
    (
        r"(__cs_cs_(\d+)) = (?:\d+ \| )?__CSEQ_nondet_bits_\d+\(\);"
        r"(\n\s*__CSEQ_suppose\(\1 <= (\d+)\);\n(?:\s*__CSEQ_suppose\(\1 >= \d+\);\n)?"
        r"(?:\s*__CSEQ_suppose\(\1 >= __cs_pc_\2\);\n)?"
        r"\s*\w+\(\);\n\s*__cs_pc_\2 = \1;)",
        rf'\1 = __cs_guess(\4, "{_MOST}\4", &\1);\3',
    ),
    (r"\((\d+) >= (__cs_cs_\d+)\)(\)+) goto", rf'__cs_hops(\1, "{_STOP}\1", &\2)\3 goto'),
    (r"(__cs_race_(?:first|second)) = __CSEQ_nondet_uint\(\);", r"\1 = __cs_pick(__CSEQ_THREADS);"),
)

# KLEE replaces these functions by its own, even if they are defined: its errno is shared by all threads, and it fills
# what realloc adds with zeros. So they get other names.
_PROLOGUE = f"""\
static int *__errno_location(void) __asm__("__cs_errno_location");
static void *realloc(void *block, unsigned long size) __asm__("__cs_realloc");
void klee_make_symbolic(void *object, unsigned long size, const char *name);
void klee_assume(unsigned long condition);
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));
unsigned long klee_get_obj_size(void *object);
void __assert_fail(const char *what, const char *file, unsigned line, const char *where) __attribute__((noreturn));
void *malloc(unsigned long size);
void *calloc(unsigned long count, unsigned long size);
static void __CSEQ_claim(int holds, const char *what) {{ if (!holds) __assert_fail(what, "", 0, ""); }}
static void __CSEQ_suppose(int holds) {{ klee_assume(holds); }}
static void __cs_bytes(void *object, unsigned long size) {{ if (size > 0) {{ unsigned char bytes[size]; \
klee_make_symbolic(bytes, size, "{_BYTES}"); {_EACH} ((unsigned char *)object)[i] = bytes[i]; }} }}
static void *__cs_there(void *block) {{ if (block == 0) klee_report_error("", 0, "no memory left", "model.err"); \
return block; }}
static int __cs_bit(const char *name) {{ unsigned char bit; klee_make_symbolic(&bit, 1, name); return bit != 0; }}
static unsigned int *__cs_open;
static unsigned int __cs_pick(unsigned int values) {{ char name[] = "{_BIT}a"; unsigned int picked = 0; __cs_open = 0; \
for (unsigned int bit = 0; bit == 0 || values > 1u << bit; bit++) {{ \
if (__cs_bit(name)) picked |= 1u << bit; name[sizeof name - 2]++; }} return picked; }}
static unsigned int __cs_guess(unsigned int most, const char *name, unsigned int *guess) {{ \
__cs_bit(name); __cs_open = guess; return most; }}
static int __cs_hops(unsigned int here, const char *name, unsigned int *guess) {{ if (here >= *guess) return 1; \
if (__cs_open != guess || !__cs_bit(name)) return 0; *guess = here; __cs_open = 0; return 1; }}
int main(void);
int __cs_begin(void) {{ main(); klee_silent_exit(0); }}"""

_ITS_OWN = re.compile(
    r"^[^\n{};]*\b(abort|_exit|_Exit|exit|free|calloc|malloc|memalign|aligned_alloc|"
    r"_assert|__assert|__assert_rtn|__assert_fail|klee_\w+)\([^{};]*\)\s*\{",
    re.MULTILINE,
)
"""The definition of a function that KLEE would ignore, because it has one of its own of that name."""

_HARMLESS = re.compile(
    r"undefined reference to function: |"  # the path ends with an error where it is called
    r"Alignment of memory from call \"\w+\" is not modelled|"
    r"Large memory allocation \(|"
    r"Symbolic memory (?:read|write) will send the following array of "
)
_MESSAGE = re.compile(r"^KLEE: (?:(WARNING(?: ONCE)?|ERROR|NOTE): )?(.*)$", re.MULTILINE)
_DONE = "KLEE: done: generated tests = "
_MEMORY = re.compile(r"^(?!KLEE: ERROR).*(?:memory cap|bad_alloc|LLVM ERROR: out of memory)", re.MULTILINE)
_CONCRETE = re.compile(r"silently concretizing \(reason: ([^)]*)\).*:(\d+)\)$")
_HUGE = "found huge malloc"


class Klee(Backend):
    """Executes the program on symbolic inputs, one path after another."""

    name = "klee"
    reserves = True
    dialect = Dialect(
        names={"__CSEQ_assume": "__CSEQ_suppose", "__CSEQ_assert": "__CSEQ_claim"},
        definitions={
            **portable.DEFINITIONS,
            "__CSEQ_nondet_": (
                f"static {{type}} {{name}}(void) "
                f'{{ {{type}} input; klee_make_symbolic(&input, sizeof input, "{_INPUT}"); return input; }}'
            ),
            # No control variable needs more than a few bits; a mask of 32 bits would overflow.
            "__CSEQ_nondet_bits_": (
                "static {type} {name}(void) "
                '{ _Static_assert({mask}u < 1u << 20, "too wide"); return __cs_pick({mask}u + 1); }'
            ),
            "__CSEQ_havoc": (
                "static void __CSEQ_havoc(void *object, unsigned long size) { __cs_bytes(object, size); }"
            ),
            # A block may contain any value, but that is not an input: the replay cannot know it.
            "__CSEQ_block": (
                "static void *__CSEQ_block(unsigned long size) { void *block = __cs_there(malloc(size)); "
                'if (size > 0) klee_make_symbolic(block, size, "__cs_contents"); return block; }'
            ),
            "__CSEQ_zeroed": ("static void *__CSEQ_zeroed(unsigned long size) { return __cs_there(calloc(1, size)); }"),
            "__CSEQ_size": (
                "static unsigned long __CSEQ_size(const void *object) { return klee_get_obj_size((void *)object); }"
            ),
        },
        prologue=tuple(_PROLOGUE.split("\n")),
        rewritten=_STEPS,
    )

    def find(self) -> Path | None:
        """$CSEQ_KLEE, a `klee` on PATH that is new enough, or one that was provided for CSeq alone."""
        return self.located(OLDEST, private())

    def version(self, path: Path) -> tuple[int, ...] | None:
        """For example (3, 2)."""
        return _numbers(ANSWER, _said(str(path)))

    def prepare(self, path: Path, program: Path, options: Options) -> list[list[str]]:
        """Compile to bitcode, without optimisations, since these exploit what C leaves undefined."""
        if options.bits != 64:
            raise UsageError("the backend `klee` has no data model of 32 bits (--32)")
        if own := _ITS_OWN.search(program.read_text(encoding="utf-8")):
            raise BackendError(f"KLEE would use its own `{own.group(1)}` instead of the program's")
        shutil.rmtree(_folder(program), ignore_errors=True)  # KLEE does not write into an existing folder
        command = [clang(path), "-O0", "-w", "-ffreestanding", "-fwrapv", "-fno-strict-aliasing"]
        command += ["-gline-tables-only", "-emit-llvm", "-c", "-x", "cpp-output", str(program)]
        return [[*command, "-o", str(_bitcode(program))]]

    def command(self, path: Path, program: Path, options: Options) -> list[str]:
        """Depth-first until the first violation; only what went wrong is written."""
        command = [str(path), "--entry-point=__cs_begin", f"--output-dir={_folder(program)}"]
        command += ["--search=dfs", "--exit-on-error-type=Assert", "--silent-klee-assume", "--external-calls=none"]
        command += ["--check-overshift=false", "--max-memory=0", "--dump-states-on-halt=false"]
        command += ["--output-stats=false", "--output-istats=false", "--output-source=false"]
        return [*command, str(_bitcode(program))]

    def parse(self, completed: Completed, program: Path) -> Answer:
        """Read the first violation from the files. Without one, check whether any path ended early or was left out."""
        said = completed.stdout + completed.stderr
        folder = _folder(program)
        for file in sorted(folder.glob("*.assert.err")):
            return _violated(file)
        if completed.timed_out:
            return Answer("timeout")
        if _MEMORY.search(said) or (completed.limited and -completed.status in _KILLERS):
            return Answer("memory")
        if completed.status < 0:
            return Answer("error", f"KLEE was killed by signal {-completed.status}")
        for file in sorted([*folder.glob("*.err"), *folder.glob("*.early")]):
            return _ended(file)
        for kind, text in _MESSAGE.findall(said):
            if concrete := _CONCRETE.match(text):
                message = f"KLEE explores only one of many values ({concrete.group(1)})"
                return Answer("error", message, line=int(concrete.group(2)))
            if (kind.startswith("WARNING") and not _HARMLESS.match(text)) or kind == "ERROR" or _HUGE in text:
                return Answer("error", f"KLEE says: {excerpt(text)}")
        if completed.status != 0 or _DONE not in said:
            return Answer("error", f"KLEE does not end properly (exit status {completed.status}): {excerpt(said)}")
        return Answer("safe")


def private() -> list[Path]:
    """The places of copies that were provided for CSeq alone."""
    return [engines_folder() / name / "bin" / "klee" for name in _PRIVATE]


_KILLERS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL)


def _folder(program: Path) -> Path:
    return program.with_suffix(".klee")


def _bitcode(program: Path) -> Path:
    return program.with_suffix(".bc")


def clang(klee: Path) -> str:
    """The compiler whose bitcode *klee* reads: that of the LLVM with which it was built.

    Raises BackendError if it is missing, or if *klee* does not report which one that is.
    """
    version = _numbers(r"LLVM version (\d+(?:\.\d+)*)", _said(str(klee)))
    if version is None:
        raise BackendError(f"{klee} does not say the version of its LLVM as KLEE does")
    major = version[0]
    for name in (f"clang-{major}", f"/usr/lib/llvm-{major}/bin/clang", "clang"):
        program = shutil.which(name)
        if program and (_numbers(r"clang version (\d+(?:\.\d+)*)", _said(program)) or (0,))[0] == major:
            return program
    raise MissingError(f"KLEE needs clang {major}, that of its LLVM (apt-get install clang-{major})")


@functools.cache
def _said(path: str) -> str:
    """The output of a program that is asked for its version."""
    try:
        return run([path, "--version"], timeout=10).stdout
    except BackendError:
        return ""


def _numbers(pattern: str, text: str) -> tuple[int, ...] | None:
    match = re.search(pattern, text, re.MULTILINE)
    return tuple(int(part) for part in match.group(1).split(".")) if match else None


def _violated(file: Path) -> Answer:
    """The violation in *file*."""
    text = file.read_text(encoding="utf-8", errors="replace")
    match = re.match(r"Error: ASSERTION FAIL: (.*?)\n(?:File: |Stack: )", text, re.DOTALL)
    ktest = file.with_name(file.name.partition(".")[0] + ".ktest")
    if match is None or not ktest.is_file():
        return Answer("error", "KLEE reports a violation without its inputs")
    return Answer("violated", description=match.group(1), inputs=inputs(ktest.read_bytes()))


def _ended(file: Path) -> Answer:
    """The effect of a path that ended early, as *file* says, on an answer without a violation."""
    text = file.read_text(encoding="utf-8", errors="replace")
    kind = file.name.partition(".")[2]
    if kind == "solver.err":
        return Answer("timeout")
    if kind == "early" and "Memory limit" in text:
        return Answer("memory")
    what = text.partition("\n")[0].removeprefix("Error: ")
    line = re.search(r"^Line: (\d+)$", text, re.MULTILINE)
    message = f"KLEE gives up an execution, and finds no violation in the others: {excerpt(what)}"
    return Answer("error", message, line=int(line.group(1)) if line else None)


def inputs(ktest: bytes) -> list[int]:
    """The inputs in the file *ktest*, in the order in which they were chosen."""
    values: list[int] = []
    guess = 0  # the position of the last guess of a context
    for name, content in objects(ktest):
        if name == _INPUT:
            values.append(int.from_bytes(content, "little"))
        elif name == _BYTES:
            values.extend(content)
        elif name == f"{_BIT}a":
            values.append(int(any(content)))
        elif name.startswith(_BIT):
            values[-1] |= any(content) << (ord(name[-1]) - ord("a"))
        elif name.startswith(_MOST):
            guess = len(values)
            values.append(int(name.removeprefix(_MOST)))
        elif name.startswith(_STOP) and any(content):
            values[guess] = int(name.removeprefix(_STOP))
    return values


def objects(ktest: bytes) -> Iterator[tuple[str, bytes]]:
    """The symbolic objects of a ktest file: names and contents. ValueError for data that is not one.

    All numbers are big-endian, of 32 bits: the version after the word KTEST, the arguments (a number, then each as
    length and text), two numbers, and the objects (a number, then each as length and name, length and content).
    """
    position = 5

    def number() -> int:
        nonlocal position
        if position + 4 > len(ktest):
            raise ValueError("the file ends too early")
        (value,) = struct.unpack_from(">I", ktest, position)
        position += 4
        return int(value)

    def text() -> bytes:
        nonlocal position
        size = number()
        if position + size > len(ktest):
            raise ValueError("the file ends too early")
        position += size
        return ktest[position - size : position]

    if ktest[:5] != b"KTEST":
        raise ValueError("this is not a ktest file")
    version = number()
    if not 2 <= version <= 3:
        raise ValueError(f"version {version} of the ktest format is unknown")
    for _ in range(number()):
        text()
    number()
    number()
    for _ in range(number()):
        name = text().decode()
        yield name, text()


BACKEND = Klee()
