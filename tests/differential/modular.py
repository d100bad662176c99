"""Random programs with threads in loops, cells of their own, handed-over blocks and locks in objects.

    python -m tests.differential.modular --seed 1 --count 100

What the thread-modular analysis proves free of data races is searched for one by the explicit search, which explores
all states of these programs: a race that it finds is a mistake of the analysis. Most programs are correct by intention,
with a line or two changed at random.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cseq
from cseq.model.verdict import Outcome

_HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
struct item { pthread_mutex_t m; int v, w; int a[2]; struct item *next; };
struct job { int id; int lo, hi; int *p; struct item *it; };
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
sem_t s0, s1;
pthread_barrier_t b0;
pthread_cond_t c1 = PTHREAD_COND_INITIALIZER;
int ended;
pthread_once_t once = PTHREAD_ONCE_INIT;
atomic_int flag, done;
atomic_uint next, serving;
pthread_key_t key;
int x, y, cells[6], ready, config;
struct item items[3], *list, *shared;
pthread_mutex_t stripes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
_Thread_local int own;
void initialise(void) { config = 1; }
void *help(void *arg) { pthread_mutex_lock(&m0); x++; pthread_mutex_unlock(&m0); config = 3; return 0; }
static void take(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void give(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
static void raise_(struct item *i) { take(&i->m); i->v++; give(&i->m); }
static void raise_two(struct item *i) { i->v++; i->w++; }
"""


_BEGINS = {
    "index": "int i = (int)(long)arg;", "pointer": "int i = *(int *)arg;", "none": "int i = 0;",
    **dict.fromkeys(("struct", "block"), "struct job *job = arg; int i = job->id;"),
}  # fmt: skip
"""How a thread begins, by what it is given."""


class Made:
    """One program. careless: how likely a statement is wrong."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._names = 0
        self._argument = rng.choice(("index", "pointer", "struct", "block", "none"))
        self._threads = rng.choice((1, 2, 2))
        self._careless = rng.choice((0.0, 0.0, 0.05, 0.15))
        self._end = rng.choice(("join", "join", "post", "count", "flag", "barrier"))

    def _fresh(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def _wrong(self, right: str, *wrong: str) -> str:
        """*right*, or one of *wrong*."""
        return self._rng.choice(wrong) if self._rng.random() < self._careless else right

    def text(self) -> str:
        """The program as C."""
        body = [_BEGINS[self._argument]]
        for _ in range(self._rng.choice((1, 2, 2, 3))):
            body += self._statement()
        if self._end == "barrier":
            wait = "pthread_barrier_wait(&b0);"
            body += ["cells[i & 1] = 1;", self._wrong(wait, ""), "cells[1 - (i & 1)]++;", self._wrong("", wait)]
        done = {"post": "sem_post(&s1);", "count": "take(&m1); ended++; give(&m1);", "flag": "atomic_store(&done, 1);"}
        if self._end in done:
            body += ["cells[i]++;", self._wrong(done[self._end], ""), self._wrong("", "cells[i]++;")]
        if self._argument == "block" and self._rng.random() < 0.5:
            body.append("free(job);")
        return f"{_HEAD}void *work(void *arg)\n{{\n{_lines(body)}    return 0;\n}}\n{self._main()}"

    # What threads do

    def _statement(self) -> list[str]:
        kinds = (
            self._lock, self._lock, self._cell, self._cell, self._item, self._stripe, self._private, self._publish,
            self._list, self._constant, self._rwlock, self._once, self._flag, self._semaphore, self._job, self._section,
            self._local, self._range, self._try, self._late_try, self._slots, self._conditional, self._conditional,
            self._ticket, self._specific, self._walk, self._either,
        )  # fmt: skip
        return self._rng.choice(kinds)()

    def _lock(self) -> list[str]:
        target, lock = self._rng.choice((("x", "m0"), ("x", "m0"), ("y", "m1"), ("cells[5]", "m0")))
        lock = self._wrong(lock, "m0", "m1")
        take, give = self._rng.choice((("pthread_mutex_lock", "pthread_mutex_unlock"), ("take", "give")))
        return [f"{take}(&{lock});", f"{target}++;", f"{give}(&{lock});"]

    def _cell(self) -> list[str]:
        index, pointer = self._wrong("i", "i + 1", "2 * i", "5 - i"), self._fresh("p")
        made = (f"cells[{index}]++;", f"cells[{index}] = i;", f"int *{pointer} = &cells[{index}]; *{pointer} = 1;")
        return [self._rng.choice(made)]

    def _item(self) -> list[str]:
        lock = self._wrong("i", "0")
        both = f"take(&items[{lock}].m); raise_two(&items[i]); give(&items[{lock}].m);"
        made = (
            "raise_(&items[i]);", "raise_(&items[1]);", "raise_(shared);", self._wrong(both, "raise_two(&items[i]);"),
            "take(&shared->m); shared->a[i & 1]++; give(&shared->m);",
            f"take(&items[{lock}].m); items[i].w++; give(&items[{lock}].m);",
        )  # fmt: skip
        return [self._rng.choice(made)]

    def _stripe(self) -> list[str]:
        slot = self._wrong("i", "(i + 1)", "0")
        return [f"take(&stripes[{slot} % 2]); cells[i]++; give(&stripes[{slot} % 2]);"]

    def _private(self) -> list[str]:
        name = self._fresh("n")
        made = [f"struct item *{name} = malloc(sizeof *{name}); if (!{name}) return 0;"]
        made.append(f"{name}->v = i; {name}->next = 0; {name}->v++;")
        return [*made, f"free({name});"] if self._rng.random() < 0.5 else made

    def _publish(self) -> list[str]:
        name = self._fresh("n")
        early, late = self._wrong("", f"list = {name};"), self._wrong("", f"{name}->v = 2;")
        return [
            f"struct item *{name} = malloc(sizeof *{name}); if (!{name}) return 0;",
            f"{name}->v = i;", early, f"take(&m1); {name}->next = list; list = {name}; give(&m1);", late,
        ]  # fmt: skip

    def _list(self) -> list[str]:
        name = self._fresh("n")
        use, give = f"if ({name}) y += {name}->v;", "give(&m1);"
        return [f"take(&m1); struct item *{name} = list;", self._wrong(f"{use} {give}", f"{give} {use}")]

    def _constant(self) -> list[str]:
        return [
            self._rng.choice(("own += ready;", "if (ready) own++;", self._wrong("own += ready;", "own += config;")))
        ]

    def _rwlock(self) -> list[str]:
        if self._rng.random() < 0.5:
            access = self._wrong("own += cells[4];", "cells[4]++;")
            return [f"pthread_rwlock_rdlock(&rw); {access} pthread_rwlock_unlock(&rw);"]
        return ["pthread_rwlock_wrlock(&rw); cells[4]++; pthread_rwlock_unlock(&rw);"]

    def _once(self) -> list[str]:
        return ["pthread_once(&once, initialise);", self._wrong("own += config;", "config++;")]

    def _flag(self) -> list[str]:
        take = self._rng.choice((
            "while (atomic_exchange(&flag, 1)) ;", "while (__sync_lock_test_and_set((int *)&flag, 1)) ;",
            "{ int e = 0; while (!atomic_compare_exchange_strong(&flag, &e, 1)) e = 0; }",
        ))  # fmt: skip
        give = self._wrong("atomic_store(&flag, 0);", "flag = 0; items[2].v++;", "")
        return [take, "items[2].v++;", give]

    def _semaphore(self) -> list[str]:
        return ["sem_wait(&s0); items[2].w++; sem_post(&s0);", self._wrong("", "sem_post(&s0);")]

    def _job(self) -> list[str]:
        if self._argument not in ("struct", "block"):
            return []
        made = (
            "job->lo++;", "if (job->p) *job->p += 1;", "for (int k = job->lo; k < job->hi; k++) cells[k] = 1;",
            "if (job->it) { take(&job->it->m); job->it->v++; give(&job->it->m); }",
        )  # fmt: skip
        return [self._rng.choice(made)]

    def _section(self) -> list[str]:
        return ["__VERIFIER_atomic_begin(); done = done + 1; items[0].a[0]++; __VERIFIER_atomic_end();"]

    def _local(self) -> list[str]:
        name = self._fresh("l")
        return [f"int {name} = i; int *q{name} = &{name}; *q{name} += 1;"]

    def _range(self) -> list[str]:
        top = self._wrong("2 * i + 2", "2 * i + 3")
        return [f"for (int k = 2 * i; k < {top}; k++) cells[k]++;"]

    def _try(self) -> list[str]:
        test = self._wrong("== 0", "!= 16 || i")
        return [f"if (pthread_mutex_trylock(&m0) {test}) {{ x = 1; pthread_mutex_unlock(&m0); }}"]

    def _late_try(self) -> list[str]:
        name, give = self._fresh("r"), "pthread_mutex_unlock(&m0);"
        use = f"if ({name} == 0) x++;"
        return [
            f"int {name} = pthread_mutex_trylock(&m0); if ({name} == 16) return 0;",
            self._wrong(f"{use} {give}", f"{give} {use}"),
        ]

    def _slots(self) -> list[str]:
        name = self._fresh("n")
        slot, late = self._rng.choice(("i & 1", "0")), self._wrong("", f"{name}->v = 2;")
        return [
            f"struct item *{name} = malloc(sizeof *{name}), *q{name}[2] = {{0, 0}}; if (!{name}) return 0;",
            f"{name}->v = i; {name}->next = 0; q{name}[{slot}] = {name};",
            f"take(&m1); if (q{name}[i & 1]) list = q{name}[i & 1]; give(&m1);", late,
        ]  # fmt: skip

    def _conditional(self) -> list[str]:
        """A lock that depends on a condition, and an access that may depend on the same one."""
        rng, name = self._rng, self._fresh("c")
        condition = rng.choice(("i & 1", "i == 0", "i < 1", "ready", "own", "arg != 0"))
        target, lock = rng.choice((("x", "m0"), ("x", "m0"), ("y", "m1")))
        inside = self._wrong(f"if ({name}) {target}++;", f"if (!{name}) {target}++;", f"{target}++;")
        change = self._wrong("", "", f"{name} = !{name};", f"{name} = i;")
        return [
            f"int {name} = {condition};", f"if ({name}) take(&{lock});", rng.choice(("", "own++;", "if (own) own--;")),
            change, inside, self._wrong("", "", change), f"if ({name}) give(&{lock});",
        ]  # fmt: skip

    def _either(self) -> list[str]:
        """One of two locks, by a condition."""
        name, other = self._fresh("l"), self._wrong("x++;", "y++;")
        return [
            f"pthread_mutex_t *{name} = {self._rng.choice(('i & 1', 'i == 0'))} ? &m0 : &m1;", f"take({name});",
            f"if ({name} == &m0) {other} else y++;", f"give({name});",
        ]  # fmt: skip

    def _ticket(self) -> list[str]:
        ticket = self._fresh("k")
        take = self._wrong("atomic_fetch_add(&next, 1)", "next", "atomic_fetch_add(&next, 1) - 1")
        show = self._rng.choice(
            ("atomic_fetch_add(&serving, 1);", f"serving = {ticket} + 1;", "serving = serving + 1;")
        )
        return [
            f"unsigned {ticket} = {take};", f"while (serving != {self._wrong(ticket, '0')}) ;", "items[1].w++;",
            self._wrong(show, "serving = 0;", f"{show} items[1].w++;", f"{show} {show}"),
        ]  # fmt: skip

    def _specific(self) -> list[str]:
        name = self._fresh("n")
        set_ = f"pthread_setspecific(key, {self._wrong(name, '&items[2]')});"
        return [
            f"struct item *{name} = malloc(sizeof *{name}); if (!{name}) return 0;", f"{name}->v = i;", set_,
            f"struct item *s{name} = pthread_getspecific(key); s{name}->v++;",
        ]  # fmt: skip

    def _walk(self) -> list[str]:
        """Hand over hand."""
        p, q = self._fresh("p"), self._fresh("q")
        give, go = f"give(&{p}->m);", f"{p} = {q};"
        use = self._wrong(f"{q}->v++;", f"{p}->v++;", "")
        late = self._wrong("", f"{p}->v++;")
        if self._rng.random() < 0.5:
            return [
                f"struct item *{p} = &items[0]; take(&{p}->m);",
                f"while ({p}->next) {{ struct item *{q} = {p}->next; take(&{q}->m); {use} {give} {late} {go} }}",
                f"{self._wrong(give, give + late)}",
            ]
        return [
            f"struct item *{p} = &items[0]; take(&{p}->m); struct item *{q} = {p}->next; if ({q}) take(&{q}->m);",
            f"while ({q} && {q}->v < 9) {{ {give} {late} {go} {q} = {q}->next; if ({q}) take(&{q}->m); }}",
            f"{self._wrong('', f'if ({q}) {q}->v++;')} if ({q}) give(&{q}->m); {late} {give}",
        ]

    # What main does

    def _creation(self, index: str, block: str) -> list[str]:
        """Create the thread with this *index*; block: a name for its argument."""
        rng = self._rng
        job, made, argument = f"jobs[{index}].", [], "0"
        match self._argument:
            case "index":
                argument = f"(void *)(long){index}"
            case "pointer":
                made.append(f"ids[{index}] = {self._wrong(index, '0')};")
                argument = self._wrong(f"&ids[{index}]", "&ids[0]")
            case "block":
                job, argument = f"{block}->", block
                made.append(f"struct job *{block} = malloc(sizeof *{block}); if (!{block}) exit(1);")
            case "struct":
                argument = f"&jobs[{index}]"
        if self._argument in ("struct", "block"):
            made.append(f"{job}id = {index}; {job}lo = 2 * {index}; {job}hi = 2 * {index} + 2;")
            made.append(f"{job}p = {rng.choice((f'&cells[{index}]', '0', self._wrong('0', '&x')))};")
            made.append(f"{job}it = {rng.choice((f'&items[{index}]', 'shared'))};")
        made.append(f"pthread_create(&t[{index}], 0, work, {argument});")
        if rng.random() < 0.2:
            made.append(
                rng.choice(("take(&m0); x++; give(&m0);", "own++;", self._wrong("own++;", f"cells[{index}] = 3;")))
            )
        return [*made, self._wrong("", "x++;")]

    def _helper(self) -> list[str]:
        """A thread that exists only under a condition."""
        name = self._fresh("h")
        use = self._rng.choice(("if (!{0}) own = config;", "if ({0}) take(&m0); x++; if ({0}) give(&m0);",
                                "if (!{0}) config = 2;")).format(name)  # fmt: skip
        return [
            f"int {name} = {self._rng.choice(('ready', 'own', 'config', 'rand() & 1'))}; pthread_t t{name};",
            f"if ({name}) pthread_create(&t{name}, 0, help, 0);", use,
            f"if ({self._wrong(name, '!' + name, '1')}) pthread_join(t{name}, 0);", self._wrong("", "config = 4;"),
        ]  # fmt: skip

    def _main(self) -> str:
        rng, count = self._rng, self._threads
        body = [
            f"sem_init(&s0, 0, 1); sem_init(&s1, 0, 0); pthread_barrier_init(&b0, 0, {count});",
            "for (int k = 0; k < 3; k++) pthread_mutex_init(&items[k].m, 0);",
        ]
        body += [
            "pthread_key_create(&key, 0);",
            rng.choice(("items[0].next = &items[1]; items[1].next = &items[2];", "")),
        ]
        body += [f"shared = {rng.choice(('&items[0]', '&items[1]'))};", "ready = 1;"]
        body.append(f"pthread_t t[{count}]; int ids[{count}]; struct job jobs[{count}];")
        is_loop = rng.random() < 0.7
        if is_loop:
            body += [f"for (int k = 0; k < {count}; k++) {{", *self._creation("k", "b"), "}"]
        else:
            body += [line for k in range(count) for line in self._creation(str(k), f"b{k}")]
        if rng.random() < 0.3:
            between = ("take(&m0); x = 5; give(&m0);", "own = ready;", "raise_(&items[0]);",
                       "pthread_once(&once, initialise);")  # fmt: skip
            body.append(rng.choice(between))
        body.append(self._wrong("", "x = 1;", "cells[0] = 2;", "ready = 2;", "shared = &items[2];"))
        if rng.random() < 0.3:
            body += self._helper()
        is_joined = rng.random() < 0.85
        waits = {
            "post": f"for (int k = 0; k < {self._wrong(str(count), str(count - 1))}; k++) sem_wait(&s1);",
            "count": f"take(&m1); while (ended < {self._wrong(str(count), '1')}) pthread_cond_wait(&c1, &m1);"
            " give(&m1);",
            "flag": "while (!atomic_load(&done)) ;",
        }  # fmt: skip
        if self._end in waits:
            body += [waits[self._end], "cells[0] = cells[1];"]
        joined = int(self._wrong(str(count), str(count - 1)))
        if is_joined and is_loop:
            body.append(f"for (int k = 0; k < {joined}; k++) pthread_join(t[k], 0);")
        elif is_joined:
            body += [f"pthread_join(t[{k}], 0);" for k in range(joined)]
        after = ("x = x + y;", "cells[0] = cells[1];", "ready = 0;", "items[0].v = 0;", "")
        body.append(rng.choice(after) if is_joined else self._wrong("", *after))
        return f"int main(void)\n{{\n{_lines(body)}    return 0;\n}}\n"


def _lines(lines: list[str]) -> str:
    return "".join(f"    {line}\n" for line in lines if line)


def program(seed: int, number: int) -> str:
    """The text of a program."""
    return Made(random.Random(f"modular {seed}/{number}")).text()


def answer(text: str, backend: str, **more: int) -> Outcome:
    """What a backend says of data races."""
    with tempfile.TemporaryDirectory(prefix="modular-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        given: dict[str, Any] = {"backend": backend, "only": "no-data-race", **more}
        return cseq.verify(path, **given)


def disagreement(text: str, counts: Counter[str], seconds: int = 20, sample: bool = True) -> str:
    """What is wrong with the analysis; empty if nothing is. sample: whether to search what is not proved, too."""
    proved = answer(text, "modular").verdict.value
    if proved != "TRUE" and not sample:
        counts[f"modular {proved}"] += 1
        return ""
    found = answer(text, "native", timeout=seconds).verdict.value
    counts[f"modular {proved}, native {found}"] += 1
    return "wrong" if proved == "TRUE" and found == "FALSE" else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare random programs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--sample", type=int, default=10, help="search every Nth of those that are not proved")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = []
    for number in range(options.start, options.start + options.count):
        try:
            if disagreement(program(options.seed, number), counts, sample=number % options.sample == 0):
                wrong.append(number)
                print(f"wrong: {options.seed}/{number}", flush=True)
        except Exception as error:
            counts[f"{type(error).__name__}: {error}"[:100]] += 1
    for key, count in sorted(counts.items()):
        print(f"{count:6} {key}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
