"""Compare what random control flow does before and behind the stages that rewrite it.

    python -m tests.differential.control --seed 1 --count 100 --unwind 3

prints each program of which a stage makes another one, and exits with status 1. A program is sequential: loops,
switches with labels anywhere, and jumps in all directions, in each other; what it does is the list of numbers that it
shows. Where the unwinding is cut off, the numbers until then are compared. Then a thread does the same, and is switched
out and in at random: where that lets it get to its end, it has to have done the same, too.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cseq.modules.library import lexicon
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context

STAGES = ("control_flow", "sequentializer")
_MOST = 250_000  # characters of a program that are still compiled

HEAD = """\
long long results[400];
int count;
static void show(long long value) { if (count < 390) results[count++] = value; }
int fuel, g, z[3];
unsigned h;
"""

TAIL = """
int printf(const char *, ...);
__attribute__((destructor)) static void __CSEQ_tell(void)
{
    for (int i = 0; i < count; i++) printf("%lld\\n", results[i]);
}
"""

# Any value will do for an undefined object.
PRIMITIVES = """\
void exit(int);
void *memset(void *, int, unsigned long);
void __CSEQ_assume(int holds) { if (!holds) exit(3); }
void __CSEQ_assert(int holds, const char *what) { if (!holds) exit(1); }
void __CSEQ_unwound(int holds, const char *what) { if (!holds) exit(4); }
void __CSEQ_havoc(void *object, unsigned long size) { memset(object, 0xA5, size); }
void __CSEQ_fresh(void *block, unsigned long size) { __CSEQ_havoc(block, size); }
void __CSEQ_zero(void *object, unsigned long size) { memset(object, 0, size); }
"""
PRIMITIVES += "".join(
    f"{lexicon.NONDET_TYPES[kind]} {lexicon.NONDET}{kind}(void) {{ return ({lexicon.NONDET_TYPES[kind]})0x5A; }}\n"
    for kind in lexicon.NONDET_TYPES
)


class Function:
    """A function with control flow of any form. It ends, as each label and each iteration takes fuel.

    Locals that a jump can pass over the declaration of are not read before they are written.
    """

    def __init__(self, rng: random.Random, name: str, gnu: bool = True) -> None:
        self._rng = rng
        self._gnu = gnu
        self._fresh = 0
        self._unplaced = [f"l{number}" for number in range(rng.randint(0, 4))]
        self._labels = list(self._unplaced)
        self._counters: list[str] = []
        self._cases: list[str] = []
        body = self._list(rng.randint(2, 3), "")
        while self._unplaced:
            body += self._label() + self._simple()
        counters = "".join(f"int {name} = {rng.randint(0, 3)};\n" for name in self._counters)
        self.text = f"static int {name}(int a, int b)\n{{\n{counters}{body}return a * 7 + b;\n}}\n"

    def _name(self, stem: str) -> str:
        self._fresh += 1
        return f"{stem}{self._fresh}"

    def _counter(self) -> str:
        self._counters.append(self._name("i"))
        return self._counters[-1]

    def _label(self) -> str:
        return f"{self._unplaced.pop(self._rng.randrange(len(self._unplaced)))}: if (fuel-- < 1) return a;\n"

    # Expressions

    def _place(self) -> str:
        return self._rng.choice(["a", "b", "g", "z[1]"])

    def _expression(self) -> str:
        r = self._rng.randint
        return self._rng.choice(
            [
                self._place,
                lambda: str(r(-2, 4)),
                lambda: f"({self._place()} {self._rng.choice('+-^&')} {r(1, 5)})",
                lambda: f"(int)(h >> {r(1, 6)} & 7)",
                lambda: f"{self._place()}++",
                lambda: f"({self._condition()} ? {self._place()} : {r(0, 3)})",
            ]
        )()

    def _condition(self) -> str:
        r = self._rng.randint
        return self._rng.choice(
            [
                lambda: f"(h = h * 31 + {r(1, 99)}) & {1 << r(3, 8)}",
                lambda: f"(h = h * 31 + {r(1, 99)}) & {1 << r(3, 8)}",
                lambda: f"{self._place()} {self._rng.choice(['<', '>', '==', '!=', '>='])} {r(-1, 4)}",
                lambda: f"{self._place()}-- > {r(0, 2)}",
                lambda: f"(h >> {r(2, 9)} & 1 && {self._place()} < {r(0, 5)})",
                lambda: f"({self._place()} || (h += {r(1, 50)}) % 3)",
            ]
        )()

    # Statements; where: which of "b" (break) and "c" (continue) may stand here, and "s" for a label of a switch

    def _list(self, depth: int, where: str, most: int = 4) -> str:
        out = []
        for _ in range(self._rng.randint(1, most)):
            if self._unplaced and self._rng.random() < 0.25 and "e" not in where:
                out.append(self._label())
            out.append(self._statement(depth, where))
        if self._unplaced and self._rng.random() < 0.1 and "e" not in where:
            out.append(self._label())
        return "".join(out)

    def _simple(self) -> str:
        r = self._rng.randint
        return self._rng.choice(
            [
                lambda: f"show({self._expression()});\n",
                lambda: f"h = h * 31 + {r(1, 99)}; show(h & 1023);\n",
                lambda: f"{self._place()} = {self._expression()};\n",
                lambda: f"{self._place()} {self._rng.choice(['+=', '-=', '^='])} {self._expression()};\n",
                lambda: ";\n",
            ]
        )()

    def _jump(self, where: str) -> str:
        choices = ["return b - a;\n"]
        if "b" in where:
            choices += ["break;\n"] * 3
        if "c" in where:
            choices += ["continue;\n"] * 3
        if self._labels:
            choices += [f"goto {self._rng.choice(self._labels)};\n"] * 6
        return self._rng.choice(choices)

    def _statement(self, depth: int, where: str) -> str:
        if depth == 0:
            return f"if ({self._condition()}) {self._jump(where)}" if self._rng.random() < 0.3 else self._simple()
        nested: list[Callable[[], str]] = [
            self._simple,
            lambda: f"if ({self._condition()}) {self._jump(where)}",
            lambda: f"if ({self._condition()}) {self._jump(where)}",
            lambda: f"if ({self._condition()}) {{\n{self._list(depth - 1, where)}}}\n",
            lambda: (
                f"if ({self._condition()}) {{\n{self._list(depth - 1, where)}}} else {{\n"
                f"{self._list(depth - 1, where)}}}\n"
            ),
            lambda: f"if ({self._condition()}) {self._jump(where)}else {self._jump(where)}",
            lambda: f"while ({self._condition()}) {{\n{self._body(depth, where)}}}\n",
            lambda: f"do {{\n{self._body(depth, where)}}} while ({self._condition()});\n",
            lambda: self._counted(depth, where),
            lambda: self._counted(depth, where),
            lambda: self._switch(depth, where),
            lambda: self._switch(depth, where),
            lambda: self._declaring(depth, where),
            lambda: self._jump(where) if self._rng.random() < 0.3 else self._simple(),
        ]
        if "s" in where:
            nested += [lambda: f"{self._case()}{self._statement(depth - 1, where)}"] * 4
        if self._gnu and "e" not in where:
            nested.append(lambda: self._statement_expression(depth, where))
        return self._rng.choice(nested)()

    def _body(self, depth: int, where: str) -> str:
        inside = "bc" + "".join(letter for letter in where if letter in "se")
        return "if (fuel-- < 1) return a;\n" + self._list(depth - 1, inside)

    def _counted(self, depth: int, where: str) -> str:
        i = self._counter()
        head = self._rng.choice(
            [
                f"{i} = 0; {i} < {self._rng.randint(0, 3)}; {i}++",
                f"{i} = 3; {i} > 0; {i} -= 2",
                f"{i} = 1, a += {i}; {i} != 4; {i} = {i} + 1",
                f"; {i} < 4; {i}++",
                f"{i} = 0; ; {i}++, g--",
            ]
        )
        shown = f"show({i});\n" if self._rng.random() < 0.6 else f"{i} += h & 1;\n"
        return f"for ({head}) {{\n{shown}{self._body(depth, where)}}}\n"

    def _case(self) -> str:
        return self._cases.pop() if self._cases else ""

    def _switch(self, depth: int, where: str) -> str:
        values = self._rng.sample(range(-2, 7), 4)
        cases = [f"case {value}: " for value in values] + ["default: "]
        if self._gnu and self._rng.random() < 0.3:
            cases.append("case 7 ... 900: ")
        self._rng.shuffle(cases)
        outer, self._cases = self._cases, cases[: self._rng.randint(1, len(cases))]
        inside = "bs" + "".join(letter for letter in where if letter in "ce")
        condition = self._rng.choice([self._expression(), self._expression(), f"(signed char)({self._place()})"])
        if self._rng.random() < 0.15:
            body = f"{self._case()}while ({self._condition()}) {{\n{self._body(depth, inside)}}}\n"
            text = f"switch ({condition})\n{body}"
        else:
            parts = [f"{self._case()}{self._list(depth - 1, inside, 2)}" for _ in range(self._rng.randint(1, 4))]
            text = f"switch ({condition}) {{\n{''.join(parts)}}}\n"
        self._cases = outer
        return text

    def _declaring(self, depth: int, where: str) -> str:
        t = self._name("t")
        return f"{{\nint {t} = {self._expression()};\nshow({t});\n{self._list(depth - 1, where)}}}\n"

    def _statement_expression(self, depth: int, where: str) -> str:
        """Labels of the function are not in it, but it may jump to them; it has labels of its own."""
        inside = "e" + "".join(letter for letter in where if letter in "bc")
        outer, kept = self._labels, self._cases
        self._cases = []
        own = self._name("m")
        self._labels = [*outer, own]
        first, second = self._list(depth - 1, inside, 2), self._list(depth - 1, inside, 2)
        self._labels, self._cases = outer, kept
        label = f"{own}: if (fuel-- < 1) return b;\n"
        return f"{self._place()} {self._rng.choice(['=', '+='])} ({{\n{first}{label}{second}{self._place()};\n}});\n"


# Runs the sequentialized program with random places where its thread is switched out, each time in a process of its
# own. The first argument is how often, the second a hash of what it has to show.
_SCHEDULES = """
int fork(void); int waitpid(int, int *, int); unsigned long strtoul(const char *, char **, int); void srand(unsigned);
int printf(const char *, ...);
void _exit(int);
static unsigned long __CSEQ_hash(void)
{
    unsigned long hash = count;
    for (int i = 0; i < count; i++) hash = hash * 1000003 + (unsigned long)results[i];
    return hash;
}
static unsigned long __CSEQ_wanted;
void __CSEQ_end(void) { _exit(__CSEQ_hash() == __CSEQ_wanted ? 7 : 8); }
int main(int argc, char **argv)
{
    int right = 0, runs = strtoul(argv[1], 0, 10);
    __CSEQ_wanted = strtoul(argv[2], 0, 10);
    for (int seed = 1; seed <= runs; seed++) {
        int status;
        if (fork() == 0) { srand(seed); __CSEQ_run(); _exit(0); }
        waitpid(-1, &status, 0);
        if (status == 7 << 8) right++;
        else if (status & 255 || status == 8 << 8) { printf("%d\\n", -seed); return 1; }
    }
    printf("%d\\n", right);
    return 0;
}
"""

_PICK = """
int rand(void);
void __CSEQ_end(void);
static unsigned __CSEQ_pick(int thread, unsigned from, unsigned to)
{
    int how = rand() % 8;
    return thread && how < 3 ? to : how == 4 ? from : from + rand() % (to - from + 1);
}
"""


def hashed(values: list[str]) -> int:
    """What the sequentialized program's hash of the numbers *values* has to be."""
    result = len(values)
    for value in values:
        result = (result * 1000003 + int(value)) % (1 << 64)
    return result


def threaded(text: str) -> str:
    """The program *text* with a thread that does what main did."""
    text = text.replace("int main(void)\n{", "void *worker(void *unused)\n{")
    return (
        f"#include <pthread.h>\n{text}int main(void)\n{{\npthread_t t;\npthread_create(&t, 0, worker, 0);\n"
        "pthread_join(t, 0);\nreturn 0;\n}\n"
    )


def program(seed: str, gnu: bool = True) -> str:
    """The program of a seed."""
    rng = random.Random(seed)
    functions = [Function(rng, f"f{number}", gnu).text for number in range(rng.randint(1, 2))]
    calls = "".join(
        f"fuel = {rng.randint(2, 9)}; h = {rng.randint(1, 9999)};\n"
        f"g = {rng.randint(-1, 3)}; z[1] = {rng.randint(-1, 3)};\n"
        f"show(f{number}({rng.randint(-1, 3)}, {rng.randint(-1, 3)}));\nshow(g); show(z[1]); show(h & 65535);\n"
        for number in range(len(functions))
        for _ in range(2)
    )
    return f"{HEAD}{''.join(functions)}int main(void)\n{{\n{calls}return 0;\n}}\n"


class Comparison:
    """Compiles and runs a program as it is and behind each stage; counts says what came of it."""

    def __init__(self, folder: Path, unwind: int) -> None:
        self._folder = folder
        self._chain = load("lazy")
        self._unwind = unwind
        self._whole = False
        self.counts: Counter[str] = Counter()

    def difference(self, text: str) -> str:
        """What a stage changes in what the program *text* does; empty when nothing."""
        self._whole = False
        expected, status = self._run(text, TAIL)
        if status:
            return f"the program itself ends with status {status} {expected}"
        for stage, found in self._translated(text):
            if len(found) > _MOST:
                self.counts["too large"] += 1
                return ""
            wrong = self._compared(stage, found, expected)
            if wrong:
                return f"behind the {stage}: {wrong}"
        return ""

    def scheduled(self, text: str, runs: int = 1000) -> str:
        """What is wrong when a thread does what the program *text* does, and is switched out and in."""
        if not self._whole:
            return ""  # the thread would not get to its end
        expected, _ = self._run(text, TAIL)
        *_, (_, found) = self._translated(threaded(text), rounds=3)
        if len(found) > _MOST:
            return ""
        found = re.sub(
            r"__cs_cs_(\d+) = __CSEQ_nondet_bits_\d+\(\);\n\s*__CSEQ_assume\(__cs_cs_\1 <= (\d+)\);",
            r"__cs_cs_\1 = __CSEQ_pick(\1, __cs_pc_\1, \2);",
            found.replace("\nint main(void)\n", "\nint __CSEQ_run(void)\n"),
        )
        ended = found.replace("__CSEQ_assume(0);", "__CSEQ_end();")
        told, status = self._run(PRIMITIVES, _PICK, ended, _SCHEDULES, arguments=(str(runs), str(hashed(expected))))
        if status:
            return f"in schedule {told}"
        self.counts["schedules with the end in them"] += int(told[0])
        return ""

    def unrolled(self, text: str) -> str:
        """The program *text* behind the unroller."""
        return next(found for _, found in self._translated(text, stages=("unroller",)))

    def _translated(self, text: str, rounds: int = 1, stages: tuple[str, ...] = STAGES) -> Iterator[tuple[str, str]]:
        """The text of a program behind some stages."""
        value: Any = [self._folder / "program.c"]
        value[0].write_text(text)
        context = Context(
            self._chain.values({"unwind": self._unwind, "rounds": rounds, "privatize": False}), self._folder
        )
        for name, stage in self._chain.chosen(context.values):
            value = stage(context).run(value)
            if name in stages:
                yield name, value.text
            if name == stages[-1]:
                return

    def _compared(self, stage: str, text: str, expected: list[str]) -> str:
        text = re.sub(r"(\w+) = __CSEQ_nondet_bits_\d+\(\);\n\s*(__CSEQ_assume\(\1 <= (\d+)\);)", r"\1 = \3;\n\2", text)
        found, status = self._run(PRIMITIVES, text.replace("__CSEQ_assume(0);", "exit(0);"), TAIL)
        if stage == STAGES[-1]:
            self._whole = status != 4
            self.counts["whole" if self._whole else "cut off"] += 1
            if status == 4:
                return "" if found == expected[: len(found)] else f"{found} does not begin {expected}"
        if status:
            return f"status {status} {found}"
        return "" if found == expected else f"{found} instead of {expected}"

    def _run(self, *texts: str, arguments: tuple[str, ...] = ()) -> tuple[list[str], int]:
        source, binary = self._folder / "run.c", self._folder / "run"
        source.write_text("\n".join(texts))
        command = ["gcc", "-std=gnu11", "-w", "-O0", "-fwrapv", str(source), "-o", str(binary)]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)
        if compiled.returncode:
            return compiled.stderr.splitlines()[:5], 99
        done = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=120, check=False)
        return done.stdout.split(), done.returncode


def differences(
    seed: int, start: int, count: int, unwind: int, gnu: bool, counts: Counter[str], schedules: bool = True
) -> list[str]:
    """What is wrong with the programs of a seed: for each, its text and what a stage makes of it."""
    found = []
    with tempfile.TemporaryDirectory(prefix="control-") as folder:
        comparison = Comparison(Path(folder), unwind)
        for number in range(start, start + count):
            text = program(f"{seed}/{number}", gnu)
            try:
                wrong = comparison.difference(text) or (comparison.scheduled(text) if schedules else "")
            except Exception as error:  # whatever it is, it is a bug
                wrong = f"{type(error).__name__}: {error}"
            if wrong:
                found.append(f"=== seed {seed}, program {number}, unwind {unwind}\n{text}{wrong}\n")
                print(found[-1], flush=True)
        counts.update(comparison.counts)
    return found


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--unwind", type=int, default=3)
    parser.add_argument("--no-gnu", action="store_true", help="without statement expressions and case ranges")
    parser.add_argument("--no-schedules", action="store_true", help="without the thread that is switched out and in")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    found = differences(
        options.seed, options.start, options.count, options.unwind, not options.no_gnu, counts, not options.no_schedules
    )
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")
    print(f"{len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
