"""Run CSeq on litmus tests in the format of herd, and compare the answers with the expected ones.

    python -m benchmarks.suites.herd DAT3M RC11 [--results rc11.jsonl]
    python -m benchmarks.suites.herd DAT3M TSO [--backend cbmc] [--every N]
    python -m benchmarks.suites.herd --show TEST.litmus

DAT3M is a checkout of Dat3M, whose ``dartagnan/src/test/resources/MODEL-expected.csv`` has the tests and 1 where the
last line of a test holds: an outcome that exists, does not exist, or is that of all executions. Each test is translated
into a C program with threads (`to_c`), whose assertion fails if there is a witness: an outcome of ``exists`` or
``~exists``, or another one than that of ``forall``. C11 and X86 tests are taken; the latter without types, so each
access is a relaxed one, ``MFENCE`` a seq_cst fence, and ``XCHG`` an exchange.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cseq
from cseq.model.errors import CSeqError

MODELS = {"RC11": "c11", "TSO": "tso"}
"""The expected results that are taken, by the name of their file; the memory model."""

_FORK = multiprocessing.get_context("fork")
_COMMENT = re.compile(r"\(\*.*?\*\)|<<.*?>>|^\s*locations\s*\[[^]]*\]", re.DOTALL | re.MULTILINE)
_QUANTIFIED = re.compile(r"^\s*(~\s*exists|exists|forall|final)\b(.*?)(?:;\s*$|\Z)", re.DOTALL | re.MULTILINE)
_HEADER = re.compile(r"\bP(\d+)\s*\(([^)]*)\)\s*\{")
_LOCAL = re.compile(r"\b(?:int|atomic_int)\s+(\w+)\s*=(?!=)")
_ARRAY = re.compile(r"\b(?:atomic_)?int\s+(\w+)\[(\d+)\]\s*=\s*(\{[^}]*\})")
_INITIAL = re.compile(r"(?:P?(\d+):)?\[?(\w+)\]?\s*=\s*(-?\d+)")
_ATOM = re.compile(r"(?:P?(\d+):)?\[?([A-Za-z_]\w*)\]?\s*=\s*(-?\d+)")
_ACCESS = re.compile(r"\[(\w+)\]$")
_VALUE = re.compile(r"\$?(-?\d+)$")
_REGISTER = re.compile(r"[A-Z]+\d*$")


class FormatError(Exception):
    """The test has something that is not translated."""


@dataclass(frozen=True)
class Test:
    """A litmus test. quantifier: ``exists``, ``~exists`` or ``forall``. program: the same in C."""

    quantifier: str
    program: str


@dataclass(frozen=True)
class Answer:
    """The verdict on a test. holds: what is expected of its last line, and what the verdict says; None: it is open."""

    test: str
    expected: bool
    holds: bool | None
    verdict: str
    message: str

    @property
    def is_wrong(self) -> bool:
        """Whether the verdict contradicts what is expected."""
        return self.holds is not None and self.holds is not self.expected


def to_c(text: str) -> Test:
    """A litmus test in C11 or for X86 as a C program. Raises FormatError."""
    kind = text.split(None, 1)[0]
    text = _COMMENT.sub("", text)
    if kind not in ("C", "X86"):
        raise FormatError(f"a test of the kind {kind}")
    begin, end = text.index("{"), text.index("}") + 1
    while text.count("{", begin, end) > text.count("}", begin, end):
        end = text.index("}", end) + 1
    last = _QUANTIFIED.search(text, end)
    if last is None:
        raise FormatError("no condition of the final state")
    quantifier = {"final": "exists"}.get(last[1], last[1].replace(" ", ""))
    initial, code = text[begin + 1 : end - 1], text[end : last.start()]
    known = _Names()
    threads = list(_c_threads(code, known) if kind == "C" else _x86_threads(code, known))
    return Test(quantifier, _program(initial, threads, _condition(last[2], known), quantifier, known))


class _Names:
    """The locations, those that are atomic, and the registers of threads as they are named in the program."""

    def __init__(self) -> None:
        self.locations: dict[str, bool] = {}
        self.registers: dict[str, None] = {}

    def location(self, name: str, is_atomic: bool) -> str:
        self.locations[name] = is_atomic or self.locations.get(name, False)
        return f"L_{name}"

    def register(self, thread: str, name: str) -> str:
        self.registers[f"P{thread}_{name}"] = None
        return f"P{thread}_{name}"


def _c_threads(code: str, known: _Names) -> Iterator[str]:
    """The functions of threads; their locals are global, so that main can look at them."""
    position = 0
    while header := _HEADER.search(code, position):
        position = header.end()
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(code[position], 0)
            position += 1
        body = code[header.end() : position - 1]
        names = {name: known.register(header[1], name) for name in _LOCAL.findall(body)}
        body = _LOCAL.sub(lambda found: f"{found[1]} =", body)
        for name, register in names.items():
            body = re.sub(rf"\b{name}\b", register, body)
        parameters = []
        for parameter in header[2].split(","):
            *type_, name = parameter.replace("*", " * ").split()
            known.location(name, "atomic_int" in type_)
            parameters.append(f"{' '.join(type_)} {name}")
        calls = ", ".join(f"({each.rsplit(' ', 1)[0]})L_{each.rsplit(' ', 1)[1]}" for each in parameters)
        yield f"static void P{header[1]}({', '.join(parameters)})\n{{{body}}}\n"
        yield f"void *thread_{header[1]}(void *unused)\n{{\n  P{header[1]}({calls});\n  return 0;\n}}\n"


def _x86_threads(code: str, known: _Names) -> Iterator[str]:
    """The functions of threads, from a table with a column for each."""
    rows = [[cell.strip() for cell in row.split("|")] for row in code.split(";") if row.strip()]
    for column, name in enumerate(rows[0]):
        lines = [_x86(row[column], name[1:], known) for row in rows[1:] if column < len(row) and row[column]]
        yield f"void *thread_{name[1:]}(void *unused)\n{{\n{''.join(lines)}  return 0;\n}}\n"


def _x86(instruction: str, thread: str, known: _Names) -> str:
    name, _, rest = instruction.upper().partition(" ")
    operands = [each.strip() for each in instruction[len(name) :].split(",")]
    if name == "MFENCE" and not rest:
        return "  atomic_thread_fence(memory_order_seq_cst);\n"
    if name not in ("MOV", "XCHG") or len(operands) != 2:
        raise FormatError(f"the instruction {instruction}")
    to, value = operands
    if name == "XCHG":
        to, value = (to, value) if _ACCESS.match(to) else (value, to)
        register = known.register(thread, value)
        return f"  {register} = atomic_exchange({_place(to, known)}, {register});\n"
    if _ACCESS.match(to):
        stored = _operand(value, thread, known)
        return f"  atomic_store_explicit({_place(to, known)}, {stored}, memory_order_relaxed);\n"
    if _ACCESS.match(value):
        loaded = f"atomic_load_explicit({_place(value, known)}, memory_order_relaxed)"
    else:
        loaded = _operand(value, thread, known)
    return f"  {known.register(thread, to)} = {loaded};\n"


def _place(text: str, known: _Names) -> str:
    found = _ACCESS.match(text)
    if found is None:
        raise FormatError(f"the operand {text}")
    return known.location(found[1], True)


def _operand(text: str, thread: str, known: _Names) -> str:
    if number := _VALUE.match(text):
        return number[1]
    if not _REGISTER.match(text):
        raise FormatError(f"the operand {text}")
    return known.register(thread, text)


def _condition(text: str, known: _Names) -> str:
    """The condition on the final state as an expression of C."""

    def atom(found: re.Match[str]) -> str:
        if found[1] is not None:
            return f"{known.register(found[1], found[2])} == {found[3]}"
        return f"*{known.location(found[2], False)} == {found[3]}"

    left = _ATOM.sub("", text)
    if re.sub(r"/\\|\\/|~|not\b|true\b|[()\s]", "", left):
        raise FormatError(f"the condition {text.strip()}")
    text = re.sub(r"\bnot\b|~", "!", _ATOM.sub(atom, text).replace("/\\", "&&").replace("\\/", "||"))
    return re.sub(r"\btrue\b", "1", " ".join(text.split()))


def _program(initial: str, threads: Sequence[str], condition: str, quantifier: str, known: _Names) -> str:
    arrays = {name: (length, values) for name, length, values in _ARRAY.findall(initial)}
    values = {}
    for thread, name, value in _INITIAL.findall(_ARRAY.sub("", initial)):
        values[known.register(thread, name) if thread else known.location(name, False)] = value
    lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>"]
    for name, is_atomic in known.locations.items():
        length, value = arrays.get(name, ("1", f"{{{values.get(f'L_{name}', '0')}}}"))
        lines.append(f"{'atomic_int' if is_atomic else 'int'} L_{name}[{length}] = {value};")
    lines += [f"int {name} = {values.get(name, '0')};" for name in known.registers]
    lines += threads
    names = re.findall(r"^void \*(thread_\d+)", "".join(threads), re.MULTILINE)
    lines += ["int main(void)", "{", f"  pthread_t threads[{len(names)}];"]
    lines += [f"  pthread_create(&threads[{number}], 0, {name}, 0);" for number, name in enumerate(names)]
    lines += [f"  pthread_join(threads[{number}], 0);" for number in range(len(names))]
    lines.append(f"  assert({condition if quantifier == 'forall' else f'!({condition})'});")
    return "\n".join([*lines, "  return 0;", "}", ""])


def answered(name: str, test: Test, expected: bool, model: str, backend: str | None, timeout: float) -> Answer:
    """What CSeq says of a test, in a process of its own."""
    receiver, sender = _FORK.Pipe(duplex=False)
    worker = _FORK.Process(target=_verify, args=(test.program, model, backend, timeout, sender))
    worker.start()
    sender.close()
    try:
        verdict, message = receiver.recv()
    except EOFError:
        verdict, message = "failed", "the process ended without an answer"
    worker.join()
    # There is no witness either if the only objection is that a data race leaves open what the program does.
    has_witness = {"TRUE": False, "FALSE": True}.get(verdict, False if "there is a data race" in message else None)
    holds = None if has_witness is None else has_witness is (test.quantifier == "exists")
    return Answer(name, expected, holds, verdict, message)


def _verify(
    text: str, model: str, backend: str | None, timeout: float, sender: multiprocessing.connection.Connection
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "litmus.c"
        path.write_text(text, encoding="utf-8")
        try:
            found = cseq.verify(path, memory_model=model, backend=backend, timeout=timeout, jobs=1)
            sender.send((found.verdict.value, found.message or ""))
        except CSeqError as error:
            sender.send(("refused", str(error)))


def expected_results(folder: Path, model: str) -> Iterator[tuple[Path, bool]]:
    """The tests of a *model*, and whether their last lines hold."""
    with (folder / f"dartagnan/src/test/resources/{model}-expected.csv").open(encoding="utf-8") as file:
        for name, holds, *_ in csv.reader(file):
            yield folder / name, holds == "1"


def main() -> int:
    """Run, and print the summary; the exit status is 1 if an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("model", choices=MODELS, nargs="?")
    parser.add_argument("--backend", default="graphs")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds per test")
    parser.add_argument("--every", type=int, default=1, help="each N-th test only")
    parser.add_argument("--results", type=Path, help="write each answer, a line of JSON")
    parser.add_argument("--show", type=Path, metavar="TEST", help="print the program of one test")
    options = parser.parse_args()
    if options.show:
        print(to_c(options.show.read_text(encoding="utf-8")).program, end="")
        return 0
    if options.folder is None or options.model is None:
        parser.error("a folder and a model, or --show")
    answers = []
    for path, expected in [*expected_results(options.folder, options.model)][:: options.every]:
        try:
            test = to_c(path.read_text(encoding="utf-8"))
            model = MODELS[options.model]
            answers.append(answered(path.stem, test, expected, model, options.backend, options.timeout))
        except (FormatError, OSError) as error:
            answers.append(Answer(path.stem, expected, None, "not translated", str(error)))
        if options.results:
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(answers[-1])) + "\n")
    counts = Counter("open" if each.holds is None else "wrong" if each.is_wrong else "right" for each in answers)
    racy = sum(each.holds is not None and each.verdict not in ("TRUE", "FALSE") for each in answers)
    print(
        f"{len(answers)} tests: {', '.join(f'{n} {word}' for word, n in counts.most_common())}; {racy} with data races"
    )
    for each in answers:
        if each.holds is None or each.is_wrong:
            print(f"  {each.test}: expected {each.expected}, answered {each.holds} ({each.verdict}: {each.message})")
    return int(counts["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
