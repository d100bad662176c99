from textwrap import dedent

import pytest

from cseq.modules.core.freed_objects import EXISTS
from cseq.modules.library.primitives import REUSING

HEAD = "#include <pthread.h>\n#include <stdlib.h>\n#include <stdint.h>\n#include <string.h>\n"


def test_memory_comes_back_in_a_program_that_compares_pointers(translated):
    before = """\
        #include <stdlib.h>
        int main(void)
        {
          int *old = malloc(4);
          free(old);
          int *new = malloc(4);
          return old == new;
        }
        """
    after = """\
        int main(void)
        {
          int *old;
          int *new;
          old = malloc__cs6(4);
          free__cs6(old);
          new = malloc__cs6(4);
          return old == new;
        }
        """
    assert translated("recycler", before, "main") == dedent(after)


TELLS = {
    "comparison": "return p == q;",
    "order": "return p < q;",
    "number": "return (long)p & 1;",
    "assigned number": "unsigned long n = (unsigned long)p; return n;",
    "compare-and-exchange": "return __atomic_compare_exchange_n(&p, &q, 0, 0, 5, 5);",
    "old compare-and-swap": "return __sync_bool_compare_and_swap(&p, q, 0);",
    "bytes": "return memcmp(&p, &q, sizeof p);",
    "union": "union { int *p; long n; } u; u.p = p; return u.n;",
    "another type": "return *(long *)&p;",
}
NEVER = {
    "null": "return p == 0 || q != NULL || !p;",
    "address of an object": "int x; return p == &x;",
    "numbers": "return *p == *q;",
    "compare-and-exchange of numbers": "int n = 0; return __atomic_compare_exchange_n(p, &n, 0, 0, 5, 5);",
    "pointer to bytes": "char *c = (char *)p; return *c;",
}


def program(body: str, free: str = "free(p);") -> str:
    return f"{HEAD}int main(void) {{ int *p = malloc(4), *q = malloc(4); {free} {body} }}\n"


@pytest.mark.parametrize("body", TELLS.values(), ids=TELLS.keys())
def test_what_looks_at_addresses_can_tell(translated, body):
    assert f"free{REUSING}(p)" in translated("recycler", program(body), "main")


@pytest.mark.parametrize("body", NEVER.values(), ids=NEVER.keys())
def test_what_looks_at_no_address_stays_as_it_is(translated, body):
    assert REUSING not in translated("recycler", program(body))


def test_without_free_nothing_comes_back(translated):
    assert REUSING not in translated("recycler", program("return p == q;", free=""))


def test_a_function_of_the_users_with_the_name_is_left_alone(translated):
    text = "void free(void *p) { } void *malloc(unsigned long n) { return 0; } "
    text += "int main(void) { int *p = malloc(4), *q = malloc(4); free(p); return p == q; }"
    assert REUSING not in translated("recycler", text)


def test_what_the_library_allocates_comes_back_too(translated):
    text = program('char *s = strdup("a"); return p == q && s[0];')
    assert "__CSEQ_allocate_freeable" not in translated("recycler", text, "strdup")


THREADS = """\
void *work(void *arg) {{ return 0; }}
int main(void) {{ pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0); {body} }}
"""


@pytest.mark.parametrize("body", ["return pthread_equal(a, b);", "return a == b;", "return !(a != pthread_self());"])
def test_identifiers_that_are_compared_may_come_back(translated, body):
    text = HEAD + THREADS.format(body=body)
    assert f"pthread_equal{REUSING}(a, " in translated("recycler", text, "main")
    assert "__cs_identified(number" in translated("recycler", text, "__cs_step_create")


def test_identifiers_that_nobody_compares_do_not(translated):
    text = HEAD + THREADS.format(body="return a == 0;")
    assert "__cs_identified" not in translated("recycler", text)


LOCKED = """\
struct s {{ pthread_mutex_t lock; }} kept;
int main(void) {{ struct s *s = malloc(sizeof *s); pthread_mutex_lock({lock}); free(s); return 0; }}
"""


def test_a_lock_in_a_block_has_to_exist(translated):
    text = HEAD + LOCKED.format(lock="&s->lock")
    assert f"{EXISTS}(mutex" in translated("recycler", text, "pthread_mutex_lock")
    assert EXISTS not in translated("recycler", HEAD + LOCKED.format(lock="&kept.lock"))
