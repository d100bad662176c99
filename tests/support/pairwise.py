"""A pairwise selection of programs: any two features that occur together in some program do so in a chosen one.

Most faults are due to one feature or to two together (Kuhn, Wallace, Gallo: Software fault interactions, 2004). So
where each program is checked in many ways, not every way need be tried with each. ``--all`` tries all.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from tests.support.selection import everything

Item = TypeVar("Item")

FEATURES = {
    "mutex": r"pthread_mutex_(un)?lock|mtx_(un)?lock",
    "trylock": r"\w+_(try|timed)(rd|wr)?(lock|wait|join)",
    "kinds of mutexes": r"pthread_mutexattr_settype|PTHREAD_\w+_MUTEX_INITIALIZER_NP",
    "condition": r"pthread_cond_\w+|cnd_\w+",
    "barrier": r"pthread_barrier_\w+",
    "semaphore": r"sem_\w+",
    "read-write lock": r"pthread_rwlock_\w+",
    "spin lock": r"pthread_spin_\w+",
    "once": r"pthread_once|call_once",
    "join": r"pthread_join|thrd_join",
    "end": r"pthread_(exit|detach|cancel)|thrd_exit|exit",
    "own data": r"pthread_key_create|_Thread_local",
    "C11 threads": r"thrd_create",
    "atomic": r"atomic_\w+|_Atomic|__atomic_\w+|__sync_\w+",
    "atomic section": r"__VERIFIER_atomic_\w+",
    "input": r"__VERIFIER_nondet_\w+",
    "heap": r"malloc|calloc|realloc|free",
    "record": r"struct|union",
    "loop": r"while|for|do",
    "jump": r"goto|switch|setjmp",
}
"""Features that matter for translation, search and reports, and the patterns by which they are recognised."""

_WORDS = {name: re.compile(rf"\b(?:{words})\b") for name, words in FEATURES.items()}


def features(files: Iterable[Path]) -> frozenset[str]:
    """The features of a program, recognised in its text."""
    return _features(tuple(files))


@cache
def _features(files: tuple[Path, ...]) -> frozenset[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return frozenset(name for name, words in _WORDS.items() if words.search(text))


def cover(items: Sequence[Item], having: Callable[[Item], frozenset[str]]) -> list[Item]:
    """Some of *items*, in order: for any two features of an item, some chosen item has both.

    The item with the most missing pairs is taken first, so the choice is always the same.
    """
    pairs = [{(one, one) for one in found} | set(combinations(sorted(found), 2)) for found in map(having, items)]
    missing = set[tuple[str, str]]().union(*pairs)
    chosen = set()
    while missing:
        best = max(range(len(items)), key=lambda number: len(pairs[number] & missing))
        missing -= pairs[best]
        chosen.add(best)
    return [items[number] for number in sorted(chosen)]


def sampled(items: Sequence[Item], having: Callable[[Item], frozenset[str]]) -> list[Item]:
    """The choice of `cover`; all of *items* with ``--all``."""
    return list(items) if everything() else cover(items, having)
