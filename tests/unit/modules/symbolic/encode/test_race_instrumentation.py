"""What race instrumentation adds to marked accesses: the judge, and functions that report the library's accesses."""

from typing import Any

from pycparser import c_ast

from cseq.modules.analysis.probes import ACCESSES

PROGRAM = """\
#include <pthread.h>
#include <string.h>
char text[8], other[8];
void *run(void *argument) { strcpy(text, other); return 0; }
int main(void) { pthread_t thread; pthread_create(&thread, 0, run, 0); return 0; }
"""


def functions(tree: c_ast.FileAST) -> list[str]:
    """The names of the functions that are defined, in order."""
    return [node.decl.name for node in tree.ext if isinstance(node, c_ast.FuncDef)]


def test_what_judges_the_last_state_comes_before_the_threads(translated: Any) -> None:
    names = functions(translated.unit("symbolic/encode/race_instrumentation", PROGRAM, property="no-data-race").tree)
    threads = [names.index("run__cs1"), names.index("main")]
    assert names.index(ACCESSES) < min(threads)
    assert names.index("__cs_tells_strcpy") < min(threads)


def test_nothing_is_added_where_no_races_are_looked_for(translated: Any) -> None:
    text = translated("thread_instances", PROGRAM)
    assert "__cs_race_" not in text and "__cs_tells_" not in text
