"""Programs that the tests of several stages begin with."""

from cseq.pipeline.stage import Unit

HEADERS = "#include <assert.h>\n#include <pthread.h>\n"

LINEAR_PROGRAM = """\
#include <pthread.h>
struct s {{ int m, n; struct s *next; unsigned b : 3; }};
int x, y, a[3]; struct s s, *p; int *pi; const int c = 7; const int table[2] = {{1, 2}}; unsigned char byte;
int f(int v) {{ return v; }} int g(void) {{ return x; }} void h(int v, int w) {{ }}
void *start(void *arg) {{ return arg; }} void *start2(void *arg) {{ return arg; }}
int (*fp)(int) = f; void *(*sp)(void *) = start2;
int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void); void abort(void);
int printf(const char *, ...); void *malloc(unsigned long); int undefined(void); int __VERIFIER_nondet_strange(void);
int run(int l, int k, struct s ls, pthread_t th)
{{
  int la[3], *q;
{}
}}
int main(void) {{ return 0; }}
"""
"""Statements in it: x, y, a, p and s are shared; l, k, la, ls and q are not."""

INPUTS = """\
extern _Bool __VERIFIER_nondet_bool(void); extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void); extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void); extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void); extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int); int rand(void); void abort(void); void exit(int);
extern void *__VERIFIER_nondet_pointer(void);
void keep(int holds) { if (!holds) abort(); }
int g, n;
"""
"""Declarations before functions that use inputs."""

TWO = """
    int x;
    void *inc(void *arg) { int l = *(int *)arg; x = l; x = l + 1; return 0; }
    int main(void) { pthread_t t; int n = 2; pthread_create(&t, 0, inc, &n); x = 7; pthread_join(t, 0); return 0; }
    """


def thread_text(unit: Unit, name: str) -> str:
    """The text of the function *name* of a thread."""
    start = unit.text.index(f"static void {name}(void)\n")
    return unit.text[start : unit.text.index("\n}\n", start) + 3]
