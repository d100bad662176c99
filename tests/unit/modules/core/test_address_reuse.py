import pytest

from cseq.modules.core.freed_objects import EXISTS
from cseq.modules.library.primitives import REUSING

HEAD = "#include <pthread.h>\n#include <stdlib.h>\n#include <stdint.h>\n#include <string.h>\n"


def program(body: str, free: str = "free(p);") -> str:
    return f"{HEAD}int main(void) {{ int *p = malloc(4), *q = malloc(4); {free} {body} }}\n"


def test_without_free_nothing_comes_back(translated):
    assert REUSING not in translated("address_reuse", program("return p == q;", free=""))


def test_a_function_of_the_users_with_the_name_is_left_alone(translated):
    text = "void free(void *p) { } void *malloc(unsigned long n) { return 0; } "
    text += "int main(void) { int *p = malloc(4), *q = malloc(4); free(p); return p == q; }"
    assert REUSING not in translated("address_reuse", text)


def test_what_the_library_allocates_comes_back_too(translated):
    text = program('char *s = strdup("a"); return p == q && s[0];')
    assert "__CSEQ_allocate_freeable" not in translated("address_reuse", text, "strdup")


THREADS = """\
void *work(void *arg) {{ return 0; }}
int main(void) {{ pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0); {body} }}
"""


@pytest.mark.parametrize("body", ["return pthread_equal(a, b);", "return a == b;", "return !(a != pthread_self());"])
def test_identifiers_that_are_compared_may_come_back(translated, body):
    text = HEAD + THREADS.format(body=body)
    assert f"pthread_equal{REUSING}(a, " in translated("address_reuse", text, "main")
    assert "__cs_identified(number" in translated("address_reuse", text, "__cs_step_create")


def test_identifiers_that_nobody_compares_do_not(translated):
    text = HEAD + THREADS.format(body="return a == 0;")
    assert "__cs_identified" not in translated("address_reuse", text)


LOCKED = """\
struct s {{ pthread_mutex_t lock; }} kept;
int main(void) {{ struct s *s = malloc(sizeof *s); pthread_mutex_lock({lock}); free(s); return 0; }}
"""


def test_a_lock_in_a_block_has_to_exist(translated):
    text = HEAD + LOCKED.format(lock="&s->lock")
    assert f"{EXISTS}(mutex" in translated("address_reuse", text, "pthread_mutex_lock")
    assert EXISTS not in translated("address_reuse", HEAD + LOCKED.format(lock="&kept.lock"))


def test_what_was_initialised_in_a_block_ends_with_it(translated):
    text = HEAD + LOCKED.format(lock="&s->lock").replace("_lock(", "_init(").replace("s->lock)", "s->lock, 0)")
    lines = translated("address_reuse", text).splitlines()
    assert [line for line in lines if line.endswith("__cs_watched;")] == ["void *__cs_watched;"]
    assert "__cs_watched = 0;" in translated("address_reuse", text, "__cs_freed_now")
