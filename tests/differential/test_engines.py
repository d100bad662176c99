"""What engines once got wrong and what generators make, in engines and in the compiled program (see engines.py)."""

from collections import Counter
from pathlib import Path

import pytest

from cseq.backends.base import engines_folder
from tests.differential import arithmetic, casts
from tests.differential.engines import ENGINES, Case, compared, executed, made

_SIGNED = (("-1",), ("-2",), ("5",))
_WIDE = (("0x100000000ll",), ("1",), ("0x300000001ll",))
_INDEX = (("0",), ("1",))

ONCE_WRONG = [
    Case(f"x{number}", before, ((kind, name),), body, body.count("OUT("), vectors)
    for number, (before, kind, name, body, vectors) in enumerate([
        ("", "int", "i", "OUT(0, (void *)(long)i); OUT(1, (long)(void *)i < 0);", _SIGNED),
        ("", "short", "i", "void *p = (void *)(intptr_t)i; OUT(0, p == (void *)-1); OUT(1, p);", _SIGNED),
        ("", "int", "i", "long n = i; OUT(0, (char *)(n + i)); OUT(1, (char *)(i ? n : i));", _SIGNED),
        ("", "long", "i", "long n = (long)(void *)i; OUT(0, n < 0); OUT(1, n > -1); OUT(2, n <= 0);", _SIGNED),
        ("int o5;\n", "int", "i", "long n = (long)&o5; OUT(0, n > 0 ? i : -i); OUT(1, n >= 0 && n > -1);", _SIGNED),
        ("", "unsigned char", "at", "int *a[2]; a[at & 1] = (int *)((char)-1); int *p = a[at & 1]; OUT(0, p);", _INDEX),
        ("", "int", "i", "void *p = (void *)(long)i; OUT(0, p); long long n = (long long)p; OUT(1, n);", _SIGNED),
        ("", "int", "i", "union { long n; void *p; } u; u.n = -1; OUT(0, u.p);", _SIGNED),
        ("", "int", "i", "long n = 7; void *p; memcpy(&p, &n, sizeof p); OUT(0, p);", _SIGNED),
        ("", "int", "i", "int n = -7; OUT(0, 3 ^ (n ^ i)); OUT(1, (i | n) | 3); OUT(2, n ^ (short)(i ^ 9));", _SIGNED),
        ("", "long long", "i", "OUT(0, (_Bool)(void *)i); OUT(1, (void *)(i - 1) ? 1 : 2);", _WIDE),
    ], 1)
]  # fmt: skip
"""Each as short as it can be. Of x8 and x9 only CBMC 5.12 made another pointer, of x10 ESBMC another number."""


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if not (engines_folder() / name / "bin" / name.partition("-")[0]).exists():
        pytest.skip(f"{name} is not installed")
    return name


@pytest.mark.parametrize("bits", [64, 32])
def test_once_wrong(engine: str, bits: int, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    # To ESBMC an address may be any number, a negative one included.
    wanted = [case for case in ONCE_WRONG if case.label != "x5" or engine.startswith("cbmc")]
    cases = executed(wanted, bits, tmp_path)
    assert [case.label for case in cases] == [case.label for case in wanted]
    assert [each.text() for each in compared(cases, engine, bits, "cseq", tmp_path, counts)] == []
    assert counts == {f"{engine} --{bits} cseq: the same": len(wanted)}


def test_the_comparison_finds_what_engines_get_wrong(engine: str, tmp_path: Path) -> None:
    """As an engine gets it without CSeq."""
    counts: Counter[str] = Counter()
    cases = executed(ONCE_WRONG, 64, tmp_path)
    found = compared(cases, engine, 64, "raw", tmp_path, counts)
    assert ("x10" if engine.startswith("esbmc") else "x2") in {each.case.label for each in found}


@pytest.mark.parametrize("make", [casts.make, arithmetic.make], ids=["casts", "arithmetic"])
def test_random_cases(make: object, engine: str, tmp_path: Path) -> None:
    assert callable(make)
    counts: Counter[str] = Counter()
    cases = executed([made(make, 8, number) for number in range(3)], 64, tmp_path)
    assert [each.text() for each in compared(cases, engine, 64, "cseq", tmp_path, counts)] == []
    assert counts[f"{engine} --64 cseq: the same"] == len(cases) > 0
