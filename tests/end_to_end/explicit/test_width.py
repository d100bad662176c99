"""Programs whose verdict depends on the data model have the same one in both families, with 32 and with 64 bits."""

from pathlib import Path

import pytest

import cseq
from cseq.backends.cbmc import BACKEND, engines_folder
from cseq.model.verdict import Verdict

OLD = engines_folder() / "cbmc-5.12" / "bin" / "cbmc"

PROGRAM = """
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct record { char c; long l; long long w[2]; short s : 9; unsigned long long b : 40; double d; char *p; } one, *two;
struct packed { char c; long long w; double d __attribute__((aligned(8))); } __attribute__((packed));
long largest = LONG_MAX, bits = 1, wrapped, product = 65536;
unsigned long long wide = 1;
uintptr_t address;
size_t length;

void *worker(void *arg)
{
    long steps = (long)arg;
    wrapped = (long)((unsigned long)largest + steps);
    bits = 1L << (CHAR_BIT * sizeof(bits) - 2);
    product *= product;
    wide <<= 40;
    address = (uintptr_t)&two->w[1] - (uintptr_t)two;
    length = (size_t)-1;
    two->w[1] = wide + steps;
    two->b = (1ULL << 39) + steps;
    one = *two;
    return NULL;
}

int main(void)
{
    pthread_t t;
    two = calloc(1, sizeof *two);
    pthread_create(&t, NULL, worker, (void *)1);
    pthread_join(t, NULL);
    int narrow[] = {
        wrapped == -2147483647L - 1, bits == 1 << 30, product == 0, sizeof(struct record) == 44, address == 16,
        length == 4294967295u, sizeof(long) == sizeof(int), (unsigned long)wide == 0,
        offsetof(struct record, d) == 32, sizeof(struct packed) == 24 - 4 * (sizeof(long) == 8), sizeof(void *) == 4,
    };
    int all = 1, any = 0;
    for (int i = 0; i < (int)(sizeof narrow / sizeof *narrow); i++) {
        all &= narrow[i];
        any |= narrow[i];
    }
    assert(one.w[1] == (1LL << 40) + 1 && one.b == (1ULL << 39) + 1 && (char)wide == 0);
    assert(CLAIM);
}
"""


@pytest.mark.parametrize("backend", ["native", "cbmc", "cbmc 5.12"])
@pytest.mark.parametrize("bits, claim, holds", [(32, "all", 1), (32, "!any", 0), (64, "!any", 1), (64, "all", 0)])
def test_widths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, bits: int, claim: str, holds: bool
) -> None:
    if backend != "native" and BACKEND.find() is None:
        pytest.skip("CBMC is not installed (setup/provide-cbmc)")
    if backend == "cbmc 5.12":
        if not OLD.is_file():
            pytest.skip("the oldest CBMC is not installed (setup/provide-cbmc)")
        monkeypatch.setenv("CSEQ_CBMC", str(OLD))
    path = tmp_path / "widths.c"
    path.write_text(PROGRAM, encoding="utf-8")
    bounds = {} if backend == "native" else {"rounds": 1, "unwind": 12}
    outcome = cseq.verify(path, backend=backend.split(maxsplit=1)[0], bits=bits, define=(f"CLAIM={claim}",), **bounds)
    if holds:
        assert outcome.verdict is not Verdict.FALSE, outcome.violated
        assert backend != "native" or outcome.verdict is Verdict.TRUE, outcome
    else:
        assert outcome.verdict is Verdict.FALSE, outcome
        assert outcome.violated is not None and outcome.violated.claim.subject == "CLAIM"
