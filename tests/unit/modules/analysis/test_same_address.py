import pytest

from cseq.modules.library.primitives import REUSING

HEAD = "#include <stdlib.h>\n#include <string.h>\n"

TELLS = {
    "comparison": "return p == q;",
    "pointer from another": "int a[3], *at = a, *to = a; to = q; at = to; return at == p;",
    "pointer that is set elsewhere": "int a[3], *at = a, **to = &at; *to = q; return at == p;",
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
    "pointers into an array": "int a[3], *at = a, *end = a + 3; while (at != end) at++;",
    "pointers that are set from each other": "int a[3], *at = a, *to; to = at; at = to + 1; return at == to;",
    "pointer to bytes": "char *c = (char *)p; return *c;",
}


def program(body: str) -> str:
    return f"{HEAD}int main(void) {{ int *p = malloc(4), *q = malloc(4); free(p); {body} }}\n"


@pytest.mark.parametrize("body", TELLS.values(), ids=TELLS.keys())
def test_what_looks_at_addresses_can_tell(translated, body):
    assert f"free{REUSING}(p)" in translated("address_reuse", program(body), "main")


@pytest.mark.parametrize("body", NEVER.values(), ids=NEVER.keys())
def test_what_looks_at_no_address_stays_as_it_is(translated, body):
    assert REUSING not in translated("address_reuse", program(body))


SIZES = {
    # what is allocated and compared → whether blocks of different sizes may be
    "int *p = malloc(4), *q = malloc(16); free(p); return p == q;": False,
    "int *p = malloc(4), *q = malloc(24); free(p); return p == q;": True,
    "int *p = malloc(4), *q = calloc(2, 12); free(p); return (long)p == (long)q;": True,
    "int n = 9, *p = malloc(4), *q = malloc(n); free(p); return p == q;": True,
    "struct s { int x; } *p = malloc(sizeof *p), *q; char *c = malloc(99); q = p; free(c); return p == q;": False,
    "char *p = malloc(4), *q = malloc(24); free(p); return *p == *q;": False,
}


@pytest.mark.parametrize("body", SIZES)
def test_blocks_of_different_sizes_matter_where_they_may_be_compared(translated, body):
    text = translated("address_reuse", f"{HEAD}int main(void) {{ {body} }}\n")
    assert ("__cs_other_size(" in text) == SIZES[body]
