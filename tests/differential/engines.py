"""What engines say of C against what the compiled program does: the frame of casts.py and arithmetic.py.

A `Case` is a function of inputs with some results. The compiled program says what they are, for a few vectors of
inputs; what is undefined for a vector takes it out. An engine gets the same function three times: with inputs that
nothing but assumptions ties to one of these vectors, where every result has to be the compiled program's; with
constants for inputs; and with the claim that a vector does not have its results, which has to fail.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cseq.backends.base import engines_folder
from cseq.backends.cbmc import own_options
from cseq.model.errors import CSeqError
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context

ENGINES = ("cbmc-6.6", "cbmc-5.12", "esbmc-8.4")
_PATIENCE = 60.0
_GCC = ("gcc", "-std=gnu11", "-w", "-fno-strict-aliasing", "-fwrapv-pointer", "-ffp-contract=off", "-msse2",
        "-mfpmath=sse")  # fmt: skip
_UNDEFINED = ("-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=shift-base,vptr",
              "-fsanitize-undefined-trap-on-error")  # fmt: skip
# gcc defines what it shifts out of a signed number, and what becomes of a negative one.

TYPES = {
    "char": "char", "signed char": "schar", "unsigned char": "uchar", "short": "short", "unsigned short": "ushort",
    "int": "int", "unsigned": "uint", "long": "long", "unsigned long": "ulong", "long long": "longlong",
    "unsigned long long": "ulonglong", "float": "float", "double": "double", "_Bool": "bool",
}  # fmt: skip
"""The types of inputs, and how functions that choose one are called."""


@dataclass(frozen=True)
class Case:
    """A function of inputs, and vectors of these.

    label: an identifier. before: declarations at file level. inputs: types and names. body: statements, in which
    ``OUT(i, value)`` is a result. outputs: how many there are. vectors: a C constant for each input. expected: what the
    compiled program gives for each vector.
    """

    label: str
    before: str
    inputs: tuple[tuple[str, str], ...]
    body: str
    outputs: int
    vectors: tuple[tuple[str, ...], ...]
    expected: tuple[tuple[int, ...], ...] = ()

    def function(self) -> str:
        """The C text of the function; its results are in ``o_LABEL``."""
        parameters = ", ".join(f"{kind} {name}" for kind, name in self.inputs) or "void"
        return (
            f"{self.before}unsigned long long o_{self.label}[{self.outputs}];\n"
            f"#undef OUT\n#define OUT(i, value) o_{self.label}[i] = (unsigned long long)(value)\n"
            f"static void f_{self.label}({parameters})\n{{\n{self.body}}}\n"
        )


_HEAD = "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n#include <stdlib.h>\n#include <math.h>\n"
_RUN = """\
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf undefined;
static void caught(int number) { siglongjmp(undefined, 1); }
"""
_TRY = """\
  if (sigsetjmp(undefined, 1)) puts("undefined");
  else {{ f_{label}({values}); for (int i = 0; i < {outputs}; i++) printf("%llu ", o_{label}[i]); puts(""); }}
"""


def executed(cases: Sequence[Case], bits: int, folder: Path) -> list[Case]:
    """The *cases* with what the compiled program says, without vectors that are undefined, without those of none."""
    calls = [
        _TRY.format(label=case.label, values=", ".join(values), outputs=case.outputs)
        for case in cases
        for values in case.vectors
    ]
    text = _HEAD + _RUN + "".join(case.function() for case in cases)
    signals = "".join(f"  signal({name}, caught);\n" for name in ("SIGILL", "SIGFPE", "SIGSEGV", "SIGBUS", "SIGTRAP"))
    source = folder / "run.c"
    source.write_text(f"{text}int main(void)\n{{\n{signals}{''.join(calls)}  return 0;\n}}\n")
    said = [_run(source, bits, *options) for options in (("-O0", *_UNDEFINED), ("-O0",), ("-O2",))]
    rows = [None if len(set(row)) > 1 or row[0] == "undefined" else row[0] for row in zip(*said, strict=True)]
    if len(rows) != len(calls):
        raise AssertionError(f"{source} says {len(rows)} things, and not {len(calls)}")
    found, at = [], 0
    for case in cases:
        mine = rows[at : at + len(case.vectors)]
        at += len(case.vectors)
        defined = [(values, row) for values, row in zip(case.vectors, mine, strict=True) if row is not None]
        if defined:
            vectors = tuple(values for values, _ in defined)
            found.append(
                replace(case, vectors=vectors, expected=tuple(tuple(map(int, row.split())) for _, row in defined))
            )
    return found


def _run(source: Path, bits: int, *options: str) -> list[str]:
    binary = source.with_suffix("")
    subprocess.run([*_GCC, f"-m{bits}", *options, str(source), "-o", str(binary), "-lm"], check=True)
    done = subprocess.run([binary], capture_output=True, text=True, timeout=_PATIENCE, check=False)
    return done.stdout.splitlines()


# The programs for engines


def program(cases: Sequence[Case], head: str, claim: Callable[[str, str], str], symbolic: bool = True) -> str:
    """The C text of the program that makes the claims on the *cases*.

    head: declarations of ``nondet_X`` and ``ASSUME``. claim: the statement for a condition and its name. symbolic:
    with inputs that are not constants, too.
    """
    parts = []
    for case in cases:
        parts.append(case.function())
        label = case.label
        lines = [f"  f_{label}({', '.join(case.vectors[0])});"]
        lines += [claim(f"o_{label}[{i}] == {value}ull", f"{label}_c_{i}") for i, value in enumerate(case.expected[0])]
        if symbolic:
            lines += _symbolic(case, claim)
        parts.append(f"static void t_{label}(void)\n{{\n" + "\n".join(lines) + "\n}\n")
    calls = "".join(f"  t_{case.label}();\n" for case in cases)
    return f"{_HEAD}{head}{''.join(parts)}int main(void)\n{{\n{calls}  return 0;\n}}\n"


def _symbolic(case: Case, claim: Callable[[str, str], str]) -> Iterator[str]:
    label, last = case.label, len(case.vectors) - 1
    yield f"  unsigned k = nondet_uint(); ASSUME(k <= {last});"
    for number, (kind, name) in enumerate(case.inputs):
        values = [values[number] for values in case.vectors]
        if kind in ("float", "double"):
            # Not by ==, which would leave the sign of zero open.
            bits, word = ("unsigned", "uint") if kind == "float" else ("unsigned long long", "ulonglong")
            yield f"  union {{ {kind} value; {bits} bits; }} w_{name}, v_{name}; w_{name}.bits = nondet_{word}();"
            yield f"  v_{name}.value = {_choice(values)}; ASSUME(w_{name}.bits == v_{name}.bits);"
            yield f"  {kind} {name} = w_{name}.value;"
        else:
            yield f"  {kind} {name} = nondet_{TYPES[kind]}(); ASSUME({name} == {_choice(values)});"
    yield f"  f_{label}({', '.join(name for _, name in case.inputs)});"
    for i in range(case.outputs):
        expected = _choice([f"{row[i]}ull" for row in case.expected])
        yield claim(f"o_{label}[{i}] == {expected}", f"{label}_s_{i}")
    yield claim(f"!(k == {last} && o_{label}[0] == {case.expected[last][0]}ull)", f"{label}_r")


def _choice(values: Sequence[str]) -> str:
    """The value of the vector that k is the number of."""
    *others, last = values
    return "(" + "".join(f"k == {number} ? {value} : " for number, value in enumerate(others)) + f"{last})"


def _prototypes(form: str, named: dict[str, str] = TYPES) -> str:
    return "".join(form.format(type=kind, name=name) + "\n" for kind, name in named.items())


_ASSUME, _ASSERT = ({"cbmc": f"__CPROVER_{word}", "esbmc": f"__ESBMC_{word}"} for word in ("assume", "assert"))
_BOOL = "#define nondet_bool() (nondet_uchar() & 1)\n"
_ESBMC = "void __ESBMC_assume(_Bool); void __ESBMC_assert(_Bool, const char *);\n"
_NOT_BOOL = {kind: name for kind, name in TYPES.items() if name != "bool"}


def raw(cases: Sequence[Case], engine: str) -> str:
    """The program as an engine gets it without CSeq."""
    kind = engine.partition("-")[0]
    head = _prototypes("{type} nondet_{name}(void);", _NOT_BOOL) + _BOOL + (_ESBMC if kind == "esbmc" else "")
    head += f"#define ASSUME(c) {_ASSUME[kind]}(c)\n"
    return program(cases, head, lambda condition, name: f'  {_ASSERT[kind]}({condition}, "{name}");')


def sequential(cases: Sequence[Case], symbolic: bool = True) -> str:
    """The program as CSeq gets it."""
    head = "#include <assert.h>\nextern void __VERIFIER_assume(int);\n#define ASSUME(c) __VERIFIER_assume(c)\n"
    head += _prototypes("extern {type} __VERIFIER_nondet_{name}(void);")
    head += "".join(f"#define nondet_{name} __VERIFIER_nondet_{name}\n" for name in TYPES.values())
    return program(cases, head, lambda condition, name: f"  {{ int {name} = {condition}; assert({name}); }}", symbolic)


def translated(cases: Sequence[Case], engine: str, bits: int, folder: Path) -> str:
    """The program as CSeq hands it to the engine."""
    chain = load("lazy")
    source: Any = folder / "program.c"
    source.write_text(sequential(cases))
    wanted = {"backend": engine.partition("-")[0], "rounds": 1, "unwind": 9, "bits": bits}
    values = chain.values(wanted)
    context = Context(values, folder)
    value: Any = [source]
    for name, stage in chain.chosen(context.values):
        value = stage(context).run(value)
        if name == "instrumenter":
            return _ASSUMED.sub(r"\1;", str(value.text))
    raise AssertionError("the chain has no instrumenter")


# Answers

_ASSUMED = re.compile(r"^(\s*)__(?:CPROVER|ESBMC)_assume\(x\d+_\w+\);$", re.MULTILINE)
"""What a claim leaves to those after it, where each is to have an answer."""

_CBMC = re.compile(r"^\[\S+\] (?:line \d+ )?(?:assertion:? )?`?(\w+)`?: (SUCCESS|FAILURE)", re.MULTILINE)
_ESBMC_SAYS = re.compile(r"^  (PASSED|FAILED) .*?(?:assertion:? )?`?(\w+)`?$", re.MULTILINE)


def answers(text: str, engine: str, bits: int, folder: Path, timeout: float = _PATIENCE) -> dict[str, bool] | str:
    """Which claims of the program *text* hold for *engine*; or what it says instead of answering."""
    source = folder / "engine.c"
    source.write_text(text)
    path = engines_folder() / engine / "bin" / engine.partition("-")[0]
    command = [str(path), str(source), f"--{bits}"]
    if engine.startswith("esbmc"):
        command += ["--no-standard-checks", "--force-malloc-success", "--array-flattener", "--color", "never"]
        command += ["--bitwuzla", "--multi-property", "--unwind", "64", "--no-unwinding-assertions"]
    else:
        command += ["--unwind", "65", *own_options(tuple(map(int, engine.partition("-")[2].split("."))), text)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return "no answer in time"
    if engine.startswith("esbmc"):
        results = (done.stdout + done.stderr).partition("** Results:")[2]
        found = {name: said == "PASSED" for said, name in _ESBMC_SAYS.findall(results)}
    else:
        found = {name: said == "SUCCESS" for name, said in _CBMC.findall(done.stdout)}
    if not found:
        last = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        errors = [line for line in last if re.search(r"error|reason|invariant|condition|abort", line, re.IGNORECASE)]
        return (errors or last or [f"exit status {done.returncode}"])[0][:200]
    return found


def wrong(case: Case, found: dict[str, bool]) -> list[str]:
    """The claims on the *case* of which an engine says something else than the compiled program."""
    names = {f"{case.label}_{way}_{i}": True for way in "cs" for i in range(case.outputs)}
    names[f"{case.label}_r"] = False
    return [name for name, holds in names.items() if found.get(name) is not holds]


@dataclass(frozen=True)
class Difference:
    """A case of which an engine does not say what the compiled program does. claims: those, or what it says instead."""

    case: Case
    engine: str
    bits: int
    through: str
    claims: str

    def text(self) -> str:
        """For the person who has to find out why."""
        case = self.case
        vectors = "".join(
            f"  ({', '.join(values)}) -> {row}\n" for values, row in zip(case.vectors, case.expected, strict=True)
        )
        inputs = ", ".join(f"{kind} {name}" for kind, name in case.inputs)
        return (
            f"=== {self.engine} --{self.bits}, {self.through}: {self.claims}\n"
            f"{case.before}{case.label}({inputs})\n{case.body}{vectors}"
        )


def compared(
    cases: Sequence[Case], engine: str, bits: int, through: str, folder: Path, counts: Counter[str]
) -> list[Difference]:
    """Where *engine* differs from the compiled program; what it does not take as a whole it gets in halves.

    through: ``raw`` or ``cseq``.
    """
    said: dict[str, bool] | str
    try:
        text = raw(cases, engine) if through == "raw" else translated(cases, engine, bits, folder)
        said = answers(text, engine, bits, folder)
    except CSeqError as error:
        said = f"CSeq: {error}"
    if isinstance(said, dict):
        differences = []
        for case in cases:
            claims = wrong(case, said)
            counts[f"{engine} --{bits} {through}: {'DIFFERENT' if claims else 'the same'}"] += 1
            if claims:
                differences.append(Difference(case, engine, bits, through, " ".join(claims)))
        return differences
    if len(cases) == 1:
        counts[f"{engine} --{bits} {through}: {said[:60]}"] += 1
        return [] if said == "no answer in time" else [Difference(cases[0], engine, bits, through, said)]
    middle = len(cases) // 2
    return [
        difference
        for half in (cases[:middle], cases[middle:])
        for difference in compared(half, engine, bits, through, folder, counts)
    ]


def main(make: Callable[[str, str], Case], about: str, arguments: list[str] | None = None) -> int:
    """The command line of a generator. make: the case of a seed, with a label."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first case")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--together", type=int, default=20, help="how many cases are one program")
    parser.add_argument("--engine", action="append", choices=ENGINES)
    parser.add_argument("--bits", action="append", type=int, choices=(32, 64))
    parser.add_argument("--through", action="append", choices=("raw", "cseq"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no further program after that")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    different, end = 0, time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="engines-") as name:
        for first in range(options.start, options.start + options.count, options.together):
            if time.monotonic() > end:
                break
            numbers = range(first, min(first + options.together, options.start + options.count))
            for bits in options.bits or (64, 32):
                cases = executed([made(make, options.seed, number) for number in numbers], bits, Path(name))
                counts[f"cases that are defined, --{bits}"] += len(cases)
                if not cases:
                    continue
                for engine in options.engine or ENGINES:
                    for through in options.through or ("raw", "cseq"):
                        for difference in compared(cases, engine, bits, through, Path(name), counts):
                            different += 1
                            print(difference.text(), flush=True)
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")
    print(f"{different} differences")
    return 1 if different else 0


def made(make: Callable[[str, str], Case], seed: int, number: int) -> Case:
    """The case of a number."""
    return make(f"{seed}/{number}", f"x{number}")


if __name__ == "__main__":
    sys.exit("run tests.differential.casts or tests.differential.arithmetic")
