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
