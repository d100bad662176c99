"""The expansions of macros of the system's headers become the constructs that our headers use."""

import pytest


def check(text: str) -> list[str]:
    """The checks in a text."""
    return [line.strip() for line in text.splitlines() if "__CSEQ_check(" in line and "void __CSEQ_check" not in line]


@pytest.mark.parametrize(
    "expanded",
    [
        '((x == 1) ? (void) (0) : __assert_fail ("x == 1", "p.c", 3, __extension__ __PRETTY_FUNCTION__));',
        "((void) sizeof ((x == 1) ? 1 : 0), __extension__ ({ if (x == 1) ; else "
        '__assert_fail ("x == 1", "p.c", 3, __extension__ __PRETTY_FUNCTION__); }));',
        '((void)((x == 1) || (__assert_fail("x == 1", "p.c", 3, __func__),0)));',
    ],
)
def test_assertions_are_found_again(left, expanded):
    text = left(f"int main(void) {{ int x = 1; {expanded} return 0; }}\n")
    assert check(text) == ['__CSEQ_check(x == 1, "assertion: x == 1");']
    assert "sizeof" not in text
    assert "__assert_fail" not in text


def test_a_failure_that_is_no_assertion_is_a_check_too(left):
    text = left(
        'void f(int e) { if (!e) { __assert_fail("e", "p.c", 1, "f"); } }\nint main(void) { f(0); return 0; }\n'
    )
    assert check(text) == ['__CSEQ_check(0, "assertion: e");']


def test_cleanup_handlers_are_found_again(left):
    text = left("""\
        typedef struct { int __cancel_jmp_buf[1]; } __attribute__((__aligned__)) __pthread_unwind_buf_t;
        extern void __pthread_register_cancel (__pthread_unwind_buf_t *__buf);
        extern void __pthread_unregister_cancel (__pthread_unwind_buf_t *__buf);
        extern void __pthread_unwind_next (__pthread_unwind_buf_t *__buf) __attribute__ ((__noreturn__));
        extern int __sigsetjmp_cancel (int *__env, int __savemask);
        int x;
        void undo(void *p) { x = 0; }
        void *f(void *a)
        {
          do { __pthread_unwind_buf_t __cancel_buf; void (*__cancel_routine) (void *) = (undo);
          void *__cancel_arg = (a);
          int __not_first_call = __sigsetjmp_cancel (__cancel_buf.__cancel_jmp_buf, 0);
          if (__builtin_expect ((__not_first_call), 0))
          { __cancel_routine (__cancel_arg); __pthread_unwind_next (&__cancel_buf); }
          __pthread_register_cancel (&__cancel_buf); do {;
          x = 1;
          do { } while (0); } while (0); __pthread_unregister_cancel (&__cancel_buf);
          if (1) __cancel_routine (__cancel_arg); } while (0);
          return 0;
        }
        int main(void) { f(0); return 0; }
        """)
    assert "__cancel" not in text
    body = text[text.index("void *f(void *a)") : text.index("int main")]
    assert [line.strip() for line in body.splitlines()[2:]] == [
        "{", "__cs_cleanup_push(undo, a);", ";", "x = 1;", "__cs_cleanup_pop(1);", "}", "return 0;", "}",
    ]  # fmt: skip


def test_kinds_of_characters_are_found_again(left):
    text = left("""\
        enum { _ISupper = 256, _ISdigit = 2048 };
        extern const unsigned short int **__ctype_b_loc (void) __attribute__ ((__nothrow__ , __leaf__));
        int main(void) { int c = 53; return ((*__ctype_b_loc ())[(int) ((c))] & (unsigned short int) _ISdigit); }
        """)
    assert "return isdigit((int) c);" in text
    assert "__ctype" not in text


def test_names_of_the_system_s_are_not_taken_for_ours(translated):
    translated.write("double __csin(double);\nint main(void) { return 0; }\n", "p.i")
    assert next(translated.units("p.i", until="merger"))
