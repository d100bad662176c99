"""The inliner: main and the start functions, with the bodies of what they call in the places of the calls."""

from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.model.origin import CallSite


@pytest.mark.parametrize("unwind, calls", [(1, 1), (2, 2), (5, 5)])
def test_recursion_goes_as_deep_as_the_bound_says(translated, unwind, calls):
    text = translated(
        "inliner",
        "int x;\nvoid f(int n) { x++; if (n) f(n - 1); }\nint main(void) { f(9); f(8); return 0; }\n",
        "main",
        unwind=unwind,
    )
    assert text.count("x = ") == 2 * calls
    assert text.count("__CSEQ_unwound(0, ") == 2


def test_functions_that_call_each_other_are_bounded_each(translated):
    text = translated(
        "inliner",
        """\
        int x, y;
        void g(int n);
        void f(int n) { x = n; g(n); }
        void g(int n) { y = n; if (n) f(n - 1); }
        int main(void) { f(3); return 0; }
        """,
        "main",
        unwind=2,
    )
    assert (text.count("x = "), text.count("y = ")) == (2, 2)
    assert text.count('__CSEQ_unwound(0, "cut.recursion 2: f");') == 1


def test_start_functions_are_left_and_everything_else_goes(translated):
    unit = translated.unit(
        "inliner",
        """\
        #include <pthread.h>
        int x;
        static int helper(int n) { return n; }
        void *child(void *arg) { x = helper(2); return 0; }
        void *parent(void *arg) { pthread_t t; pthread_create(&t, 0, child, 0); return 0; }
        void unused(void) { helper(1); }
        int main(void) { pthread_t t; pthread_create(&t, 0, parent, 0); return helper(3); }
        """,
    )
    functions = [
        node.decl.name for node in unit.tree.ext if isinstance(node, c_ast.FuncDef) and node.coord.file == "program.c"
    ]
    assert sorted(functions) == ["child", "main", "parent"]


def test_a_function_that_a_pointer_points_to_keeps_its_address(translated):
    text = translated(
        "inliner",
        """\
        int one(int a) { return 1; }
        int two(int a) { return 2; }
        int (*fp)(int) = one;
        int main(void) { if (fp == two) return 3; return fp(4); }
        """,
    )
    assert "int one(int a)\n{\n}\n" in text
    assert "int two(int a__cs2)\n{\n}\n" in text


def test_the_arguments_that_are_given_are_objects(translated):
    text = translated("inliner", "int main(int argc, char **argv) { return argv[argc - 1][0]; }", args="ab '-c d'")
    assert "char __cs_argv_1[3] = {97, 98, 0};\n" in text
    assert "char __cs_argv_2[5] = {45, 99, 32, 100, 0};\n" in text
    assert "char *__cs_argv[4] = {__cs_argv_0, __cs_argv_1, __cs_argv_2, 0};\n" in text
    assert "  argc = 3;\n  argv = __cs_argv;\n" in text
    assert "__cs_alone" not in text


def test_the_number_of_any_arguments_is_an_input(translated):
    text = translated("inliner", "int main(int argc, char **argv) { return argc; }", "main", args_any=True)
    assert "  argc = __CSEQ_nondet_int();\n  __CSEQ_assume(argc >= 1);\n" in text


def test_origins_tell_the_function_and_the_calls_that_lead_there(translated):
    unit = translated.unit(
        "inliner",
        """\
        int x;
        void inner(int n)
        {
          x = n;
        }
        void outer(void)
        {
          inner(1);
        }
        int main(void)
        {
          outer();
          inner(2);
          return 0;
        }
        """,
    )
    origins = [unit.linemap[number] for number, line in enumerate(unit.text.splitlines(), 1) if "x = n" in line]
    assert [(origin.line, origin.function) for origin in origins] == [(4, "inner"), (4, "inner")]
    assert [origin.path for origin in origins] == [
        (CallSite("main", "program.c", 12), CallSite("outer", "program.c", 8)),
        (CallSite("main", "program.c", 13),),
    ]


def test_the_library_s_lines_are_the_user_s_call(translated):
    unit = translated.unit(
        "inliner",
        """\
        #include <pthread.h>
        pthread_cond_t c;
        pthread_mutex_t m;
        void wait(void)
        {
          pthread_cond_wait(&c, &m);
        }
        int main(void)
        {
          wait();
          return 0;
        }
        """,
    )
    steps = [unit.linemap[n] for n, line in enumerate(unit.text.splitlines(), 1) if line.startswith("  __cs_step_cond")]
    assert {(str(origin), origin.function, origin.path) for origin in steps} == {
        ("program.c:6", "wait", (CallSite("main", "program.c", 10),))
    }


def test_declarations_of_the_user_s_keep_their_places(translated):
    unit = translated.unit(
        "inliner", "int f(int n)\n{\n  int k = n;\n  return k;\n}\nint main(void)\n{\n  int a, b;\n  return f(a);\n}\n"
    )
    places = {line.strip(): str(unit.linemap[number]) for number, line in enumerate(unit.text.splitlines(), 1)}
    assert {places[name] for name in ("int a;", "int b;")} == {"program.c:8"}
    assert (places["int n;"], places["int k;"]) == ("program.c:1", "program.c:3")


def test_results_of_activations_and_of_functions_of_other_files_differ(translated, compiler, prelude):
    translated.write(
        "int other(void);\nstatic long get(int n) { return n ? get(n - 1) : 1000; }\n"
        "int main(void) { return other() == 7 && get(2) == 1000; }\n",
        "a.c",
    )
    translated.write("static char get(void) { return 7; }\nint other(void) { return get(); }\n", "b.c")
    *_, (_, unit) = translated.units("a.c", "b.c", until="inliner", unwind=3)
    assert compiler.run(prelude + unit.text) == "exit status 1\n"


# Thread-local objects


def test_a_thread_local_object_is_one_of_each_start_function_that_uses_it(translated):
    text = """
        #include <pthread.h>
        extern _Thread_local int calls;
        _Thread_local int unused = 1, calls = 3;
        struct { int calls; } s;
        int next(void) { static _Thread_local int n; n++; return n + calls; }
        void *both(void *arg) { next(); return 0; }
        void *none(void *unused_arg) { s.calls = 1; return 0; }
        int main(void)
        {
          pthread_t t;
          pthread_create(&t, 0, both, 0);
          pthread_create(&t, 0, none, 0);
          return calls;
        }
        """
    assert translated("inliner", text, "both", "none") == dedent("""\
        void *both(void *arg)
        {
          static _Thread_local int calls = 3;
          static _Thread_local int n;
          int __cs_ret_next;
          n = n + 1;
          __cs_ret_next = n + calls;
          return 0;
        }
        void *none(void *unused_arg)
        {
          s.calls = 1;
          return 0;
        }
        """)
    whole = translated("inliner", text)
    assert whole.count("calls = 3;") == 2  # main's and the thread's, none at file level
    assert "unused = 1" not in whole


def test_an_initialiser_of_a_thread_local_object_stands_behind_what_it_names(translated):
    text = translated(
        "inliner",
        """
        extern _Thread_local int *where;
        int main(void) { return *where; }
        int x;
        _Thread_local int *where = &x;
        """,
    )
    assert text == dedent("""\
        int main(void);
        int x;
        int main(void)
        {
          static _Thread_local int *where = &x;
          return *where;
        }
        """)


def test_a_thread_local_object_has_to_be_defined(translated):
    before = """\
        extern _Thread_local int x;
        int main(void) { return x; }
        """
    assert translated.refusal("inliner", before) == "program.c:1: the thread-local object `x` is not defined"


# Functions that the library calls back


def test_the_library_chooses_among_functions_of_the_type_where_the_program_does(translated):
    text = """
        #include <pthread.h>
        int x;
        pthread_once_t once;
        void one(void) { x = 1; }
        void two(void) { x = 2; }
        int main(void) { void (*p)(void) = x ? one : two; pthread_once(&once, p); return 0; }
        """
    assert "if (p == one) {\n      x = 1;\n    } else {\n      if (p == two) {\n        x = 2;" in translated(
        "inliner", text, "main"
    )


# The end of a thread


def test_a_thread_calls_destructors_before_it_ends_however_it_does(translated):
    text = """
        #include <pthread.h>
        int x;
        pthread_key_t key;
        void destroy(void *value) { x = 1; }
        void leave(void) { pthread_exit(&x); }
        void *start(void *arg) { if (arg) leave(); return arg; }
        int main(void)
        {
          pthread_t t;
          pthread_key_create(&key, destroy);
          pthread_create(&t, 0, start, 0);
          return 0;
        }
        """
    assert translated("inliner", text, "start") == dedent("""\
        void *start(void *arg)
        {
          void *__cs_exit_value;
          unsigned int __cs_key;
          void *__cs_tmp_4;
          void (*__cs_tmp_5)(void *);
          void *__cs_tmp_6;
          void *value;
          if (arg) {
            __cs_exit_value = &x;
            goto __cs_end_of_thread;
          }
          __cs_exit_value = (void *) arg;
          __cs_end_of_thread: ;
          __cs_key = __cs_step_next_key();
          while (__cs_key != 0) {
            __cs_tmp_4 = __cs_destructor[__cs_key - 1];
            __cs_tmp_5 = (void (*)(void *)) __cs_tmp_4;
            __cs_tmp_6 = __cs_step_take_value(__cs_key);
            if (__cs_tmp_5 == destroy) {
              value = __cs_tmp_6;
              x = 1;
            } else {
              __CSEQ_assert(0, "reachability.no_function");
            }
            __cs_key = __cs_step_next_key();
          }
          pthread_exit(__cs_exit_value);
        }
        """)
    assert "__cs_key" not in translated("inliner", text, "main")
    assert "__cs_key" not in translated("inliner", text.replace("&key, destroy", "&key, 0"), "start")


def test_what_a_function_that_the_library_calls_can_change_is_copied(translated):
    text = """
        #include <pthread.h>
        pthread_once_t a;
        _Thread_local pthread_once_t *p = &a, q;
        void init(void) { p = 0; }
        int main(void) { pthread_once(p, init); pthread_once(&q, init); return 0; }
        """
    main = translated("inliner", text, "main")
    assert "once__cs3 = p;" in main
    assert "__cs_step_once_end(once__cs3);" in main
    assert "__cs_step_once_end(&q);" in main


def test_a_jump_out_of_what_a_cleanup_handler_is_for_is_a_violation(translated):
    text = """
        #include <pthread.h>
        int x;
        void undo(void *arg) { x = 0; }
        int main(void)
        {
          pthread_cleanup_push(undo, 0);
          if (x) goto inside;
          if (x == 2) goto outside;
        inside:
          x = 1;
          pthread_cleanup_pop(0);
        outside:
          return 0;
        }
        """
    main = translated("inliner", text, "main")
    assert "if (x) goto inside;" in main
    message = "reachability.left_by_jump"
    assert f'if (x == 2) {{\n    __CSEQ_assert(0, "{message}");\n  }}' in main


def test_a_variadic_function_finds_its_further_arguments(translated):
    text = translated("inliner", "int f(int n, ...) { return n; }\nint main(void) { return f(1, 2); }\n", "main")
    assert "  n = 1;\n  __cs_va_arguments_f = __cs_tmp_1;\n  __cs_ret_f = n;\n" in text


@pytest.mark.parametrize("body", ["return 1;", "if (n) return 1; else return 2;", "while (1) n++;", "abort();"])
def test_functions_that_never_get_to_their_end_return_what_they_return(translated, body):
    text = translated(
        "inliner", f"void abort(void);\nint f(int n) {{ {body} }}\nint main(void) {{ return f(0); }}\n", "main"
    )
    assert "__cs_ret_f = __CSEQ_nondet_int();" not in text


def test_any_arguments_are_few_and_short_where_main_looks_at_them(translated):
    text = translated("inliner", "int main(int argc, char **argv) { return argv[1][0]; }", "main", args_any=True)
    assert '__CSEQ_unwound(argc <= 3, "cut.arguments 2");' in text
    assert "  argv = __cs_argv;\n" in text
