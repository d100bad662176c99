"""Compile the user's files, with hooks and with the runtime that schedules threads."""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cseq.model.activity import ActivityKind, phase
from cseq.model.errors import BackendError, InputError, MissingError
from cseq.model.origin import Origin
from cseq.modules.compiled.cc import compilers
from cseq.modules.compiled.cc.elf import defines_function
from cseq.modules.compiled.cc.wrapper import invocation
from cseq.modules.compiled.languages import is_cxx, is_linked
from cseq.modules.compiled.run_options import FLAGS, MODEL, NAME
from cseq.modules.frontend.merger.merger import HEADERS, MACROS
from cseq.options.properties import TIMEOUT
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import Wrapper
from cseq.process.run import Completed, Limits, first

# What programs for software verifiers mean by the names of their functions, which the runtime cannot see.

_SECTION = re.compile(r"\b(?!__VERIFIER_atomic_(?:begin|end)\b)__VERIFIER_atomic_\w+\s*\([^;{}()]*\)\s*\{")
"""The beginning of a function that is an atomic section."""

_ASSUMPTION = re.compile(r"\bassume_abort_if_not\s*\(\s*(?:int|_Bool|bool)\s+(\w+)\s*\)\s*\{")
"""The beginning of a function that calls `abort` where what is assumed does not hold."""

_PRIMITIVES = """\
void __cseq_begin(void) __asm__("__VERIFIER_atomic_begin"); \
void __cseq_end(void) __asm__("__VERIFIER_atomic_end"); \
void __cseq_assume(int) __asm__("__VERIFIER_assume"); \
static inline __attribute__((unused)) void __cseq_leave(int *p) { (void)p; __cseq_end(); }
"""
_WHOLE = " __cseq_begin(); int __cseq_in __attribute__((cleanup(__cseq_leave), unused)) = 0; "


def with_sections(source: str, copy: Path) -> str:
    """The C file to compile: *source*, or *copy*, in which functions called __VERIFIER_atomic_… are atomic sections
    and `assume_abort_if_not` assumes. The lines of the copy are those of *source*, for messages and reports."""
    text = Path(source).read_text(encoding="utf-8", errors="surrogateescape")
    changed = _SECTION.sub(lambda found: found[0] + _WHOLE, text)
    changed = _ASSUMPTION.sub(lambda found: f"{found[0]} __cseq_assume({found[1]}); ", changed)
    if changed == text:
        return source
    shown = source.replace("\\", "\\\\").replace('"', '\\"')
    copy.write_text(f'{_PRIMITIVES}#line 1 "{shown}"\n{changed}', encoding="utf-8", errors="surrogateescape")
    return str(copy)


OPTIMISATION = "-O1"
"""The optimisation of programs for which the user asks for none."""

SCHEDULER = "cseq_can_preempt"
"""The function of a scheduling model, see `backends/compiled/runtime/scheduling/model.c`."""

STANDARD = "-std=gnu++20"
"""The C++ of programs for which the user names none."""

_ERROR = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<what>.*)")


@dataclass(frozen=True)
class Build:
    """How a program was made: the user's files, the options of the compiler, and the file with the user's scheduler."""

    sources: tuple[str, ...]
    options: tuple[str, ...]
    model: str | None = None


BUILD = Fact[Build | None]("build")


class Compiler(Wrapper):
    """in: the user's files in C and C++; object files and libraries are linked. out: a list with the program's path.

    Raises InputError, with the place that the compiler names, for programs that cannot be compiled, and MissingError
    where there is no compiler with hooks.
    """

    takes = (HEADERS, MACROS, FLAGS, MODEL, TIMEOUT)
    build = Gives(BUILD)

    def run(self, value: Sequence[str]) -> list[str]:
        """Compile each file, and link all."""
        self.context.begin("compiling", phase(ActivityKind.COMPILING))
        model = self.parameter(MODEL)
        _check_readable([*value, *([] if model is None else [model])])
        options = options_for(self.parameter(FLAGS), self.parameter(HEADERS), self.parameter(MACROS))
        self.build = Build(tuple(value), tuple(options), model)
        program = self.context.workdir.resolve() / "program"
        build(value, options, program, self.context.left(self.parameter(TIMEOUT)), model)
        return [str(program)]


def options_for(flags: str, headers: Sequence[str], macros: Sequence[str]) -> list[str]:
    """The options of the compiler that the user's options ask for."""
    given = shlex.split(flags)
    chosen = [] if any(word.startswith("-O") for word in given) else [OPTIMISATION]
    return [*chosen, *given, *(f"-I{name}" for name in headers), *(f"-D{text}" for text in macros)]


def build(
    sources: Sequence[str], options: Sequence[str], program: Path, left: float | None = None, model: str | None = None
) -> None:
    """Make *program* of *sources*. left: seconds; None without a limit. model: a C file with the user's scheduler,
    which gets no hooks. Raises as `Compiler` does.
    """
    _check_compilers(sources)
    commands, objects = [], []
    for number, source in enumerate(sources):
        if is_linked(source):
            objects.append(source)
            continue
        cxx = is_cxx(source)
        objects.append(str(program.parent / f"{number}-{Path(source).stem}.o"))
        standard = [STANDARD] if cxx and not any(word.startswith("-std=") for word in options) else []
        read = source if cxx else with_sections(source, program.parent / f"{number}-{Path(source).name}")
        beside = [] if read == source else ["-iquote", str(Path(source).parent)]
        commands.append([*invocation(cxx), *standard, *options, *beside, "-c", read, "-o", objects[-1]])
    if model is not None:
        objects.append(str(program.parent / "model.o"))
        commands.append([*compilers.command(False), "-g", "-O1", "-c", "-x", "c", model, "-o", objects[-1]])
    _done(commands, left)
    if model is not None and not defines_function(objects[-1], SCHEDULER):
        raise InputError(f"{model} does not define the function `int {SCHEDULER}(int a, int b)`")
    others = [word for word in options if not word.startswith(("-D", "-I", "-std="))]
    _done([[*invocation(any(map(is_cxx, sources))), *objects, *others, "-o", str(program)]], left)


def _check_compilers(sources: Sequence[str]) -> None:
    """MissingError if a compiler is missing or has no hooks."""
    for cxx in sorted({is_cxx(name) for name in sources}):
        try:
            compilers.known(compilers.command(cxx))
        except compilers.CompilerError as error:
            raise MissingError(f"the backend `{NAME}`: {error}") from None


def _check_readable(sources: Sequence[str]) -> None:
    for name in sources:
        try:
            with Path(name).open("rb"):
                pass
        except OSError as error:
            raise InputError(f"cannot read {name}: {error.strerror}") from None


def _done(commands: Sequence[Sequence[str]], left: float | None) -> None:
    """Run the commands, as many at a time as there are processors. Raises InputError for the first that fails."""
    most = len(os.sched_getaffinity(0))
    for number in range(0, len(commands), most):
        completed = first(commands[number : number + most], lambda _, each: each.status != 0, Limits(left))
        for each in completed.values():
            _check(each)


def _check(completed: Completed) -> None:
    if completed.timed_out:
        raise BackendError("out of time in the stage `compiler`")
    if completed.status == 0:
        return
    lines = completed.stderr.splitlines()
    for line in lines:
        if found := _ERROR.match(line):
            column = int(found["column"] or 0)
            raise InputError(found["what"], Origin(found["file"], int(found["line"]), column))
    said = [line for line in lines if "undefined reference" in line or "error:" in line] or lines
    raise InputError(f"the program does not compile: {said[0] if said else f'exit status {completed.status}'}")
