"""Random control flow means the same behind each stage: loops, switches, jumps forward, returns, in each other."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

FUNCTIONS = 12

BEFORE = """
long long results[250];
int count;
static void show(long long value) { if (count < 240) results[count++] = value; }
int g = 1, h = 2, arr[3], calls;
struct { int m; } s;
static int step(int value) { calls++; return value & 3; }
"""


class Function:
    """A function that ends: each loop runs at most three times, and every jump leads forward."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._names = 0

    def text(self, name: str) -> str:
        where = self.rng.choice(["g", "b", "arr[0]"])
        return f"static int {name}(int a, int b) {{ int *p = &{where};\n{self.block(3, False)}return a * 31 + b;\n}}\n"

    def fresh(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def place(self) -> str:
        return self.rng.choice(["a", "b", "g", "h", "arr[1]", "s.m", "(*p)"])

    def expression(self, depth: int = 1) -> str:
        if depth == 0 or self.rng.random() < 0.4:
            return self.place()
        operator = self.rng.choice(["+", "-", "&&", "||", ">", "==", "%", "step", "constant"])
        if operator == "constant":
            return str(self.rng.randint(-2, 5))
        if operator == "step":
            return f"step({self.expression(depth - 1)})"
        right = "3" if operator == "%" else self.expression(depth - 1)
        return f"({self.expression(depth - 1)} {operator} {right})"

    def block(self, depth: int, loop: bool, count: int | None = None) -> str:
        return "".join(self.statement(depth, loop) for _ in range(count or self.rng.randint(1, 4)))

    def statement(self, depth: int, loop: bool) -> str:
        simple: list[Callable[[], str]] = [
            lambda: f"{self.place()} {self.rng.choice(['=', '+=', '-=', '^='])} {self.expression()};\n",
            lambda: f"{self.place()}{self.rng.choice(['++', '--'])};\n",
            lambda: f"show({self.expression()});\n",
        ]
        if depth == 0:
            return self.rng.choice(simple)()
        jumps = ["break", "continue"] if loop else ["return a - b"]
        nested: list[Callable[[], str]] = [
            lambda: f"if ({self.expression()}) {{ {self.block(depth - 1, loop)} }}\n",
            lambda: (
                f"if ({self.expression()}) {{ {self.block(depth - 1, loop)} }} else {self.statement(depth - 1, loop)}"
            ),
            lambda: f"if ({self.expression()}) {self.rng.choice([*jumps, 'return h'])};\n",
            lambda: self.counted("for (int {i} = 0; {i} < {n}; {i}++) {{ {body} }}\n", depth),
            lambda: self.counted("{{ int {i} = 0; while ({i}++ < {n} && {e}) {{ {body} }} }}\n", depth),
            lambda: self.counted("{{ int {i} = 0; do {{ {body} }} while (++{i} < {n} && {e}); }}\n", depth),
            lambda: self.switch(depth, loop),
            lambda: self.jump(depth),
            lambda: f"{{ int {self.rng.choice('abgh')} = {self.rng.randint(0, 3)}; {self.block(depth - 1, loop)} }}\n",
        ]
        return self.rng.choice(simple + nested)()

    def counted(self, template: str, depth: int) -> str:
        i, n, body = self.fresh("i"), self.rng.randint(1, 3), self.block(depth - 1, True)
        return template.format(i=i, n=n, body=body, e=self.expression())

    def switch(self, depth: int, loop: bool) -> str:
        labels = [f"case {value}" for value in self.rng.sample(range(-2, 6), self.rng.randint(1, 3))] + ["default"]
        self.rng.shuffle(labels)
        ends = ["break;", "", "continue;" if loop else ""]
        cases = [f"{label}: {self.block(depth - 1, loop)} {self.rng.choice(ends)}\n" for label in labels]
        return f"switch ({self.expression()}) {{ {''.join(cases)} }}\n"

    def jump(self, depth: int) -> str:
        label = self.fresh("l")
        return f"if ({self.expression()}) goto {label};\n{self.statement(depth - 1, False)}{label}: {self.statement(0, False)}"


def program(seed: int) -> str:
    rng = random.Random(seed)
    functions = "".join(Function(rng).text(f"f{number}") for number in range(FUNCTIONS))
    calls = "".join(
        f"show(f{number}({rng.randint(-2, 4)}, {rng.randint(0, 4)}));\n"
        "show(g % 1000 + h * 3 + arr[0] + arr[1] * 7 + s.m * 11 + calls); g &= 7; h &= 3;\n"
        for number in range(FUNCTIONS)
    )
    return f"{BEFORE}{functions}int main(void) {{\n{calls}return 0;\n}}\n"


@pytest.mark.parametrize("seed", range(4))
def test_control_flow_is_preserved(seed, translated, compiler, prelude, epilogue):
    text = program(seed)
    expected = compiler.run(prelude + text + epilogue)
    assert expected.count("\n") >= 2 * FUNCTIONS
    for stage, unit in translated.units(translated.write(text), until="unroller", unwind=3):
        if stage in ("scoper", "restructurer", "linearizer", "unroller"):
            assert compiler.run(prelude + unit.text + epilogue) == expected, f"behind the {stage}"
