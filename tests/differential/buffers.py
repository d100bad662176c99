"""Random programs of two threads under weak memory models, against a machine with store buffers.

    python -m tests.differential.buffers [COUNT] [SEED]

Asked are CBMC, whose violations are replayed without buffers, and the explorer of execution graphs.

The reference executes every interleaving of the threads and of what their buffers write back (Owens, Sarkar, Sewell,
x86-TSO, 2009; under partial store order, a buffer for each variable). A program asserts that one outcome does not
happen. TRUE for an outcome that does is wrong, and so is FALSE for one that does not.
"""

import itertools
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import cseq
from cseq.model.verdict import Outcome, Verdict
from tests.differential.orders import engines

Operation = tuple[str, str, int]
"""What is done (store, load, fence, update, atomic), the variable, and the value or the register."""

State = tuple[Any, Any, Any, Any]
"""Where the threads are, the variables, the registers, and what is in the buffers: variables and values."""

_WRITTEN = {
    "store": "{0} = {1};", "load": "r{1} = {0};", "fence": "__sync_synchronize();",
    "update": "__sync_fetch_and_add(&{0}, {1});", "atomic": "__atomic_store_n(&{0}, {1}, 5);",
}  # fmt: skip
_KINDS = ("store",) * 5 + ("load",) * 5 + ("fence", "update", "atomic")
_NAMES = "xy"
MODELS = ("tso", "pso")
_UNBUFFERED = 0.03  # how many of the programs without an outcome that needs a buffer are checked


def program(choices: random.Random) -> list[list[Operation]]:
    """The operations of two threads, whose loads have registers of their own."""
    registers = itertools.count()
    threads = []
    for _ in range(2):
        operations = []
        for _ in range(choices.randint(3, 4)):
            kind = choices.choice(_KINDS)
            value = next(registers) if kind == "load" else choices.randint(1, 2)
            operations.append((kind, choices.choice(_NAMES), value))
        threads.append(operations)
    return threads


def outcomes(threads: list[list[Operation]], model: str) -> set[tuple[int, ...]]:
    """The final values of the variables and the registers, in every execution under *model*."""
    count = sum(kind == "load" for operations in threads for kind, _, _ in operations)
    begin: State = ((0, 0), (0,) * len(_NAMES), (0,) * count, ((), ()))
    seen: set[State] = {begin}
    work: list[State] = [begin]
    found: set[tuple[int, ...]] = set()
    while work:
        at, memory, registers, buffers = work.pop()
        following = []
        for thread, operations in enumerate(threads):
            buffer = buffers[thread]
            for position, (name, value) in enumerate(buffer):
                passes = model == "pso" and all(other != name for other, _ in buffer[:position])
                if position == 0 or passes:
                    left = buffer[:position] + buffer[position + 1 :]
                    following.append((at, _set(memory, name, value), registers, _set(buffers, thread, left)))
            if at[thread] == len(operations):
                continue
            kind, variable, value = operations[at[thread]]
            name = _NAMES.index(variable)
            on = _set(at, thread, at[thread] + 1)
            if kind == "load":
                seen_here = next((v for other, v in reversed(buffer) if other == name), memory[name])
                following.append((on, memory, _set(registers, value, seen_here), buffers))
            elif kind == "store" and model != "sc":
                following.append((on, memory, registers, _set(buffers, thread, (*buffer, (name, value)))))
            elif not buffer:
                stored = {"fence": memory[name], "update": memory[name] + value}.get(kind, value)
                following.append((on, _set(memory, name, stored), registers, buffers))
        if not following:
            found.add((*memory, *registers))
        for state in following:
            if state not in seen:
                seen.add(state)
                work.append(state)
    return found


def _set(values: tuple[Any, ...], position: int, value: Any) -> tuple[Any, ...]:
    """*values* with another one at *position*."""
    return (*values[:position], value, *values[position + 1 :])


def text(threads: list[list[Operation]], outcome: tuple[int, ...]) -> str:
    """The C program that asserts that *outcome* does not happen."""
    count = len(outcome) - len(_NAMES)
    names = [*_NAMES, *(f"r{number}" for number in range(count))]
    bodies = (" ".join(_WRITTEN[kind].format(name, value) for kind, name, value in each) for each in threads)
    functions = "".join(f"void *t{n}(void *arg) {{ {body} return 0; }}\n" for n, body in enumerate(bodies))
    happens = " && ".join(f"{name} == {value}" for name, value in zip(names, outcome, strict=True))
    calls = "".join(f"    pthread_create(&h[{n}], 0, t{n}, 0);\n" for n in range(2))
    calls += "".join(f"    pthread_join(h[{n}], 0);\n" for n in range(2))
    main = f"int main(void)\n{{\n    pthread_t h[2];\n{calls}    assert(!({happens}));\n    return 0;\n}}\n"
    return f"#include <assert.h>\n#include <pthread.h>\nint {', '.join(names)};\n{functions}{main}"


def disagreement(outcome: Outcome, happens: bool, is_plain: bool) -> str:
    """What is wrong with the verdict; empty if nothing is. is_plain: whether it happens without buffers."""
    if happens and outcome.verdict is Verdict.TRUE:
        return "TRUE for what happens"
    if not is_plain and outcome.verdict is Verdict.FALSE:
        return "FALSE for what needs a buffer, or does not happen"
    if not happens and outcome.verdict is not Verdict.TRUE:
        return f"{outcome.verdict.value} for what does not happen: {outcome.message}"
    if is_plain and outcome.verdict is not Verdict.FALSE:
        return f"{outcome.verdict.value} for what happens without a buffer: {outcome.message}"
    return ""


def run(count: int, seed: int) -> tuple[list[str], int]:
    """Check *count* random programs: what is wrong, and how many have an outcome that needs a buffer."""
    wrong, buffered = [], 0
    choices = random.Random(seed)
    known = engines()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        for number in range(count):
            while True:  # most programs have no outcome that needs a buffer
                threads, model = program(choices), choices.choice(MODELS)
                plain, allowed = outcomes(threads, "sc"), outcomes(threads, model)
                if allowed - plain or choices.random() < _UNBUFFERED:
                    break
            late, width = sorted(allowed - plain), len(next(iter(plain)))
            none = sorted(set(itertools.product(range(3), repeat=width)) - allowed)
            chosen = choices.choice([group for group in (late, late, none, sorted(plain)) if group])
            outcome = choices.choice(chosen)
            buffered += chosen is late
            path.write_text(text(threads, outcome))
            os.environ["CSEQ_CBMC"] = str(known[number % len(known)])
            answer = cseq.verify(path, memory_model=model, encoding="partial-order")
            if said := disagreement(answer, outcome in allowed, outcome in plain):
                wrong.append(f"{model}: {said}\n{path.read_text()}")
            explored = cseq.verify(path, memory_model=model, backend="graphs").verdict
            if explored is not (Verdict.FALSE if outcome in allowed else Verdict.TRUE):
                wrong.append(f"{model}: {explored.value} by graphs\n{path.read_text()}")
    return wrong, buffered


def main() -> int:
    """Print what is wrong."""
    count, seed = (int(word) for word in (*sys.argv[1:3], *("100", "1")[len(sys.argv) - 1 :]))
    wrong, buffered = run(count, seed)
    print(*wrong, f"{count} programs, {buffered} about an outcome that needs a buffer, {len(wrong)} wrong", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
