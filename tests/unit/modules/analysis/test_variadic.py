"""Variadic functions: what a call leaves for them, and what va_arg makes of it."""

from textwrap import dedent


def test_further_arguments_are_left_in_cells(translated):
    text = translated(
        "three_address",
        """\
        #include <stdarg.h>
        int x;
        int f(int n, ...)
        {
          va_list l;
          va_start(l, n);
          x = va_arg(l, int);
          va_end(l);
          return n;
        }
        int main(void) { f(1, x, 2.5f); return 0; }
        """,
        "f",
        "main",
    )
    no_argument = "reachability.no_argument va_arg"
    assert text == dedent(f"""\
        int f(int n, ...)
        {{
          __cs_va_list __cs_va_arguments_f;
          va_list l;
          __cs_va_list __cs_tmp_2;
          int __cs_tmp_3;
          l = __CSEQ_nondet_pointer();
          l = __cs_va_arguments_f;
          __cs_tmp_2 = l;
          __CSEQ_assert(__cs_tmp_2->__cs_va_kind == 1, "{no_argument}");
          __cs_tmp_3 = (int) __cs_tmp_2->__cs_va_word;
          l = __cs_tmp_2 + 1;
          x = __cs_tmp_3;
          return n;
        }}
        int main(void)
        {{
          int __cs_tmp_4;
          struct __cs_va_cell __cs_tmp_5[3];
          __cs_tmp_4 = x;
          __cs_tmp_5[0].__cs_va_kind = 1;
          __cs_tmp_5[0].__cs_va_word = (long long) __cs_tmp_4;
          __cs_tmp_5[1].__cs_va_kind = 3;
          __cs_tmp_5[1].__cs_va_real = (double) 2.5f;
          __cs_tmp_5[2].__cs_va_kind = 0;
          f(1, __cs_tmp_5);
          return 0;
        }}
        """)


def test_va_start_in_a_function_that_is_not_variadic_is_refused_by_the_compiler(translated):
    text = "#include <stdarg.h>\nint main(int n, char **v)\n{\n  va_list l;\n  va_start(l, n);\n}\n"
    assert translated.refusal("three_address", text).startswith("program.c:5: ")
