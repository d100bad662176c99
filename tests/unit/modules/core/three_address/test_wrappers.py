"""Functions of the library that are used as values."""

import re
from textwrap import dedent


def test_a_library_function_that_is_used_as_a_value_is_wrapped(translated):
    text = translated(
        "three_address",
        """\
        #include <stdlib.h>
        void (*drop)(void *) = free;
        int main(void)
        {
          free(0);
          drop(0);
          return 0;
        }
        """,
    )
    assert "static void free__cs2(void *__memory);\nvoid (*drop)(void *) = free__cs2;\n" in text
    assert text.endswith(
        dedent("""\
        int main(void)
        {
          void (*__cs_tmp_1)(void *);
          void (*__cs_tmp_2)(void *);
          free(0);
          __cs_tmp_1 = drop;
          __cs_tmp_2 = __cs_tmp_1;
          if (__cs_tmp_2 == free__cs2) {
            free__cs2(0);
          } else {
            __CSEQ_assert(0, "reachability.no_function");
          }
          return 0;
        }
        static void free__cs2(void *__cs_free_0)
        {
          free(__cs_free_0);
        }
        """)
    )


def test_a_wrapper_s_line_is_where_the_function_is_used(translated):
    unit = translated.unit(
        "three_address", "#include <stdlib.h>\nint (*f)(int);\nint main(void)\n{\n  f = abs;\n  return f(-1);\n}\n"
    )
    lines = unit.text.splitlines()
    places = [str(unit.linemap[number]) for number, line in enumerate(lines, 1) if " = abs(" in line]
    assert places == ["program.c:5"]


def test_variadic_functions_are_wrapped_without_their_further_arguments(translated):
    text = translated(
        "three_address",
        '#include <stdio.h>\nint (*say)(const char *, ...) = printf;\nint main(void) { return say("%d", 1); }\n',
    )
    assert "struct __cs_va_cell" in text
    assert "static int printf__cs2(const char *__cs_printf_0, ...)\n" in text


def test_what_nobody_takes_the_address_of_is_not_wrapped(translated):
    text = translated("three_address", "#include <stdlib.h>\nint main(void) { free(0); return abs(1); }\n")
    assert "__cs2" not in text


def test_a_function_that_is_not_defined_is_refused_where_a_pointer_may_lead_to_it(translated):
    program = "int f(int n); void g(void);\nint (*p)(int) = f;\nvoid (*q)(void) = g;\nint main(void) {{ return {}; }}\n"
    message = "program.c:4: `f`, which a call through a pointer may lead to, is not defined"
    assert translated.refusal("three_address", program.format("p(1)")) == message
    translated("three_address", program.format("p != 0"))


def test_a_variant_without_a_prototype_is_wrapped(translated):
    """Where blocks are compared and exchanged, `free` is the variant that gives addresses back."""
    text = translated(
        "three_address",
        """\
        #include <stdlib.h>
        struct node { struct node *next; } *top;
        static void drop(void *block, void release(void *)) { release(block); }
        int main(void)
        {
          struct node *node = malloc(sizeof *node), *none = NULL;
          __atomic_compare_exchange_n(&top, &none, node, 0, 5, 5);
          drop(node, free);
          return 0;
        }
        """,
    )
    prototype = re.search(r"static void free__cs6__cs2\(void \*\w+\);", text)
    assert prototype is not None
    assert prototype.start() < text.index("drop(node, free__cs6__cs2);")
    assert text.endswith("\n{\n  free__cs6(__cs_free__cs6_0);\n}\n")
