"""Places of a step program: the statements of the core language before which threads stand."""

from pathlib import Path

from pycparser import c_ast

from tests.support.step_programs import nodes, stepped

PROGRAM = """#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);
int x, y;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int both(int value) { if (x) return value; return y; }
void *worker(void *arg) {
  int i = 0, k = 3;
progress:
  while (i < 3) { pthread_mutex_lock(&mutex); x = both(i); pthread_mutex_unlock(&mutex); i++; }
  while (k) { k--; if (k == 7) break; }
  __VERIFIER_assume(k == 0);
  if (y) x = 2; else return arg;
  while (x < 1) k = y;
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); y = 1; pthread_join(t, 0); assert(x); }
"""


def test_the_node_of_a_place_is_a_statement_of_the_tree_that_the_stepper_takes(tmp_path: Path) -> None:
    program = stepped(tmp_path, PROGRAM)
    known = {id(node) for node in nodes(program.tree)}
    places = [place for place in program.steps.places if place is not None]
    assert {place.start for place in places if place.entry} == {place.start for place in places if place.node is None}
    others = [place for place in places if not place.entry]
    assert len(others) >= 15
    assert all(id(place.node) in known for place in others)
    plain = [place for place in others if not place.labels and not isinstance(place.node, c_ast.FuncDef)]
    assert all(place.origin == place.node.coord for place in plain)
    kinds = {type(place.node) for place in others}
    assert {c_ast.Assignment, c_ast.FuncCall, c_ast.If, c_ast.While, c_ast.Return} <= kinds
    assert c_ast.Label not in kinds
    assert next(type(place.node) for place in others if place.labels) is c_ast.While


def test_places_where_threads_seldom_stop(tmp_path: Path) -> None:
    program = stepped(tmp_path, PROGRAM)
    seldom = [place.node for place in program.steps.places if place is not None and place.seldom]
    assert {c_ast.While, c_ast.FuncCall} == {type(node) for node in seldom}


def test_a_thread_that_ends_without_a_statement_stands_at_the_end_of_its_function(tmp_path: Path) -> None:
    program = stepped(tmp_path, "#include <pthread.h>\nint x; void *f(void *a) { x = 1; }\n"
                      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0); }\n")  # fmt: skip
    last = [place for place in program.steps.places if place is not None][-1]
    assert isinstance(last.node, c_ast.FuncDef) and last.node.decl.name == last.start == "f"
