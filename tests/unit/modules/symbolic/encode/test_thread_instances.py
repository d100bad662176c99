"""The thread-instances stage: a function for each thread instance, in the order of creation."""

import re
from textwrap import dedent

import pytest
from pycparser import c_ast


@pytest.fixture
def instances(translated):
    """The user's functions after the stage, with the start functions that their pthread_create calls name."""

    def run(text: str, unwind: int = 2, threads: int | None = None) -> dict[str, list[str]]:
        unit = translated.unit(
            "thread_instances", f"#include <pthread.h>\npthread_t t;\n{dedent(text)}", unwind=unwind, threads=threads
        )
        functions = [n for n in unit.tree.ext if isinstance(n, c_ast.FuncDef) and not n.coord.file.startswith("<")]
        found = {}
        for node in functions:
            finder = _Created()
            finder.visit(node)
            found[node.decl.name] = finder.names
        return found

    return run


class _Created(c_ast.NodeVisitor):
    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        if node.name.name == "pthread_create":
            self.names.append(node.args.exprs[2].name)
        elif node.name.name == "__CSEQ_unwound":
            self.names.append(node.args.exprs[1].value)


def test_each_call_of_pthread_create_has_an_instance(translated):
    text = translated(
        "thread_instances",
        """\
        #include <pthread.h>
        int x;
        void *start(void *arg) { x++; return arg; }
        int main(void)
        {
          pthread_t a, b = 0;
          pthread_create(&a, 0, start, &x);
          if (pthread_create(&b, 0, start, 0)) return 1;
          return 0;
        }
        """,
        "main", "start__cs1", "start__cs2",
    )  # fmt: skip
    order = list(dict.fromkeys(re.findall(r"__cs_tmp_\d+", text[text.index("void *start__cs1") :] + text)))
    text = re.sub(r"__cs_tmp_\d+", lambda match: f"__cs_tmp_{order.index(match.group()) + 1}", text)
    assert text == dedent("""\
        int main(void)
        {
          pthread_t a;
          pthread_t b;
          int __cs_tmp_2;
          int __cs_tmp_3;
          a = __CSEQ_nondet_uint();
          b = 0;
          __cs_tmp_2 = pthread_create(&a, 0, start__cs1, &x);
          __cs_tmp_3 = pthread_create(&b, 0, start__cs2, 0);
          if (__cs_tmp_3) {
            return 1;
          }
          return 0;
        }
        void *start__cs1(void *arg)
        {
          int __cs_tmp_1;
          __cs_tmp_1 = x;
          x = __cs_tmp_1 + 1;
          return arg;
        }
        void *start__cs2(void *arg)
        {
          int __cs_tmp_1;
          __cs_tmp_1 = x;
          x = __cs_tmp_1 + 1;
          return arg;
        }
        """)


def test_instances_stand_in_the_order_of_creation_parents_first(instances):
    assert instances("""
        void *leaf(void *arg) { return 0; }
        void *inner(void *arg) { pthread_create(&t, 0, leaf, 0); return 0; }
        int main(void) { pthread_create(&t, 0, inner, 0); pthread_create(&t, 0, leaf, 0);
          pthread_create(&t, 0, inner, 0); }
        """) == {
        "main": ["inner__cs1", "leaf__cs2", "inner__cs3"],
        "inner__cs1": ["leaf__cs4"],
        "leaf__cs2": [],
        "inner__cs3": ["leaf__cs5"],
        "leaf__cs4": [],
        "leaf__cs5": [],
    }  # fmt: skip


def test_creation_in_a_loop_makes_an_instance_per_iteration(instances):
    found = instances(
        """
        void *start(void *arg) { return 0; }
        int main(void) { for (int i = 0; i < 3; i++) pthread_create(&t, 0, start, 0); }
        """,
        unwind=3,
    )
    assert list(found) == ["main", "start__cs1", "start__cs2", "start__cs3"]


def test_creation_in_a_called_function_makes_an_instance_per_call(instances):
    found = instances("""
        void *start(void *arg) { return 0; }
        void launch(void) { pthread_create(&t, 0, start, 0); }
        int main(void) { launch(); launch(); }
        """)
    assert found["main"] == ["start__cs1", "start__cs2"]


@pytest.mark.parametrize("unwind, made", [(1, 1), (2, 2), (4, 4)])
def test_a_thread_that_starts_itself_is_bounded_like_a_recursion(instances, unwind, made):
    found = instances(
        """
        void *start(void *arg) { if (arg) pthread_create(&t, 0, start, 0); return 0; }
        int main(void) { pthread_create(&t, 0, start, 0); }
        """,
        unwind=unwind,
    )
    assert list(found) == ["main", *(f"start__cs{number}" for number in range(1, made + 1))]
    cut = found[f"start__cs{made}"]
    assert [re.sub(r"\d+", "N", text) for text in cut] == ['"cut.starts N: start"']


def test_threads_that_start_each_other_are_bounded_too(instances):
    found = instances(
        """
        void *pong(void *arg);
        void *ping(void *arg) { pthread_create(&t, 0, pong, 0); return 0; }
        void *pong(void *arg) { pthread_create(&t, 0, ping, 0); return 0; }
        int main(void) { pthread_create(&t, 0, ping, 0); }
        """,
        unwind=1,
    )
    assert found == {"main": ["ping__cs1"], "ping__cs1": ["pong__cs2"], "pong__cs2": ['"cut.starts 1: ping"']}


def test_threads_beyond_the_bound_are_cut_off(instances):
    found = instances(
        """
        void *child(void *arg) { return 0; }
        void *parent(void *arg) { pthread_create(&t, 0, child, 0); return 0; }
        int main(void) { pthread_create(&t, 0, parent, 0); pthread_create(&t, 0, parent, 0); return 0; }
        """,
        threads=3,
    )
    assert found == {
        "main": ["parent__cs1", "parent__cs2"],
        "parent__cs1": ["child__cs3"],
        "parent__cs2": ['"cut.threads 3"'],
        "child__cs3": [],
    }


def test_a_function_that_is_started_and_pointed_to_keeps_its_address(translated):
    text = translated(
        "thread_instances",
        """\
        #include <pthread.h>
        void *start(void *arg) { return 0; }
        void *(*which)(void *) = start;
        int main(void) { pthread_t t; if (which == start) pthread_create(&t, 0, start, 0); return 0; }
        """,
    )
    assert "void *start(void *arg)\n{\n}\n" in text
    assert "void *start__cs1(void *arg)\n{\n  return 0;\n}\n" in text


def test_origins_stay(translated):
    unit = translated.unit(
        "thread_instances",
        "#include <pthread.h>\nint x;\nvoid *start(void *arg)\n{\n  x = 1;\n  return 0;\n}\n"
        "int main(void)\n{\n  pthread_t a, b;\n  pthread_create(&a, 0, start, 0);\n"
        "  pthread_create(&b, 0, start, 0);\n}\n",
    )
    places = [str(unit.linemap[number]) for number, line in enumerate(unit.text.splitlines(), 1) if line == "  x = 1;"]
    assert places == ["program.c:5", "program.c:5"]
