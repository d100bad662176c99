"""Random pairs of accesses to one object of 16 bytes, and whether CSeq sees where they overlap.

    python -m tests.differential.overlaps --seed 1 --count 100

Two threads make one access each: through members of a union, of structs and arrays in it, through pointers of other
types, by copies of some bytes, to bit-fields. They race if the bytes overlap, one of them writes, and not both are
atomic: that is counted here, from offsets and sizes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from tests.differential import fuzz
from tests.differential.races import said

_HEAD = """\
#include <pthread.h>
#include <string.h>

struct inner { char c; short s; int i; };
struct fields { unsigned int a : 3; unsigned int b : 5; unsigned int : 0; unsigned int d : 9; unsigned char e; };
union object {
    unsigned char bytes[16];
    short shorts[8];
    int ints[4];
    long long longs[2];
    struct { char first; struct inner inner; int last; } s;
    struct inner two[2];
    struct { unsigned char rows[4][4]; } m;
    struct fields f;
};

union object object;
struct inner zero;
"""

_TYPES = {"unsigned char": 1, "short": 2, "int": 4, "long long": 8}
_ARRAYS = {"bytes": 1, "shorts": 2, "ints": 4, "longs": 8}
# Where the members of the structs are: offset and size in bytes. Bit-fields: what their memory location takes of them.
_MEMBERS = {
    "s.first": (0, 1), "s.inner.c": (4, 1), "s.inner.s": (6, 2), "s.inner.i": (8, 4), "s.last": (12, 4),
    "two[0].c": (0, 1), "two[0].s": (2, 2), "two[0].i": (4, 4),
    "two[1].c": (8, 1), "two[1].s": (10, 2), "two[1].i": (12, 4),
}  # fmt: skip
_FIELDS = {"f.a": (0, 1), "f.b": (0, 1), "f.d": (4, 2), "f.e": (6, 1)}


@dataclass(frozen=True)
class Access:
    """One access: its C text, the bytes, what it does."""

    text: str
    bytes: frozenset[int]
    writes: bool
    atomic: bool = False

    def races(self, other: Access) -> bool:
        """Whether it and *other*, in another thread, are a race."""
        conflict = (self.writes or other.writes) and not (self.atomic and other.atomic)
        return conflict and bool(self.bytes & other.bytes)


def _bytes(offset: int, size: int) -> frozenset[int]:
    return frozenset(range(offset, offset + size))


def _plain(rng: random.Random, place: str, where: frozenset[int]) -> Access:
    writes = rng.random() < 0.6
    return Access(f"{place} = 1;" if writes else f"long long l = {place}; (void)l;", where, writes)


def _element(rng: random.Random) -> Access:
    name, size = rng.choice(sorted(_ARRAYS.items()))
    index = rng.randrange(16 // size)
    subscript = str(index) if rng.random() < 0.5 else f"({index} & (int)(long)arg)"
    return _plain(rng, f"object.{name}[{subscript}]", _bytes(index * size, size))


def _member(rng: random.Random) -> Access:
    name, where = rng.choice(sorted(_MEMBERS.items()))
    return _plain(rng, f"object.{name}", _bytes(*where))


def _row(rng: random.Random) -> Access:
    row, column = rng.randrange(4), rng.randrange(4)
    return _plain(rng, f"object.m.rows[{row}][{column}]", _bytes(4 * row + column, 1))


def _field(rng: random.Random) -> Access:
    name, where = rng.choice(sorted(_FIELDS.items()))
    return _plain(rng, f"object.{name}", _bytes(*where))


def _pointer(rng: random.Random) -> Access:
    type_, size = rng.choice(sorted(_TYPES.items()))
    offset = rng.randrange(16 // size) * size
    start = rng.choice(("object.bytes", "(unsigned char *)&object", "(char *)object.ints"))
    return _plain(rng, f"*({type_} *)({start} + {offset})", _bytes(offset, size))


def _structure(rng: random.Random) -> Access:
    index = rng.randrange(2)
    # The padding belongs to nobody: a copy of a struct may copy it, or not.
    where = frozenset(byte for name in ("c", "s", "i") for byte in _bytes(*_MEMBERS[f"two[{index}].{name}"]))
    if rng.random() < 0.6:
        return Access(f"object.two[{index}] = zero;", where, True)
    return Access(f"struct inner l = object.two[{index}]; (void)l;", where, False)


def _copy(rng: random.Random) -> Access:
    offset, size = rng.randrange(14), rng.choice((1, 2, 3, 4, 7, 8))
    size = min(size, 16 - offset)
    match rng.randrange(3):
        case 0:
            return Access(f"memset(object.bytes + {offset}, 0, {size});", _bytes(offset, size), True)
        case 1:
            return Access(f"char l[8] = {{1}}; memcpy(object.bytes + {offset}, l, {size});", _bytes(offset, size), True)
    return Access(f"char l[8]; memcpy(l, object.bytes + {offset}, {size});", _bytes(offset, size), False)


def _builtin(rng: random.Random) -> Access:
    type_, size = rng.choice(sorted(_TYPES.items()))
    offset = rng.randrange(16 // size) * size
    place = f"({type_} *)(object.bytes + {offset})"
    match rng.randrange(3):
        case 0:
            return Access(f"__atomic_store_n({place}, 1, __ATOMIC_SEQ_CST);", _bytes(offset, size), True, True)
        case 1:
            text = f"long long l = __atomic_load_n({place}, __ATOMIC_SEQ_CST); (void)l;"
            return Access(text, _bytes(offset, size), False, True)
    return Access(f"__atomic_fetch_add({place}, 1, __ATOMIC_SEQ_CST);", _bytes(offset, size), True, True)


def _pair(rng: random.Random) -> tuple[Access, Access]:
    makes = (_element, _element, _member, _row, _pointer, _pointer, _copy, _builtin, _builtin)
    if rng.random() < 0.15:
        return _field(rng), _field(rng)
    # What a copy of a struct, or an access to a bit-field, does to the bytes around it is not C's business.
    if rng.random() < 0.1:
        return _structure(rng), rng.choice((_member, _structure))(rng)
    return rng.choice(makes)(rng), rng.choice(makes)(rng)


def programs(seed: int, count: int, start: int = 0) -> Iterator[tuple[int, str, bool]]:
    """Number, C text, and whether it has a race."""
    for number in range(start, start + count):
        one, other = _pair(random.Random(f"overlaps {seed}/{number}"))
        threads = [
            f"void *t{n}(void *arg) {{ (void)arg; {access.text} return 0; }}\n"
            for n, access in enumerate((one, other), 1)
        ]
        main = (
            "int main(void) {\n    pthread_t h, i;\n    pthread_create(&h, 0, t1, (void *)15);\n"
            "    pthread_create(&i, 0, t2, (void *)15);\n    pthread_join(h, 0);\n"
            "    pthread_join(i, 0);\n    return 0;\n}\n"
        )
        yield number, _HEAD + "".join(threads) + main, one.races(other)


def disagreement(text: str, races: bool) -> str:
    """What is wrong with CSeq's answer; empty when nothing is."""
    verdict, message = said(text, fuzz.Bounds(1, 1, 64))
    if verdict in ("refused", "limit"):
        return ""
    return (
        ""
        if verdict == ("FALSE" if races else "UNKNOWN") or (verdict == "TRUE" and not races)
        else f"{verdict} {message}"
    )


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args(arguments)
    found = 0
    for number, text, races in programs(options.seed, options.count, options.start):
        wrong = disagreement(text, races)
        if wrong:
            found += 1
            print(f"=== seed {options.seed}, program {number}: a race: {races}; CSeq: {wrong}\n{text}", flush=True)
    print(f"{found} disagreements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
