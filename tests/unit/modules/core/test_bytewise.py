"""The functions for strings as loops over bytes."""

import subprocess
from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.c import Printer
from cseq.modules.core import bytewise

HEAD = """\
#include <pthread.h>
#include <string.h>
char shared[8];
struct padded { char c; long n; } one, other;
void *thread(void *unused) { shared[0] = 1; return 0; }
"""
MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int cut;
static int sign(long n) { return (n > 0) - (n < 0); }
static void fill(char *text)
{
    memset(text, 0, 40);
    for (int i = rand() % 9; i-- > 0;)
        text[i] = "ab\\xff"[rand() % 3];
}
"""


@pytest.fixture
def written(translated):
    """The statements of main after the stage, without those that only declare."""
    translated.use("explicit")

    def run(statements: str, **values: object) -> str:
        create = "pthread_t t; pthread_create(&t, 0, thread, 0);"
        text = f"{HEAD}int main(void)\n{{\n{create}\n{dedent(statements)}\nreturn 0;\n}}\n"
        return translated("bytewise", text, "main", **values)

    return run


@pytest.mark.parametrize(
    "call",
    [
        "int n = strlen(shared);",
        'strcpy(shared, "x");',
        'memcpy(shared + 1, "xy", 2);',
        'memset(shared, 1, 3);',
        'int n = strcmp(shared, "x");',
    ],
)  # fmt: skip
def test_a_call_becomes_a_loop(written, call):
    text = written(call)
    assert "while (" in text
    assert "__CSEQ_coarse" not in text
    assert f"{call.partition('(')[0].rpartition(' ')[2]}(" not in text


@pytest.mark.parametrize(
    "call",
    [
        "memcpy(&one, &other, sizeof one);",  # what happens to the padding is not known byte by byte
        'char own[8] = "x"; int n = strlen(own);',
        "char *p = strstr(shared, shared);",
    ],
)
def test_other_calls_remain(written, call):
    assert "while (" not in written(call)


@pytest.mark.parametrize("property_", ["no-data-race", "valid-memsafety"])
def test_where_it_matters_who_makes_an_access_calls_remain(written, property_):
    text = written('strcpy(shared, "x");', property=property_, checked=property_ == "valid-memsafety")
    assert "__CSEQ_coarse" in text
    assert "while (" not in text


@pytest.mark.engine
def test_the_loops_do_what_the_c_library_does(tmp_path):
    """For random strings and sizes, compiled by the C compiler."""
    functions, comparisons = [], []
    for name, (parameters, statements) in bytewise.models().items():
        types = {"a": "char *a", "b": "const char *b", "n": "unsigned long n", "v": "unsigned char v"}
        body = Printer().visit(c_ast.Compound(list(statements)))
        result = {"strlen": "long", "strnlen": "long"}.get(name, "int" if "cmp" in name else "char *")
        functions.append(
            f"static {result} our_{name}({', '.join(types[what] for what in parameters)})\n"
            f"{{ unsigned long at, end; unsigned char c, d; char k; {body} }}\n"
        )
        values = {"a": "{a}", "b": "from", "n": "n", "v": '"ab\\xff"[n % 3]'}
        ours, real = (", ".join(values[what].format(a=a) for what in parameters) for a in ("x", "y"))
        if result == "char *":
            comparisons.append(
                f"fill(x); memcpy(y, x, 40); fill(from); n = rand() % 9; r = our_{name}({ours}); "
                f's = {name}({real}); if ((r ? r - x : -1) != (s ? s - y : -1) || memcmp(x, y, 40)) puts("{name}");'
            )
        else:
            comparisons.append(
                f"fill(x); memcpy(y, x, 40); fill(from); n = rand() % 9; "
                f'if (sign(our_{name}({ours})) != sign({name}({real}))) puts("{name}");'
            )
    loop = "\n".join(comparisons)
    text = (
        "#define short_enough(held) (cut |= !(held))\n" + MAIN + "".join(functions)
        + "int main(void) { char x[40], y[40], from[40], *r, *s; unsigned long n; srand(7);\n"
        + f"for (int i = 0; i < 20000; i++) {{ {loop} }}\nreturn cut; }}\n"
    )  # fmt: skip
    (tmp_path / "compared.c").write_text(text, encoding="utf-8")
    compiled = ["gcc", "-w", "-fno-builtin", "-o", "compared", "compared.c"]
    subprocess.run(compiled, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "compared"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
