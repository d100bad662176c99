"""How many threads programs create, as far as their text says so."""

import pytest
from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.analysis.constant_propagation import Counting
from cseq.modules.analysis.creations import Creations
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon


@pytest.fixture
def creations(translated):
    """The creations of a program, of which the body of main is given."""

    def count(body: str, more: str = "") -> Creations:
        text = f"""
#include <pthread.h>
int x, n = 3;
pthread_t t[99];
void *leaf(void *arg) {{ return 0; }}
{more}
int main(void)
{{
{body}
}}
"""
        translated.use("explicit")
        tree = translated.unit("uninitialised_reads", text, keep_unused=False).tree
        symbols = Symbols(tree, translated.context().model)
        threads = [n for n in tree.ext if isinstance(n, c_ast.FuncDef) and not lexicon.is_ours(n.coord)]
        return Creations({n.decl.name: n for n in threads}, Counting(symbols, Visibility(symbols, tree)))

    return count


CREATE = "pthread_create(&t[0], 0, leaf, 0);"


@pytest.mark.parametrize(
    ("body", "number"),
    [
        (CREATE, 1),
        (f"for (int i = 0; i < 15; i++) {CREATE}", 15),
        (f"int i = 0; do {{ {CREATE} i += 2; }} while (i <= 8);", 5),
        (f"int m = 6; while (m-- > 0) if (pthread_create(&t[m], 0, leaf, 0)) return 1; {CREATE}", 7),
        (f"for (int i = 0; i < 3; i++) for (int k = i; k < 3; k++) {CREATE}", 6),
        (f"for (int i = 0; i < 9; i++) {{ if (x) break; {CREATE} }}", 9),
        (f"for (int i = 0; i < 9; i++) {{ if (i == 4) continue; {CREATE} }}", 8),
        (f"if (x) {{ {CREATE} {CREATE} }} else {CREATE}", 2),
        (f"if (x) {{ {CREATE} {CREATE} return 0; }} {CREATE}", 2),
        (f"int i = 3; while (x) i = 1; for (; i > 0; i--) {CREATE}", None),
        (f"int i = 3, k; while (x) k = 1; for (; i > 0; i--) {CREATE}", 3),
        (f"for (int i = 0; i < n; i++) {CREATE}", None),
        (f"while (1) {CREATE}", None),
        (f"while (1) {{ if (x) break; x--; }} {CREATE}", 1),
        (f"while (1) {{ if (x) {{ {CREATE} return 0; }} if (x) break; }} {CREATE}", 1),
        (f"for (int i = 0; i < 1000000; i++) {CREATE}", None),
    ],
)
def test_what_main_creates(creations, body: str, number: int | None) -> None:
    assert creations(body).led_to() == number


def test_what_threads_create_counts_as_often_as_they_are_created(creations) -> None:
    maker = f"void *maker(void *arg) {{ for (int i = 0; i < 2; i++) {{ {CREATE} }} return 0; }}"
    body = "for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, maker, 0);"
    assert creations(body, maker).led_to() == 9
    again = "void *again(void *arg) { pthread_create(&t[0], 0, again, 0); return 0; }"
    assert creations("pthread_create(&t[0], 0, again, 0);", again).led_to() is None


@pytest.mark.parametrize(
    ("body", "endless"),
    [
        (f"while (1) {{ {CREATE} x++; }}", True),
        (f"for (;;) {{ {CREATE} if (x) break; }}", False),
        (f"while (x < 3) {CREATE}", False),
        (f"{CREATE} while (1) x++;", False),
    ],
)
def test_creating_for_ever(creations, body: str, endless: bool) -> None:
    assert creations(body).are_endless() is endless
