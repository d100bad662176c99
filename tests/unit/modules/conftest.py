"""Fixtures that the tests of stages and of their helpers share."""

import re
from textwrap import dedent

import pytest

from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.symbolic.encode.sequentializer.sequentializer import Sequentializer
from tests.support.stages import HEADERS, INPUTS, LINEAR_PROGRAM


@pytest.fixture
def merged(translated):
    """Writes files and merges those that end in ``.c``: the unit, without the declarations of headers of ours."""

    def run(files: dict[str, str], **parameters):
        names = [translated.write(text, name) for name, text in files.items()]
        paths = [name for name in names if name.endswith(".c")]
        return next(translated.units(*paths, until="merger", **parameters))[1]

    return run


@pytest.fixture
def computes(merged, compiler):
    """The exit status of the program that files are merged to."""

    def run(files: dict[str, str]) -> str:
        return compiler.run(merged(files).text)

    return run


@pytest.fixture
def scoped(translated):
    """What the normalisation makes of a whole program."""
    return lambda program: translated("normalise", program)


@pytest.fixture
def staged(translated):
    """What some functions of a program are after a stage."""
    return lambda program, stage, functions: translated(stage, program, *functions.split())


@pytest.fixture
def restructured(translated):
    """What becomes of statements in a function with int a, b."""

    def run(statements: str) -> str:
        made = translated("control_flow", f"int a, b;\nint main(void)\n{{\n{statements}\n}}\n", "main")
        assert made.startswith("int main(void)\n{\n") and made.endswith("}\n")
        return dedent(made.removeprefix("int main(void)\n{\n").removesuffix("}\n"))

    return run


@pytest.fixture
def inlined(translated):
    """What becomes of a function, `main` unless another is named."""

    def run(program: str, function: str = "main", unwind: int = 1) -> str:
        return translated("inliner", program, function, unwind=unwind)

    return run


@pytest.fixture
def linear(translated):
    """What becomes of statements; temporaries are called t1, t2, … in order of appearance."""

    def run(statements: str) -> list[str]:
        text = translated("three_address", LINEAR_PROGRAM.format(dedent(statements)), "run")
        names: dict[str, str] = {}
        text = re.sub(r"__cs_tmp_\d+", lambda match: names.setdefault(match.group(), f"t{len(names) + 1}"), text)
        names.clear()
        lines = text.splitlines()[2:-1]
        start = next(number for number, line in enumerate(lines) if "= __CSEQ_nondet_pointer()" in line) + 1
        text = "\n".join(lines[start:])
        order = list(dict.fromkeys(re.findall(r"\bt\d+\b", text)))
        return [
            re.sub(r"\bt\d+\b", lambda match: f"t{order.index(match.group()) + 1}", line[2:])
            for line in text.splitlines()
        ]

    return run


@pytest.fixture
def assert_linear(linear):
    def check(before: str, after: str) -> None:
        assert linear(before) == dedent(after).splitlines()

    return check


@pytest.fixture
def unrolled(translated):
    """What becomes of the statements of main, with shared x, y and a local n, unrolled twice unless said otherwise."""

    def run(statements: str, unwind: int = 2, **parameters: int) -> str:
        program = f"int x, y;\nint main(void)\n{{\nint n;\n{dedent(statements)}\nreturn 0;\n}}\n"
        lines = translated("unroller", program, "main", unwind=unwind, **parameters).splitlines()
        body = [line[2:] for line in lines[lines.index("  n = __CSEQ_nondet_int();") + 1 : -1] if line != "  return 0;"]
        return "".join(f"{line}\n" for line in body)

    return run


@pytest.fixture
def assert_unrolled(unrolled):
    def check(before: str, after: str, unwind: int = 2) -> None:
        assert unrolled(before, unwind) == dedent(after)

    return check


@pytest.fixture
def sequentialized(translated):
    """The unit after the sequentializer, and the facts that it gives."""

    def run(text: str, **parameters):
        units = translated.units(translated.write(HEADERS + dedent(text)), until="thread_instances", **parameters)
        context = translated.context(**parameters)
        unit = Sequentializer(context).run(list(units)[-1][1])
        return unit, context.facts

    return run


@pytest.fixture
def fails(failures):
    """The assertions that fail in a program, for some schedule."""
    return lambda text, **parameters: failures(HEADERS + dedent(text), **parameters)


@pytest.fixture
def failing(fails):
    """The same, in the order of their texts."""
    return lambda text, **parameters: sorted(fails(text, **parameters))


@pytest.fixture
def private(translated):
    """The names of the user's objects at file level that the thread-local promotion makes thread-local."""

    def run(text: str) -> list[str]:
        program = f"#include <pthread.h>\npthread_t t, u;\n{text}"
        unit = translated.unit("thread_local_promotion", program, privatize=True, keep_unused=False)
        return sorted(node.name for node in unit.tree.ext if is_thread_local(node))

    return run


@pytest.fixture
def chosen(translated):
    """What the input choices makes of the statements of main: its text."""
    translated.use("explicit")

    def run(statements: str, **parameters: object) -> str:
        program = f"{INPUTS}int main(void)\n{{\n{dedent(statements)}\nreturn 0;\n}}\n"
        text: str = translated("input_choices", program, "main", **parameters)
        return text

    return run
