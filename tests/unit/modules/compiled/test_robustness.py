"""Which programs with atomics weaker than seq_cst have no other executions than their schedules: litmus programs."""

import os
import random
import time
from pathlib import Path

import pytest

from cseq.model.claims import Limit
from cseq.model.verdict import Binary, Verdict
from cseq.modules.compiled.client.record import RequestFlag, ResultRecord, Strategy
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.exploration import Exploration
from cseq.modules.compiled.reduction import Reduction
from cseq.modules.compiled.schedule_search import Settings
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

SEED = int(os.environ.get("CSEQ_TEST_SEED", "1"))
PROGRAMS = int(os.environ.get("CSEQ_TEST_PROGRAMS", "16"))
RUNS = 150

THREADS = """
#include <pthread.h>
#include <stdatomic.h>

#define ORDER(call) \\
    switch (word[2]) { \\
    case 'r': call(memory_order_relaxed); break; \\
    case 'a': call(memory_order_acquire); break; \\
    case 'l': call(memory_order_release); break; \\
    case 'b': call(memory_order_acq_rel); break; \\
    case 's': call(memory_order_seq_cst); break; \\
    }
#define LOAD(order) seen = __atomic_load_n(place, order)
#define STORE(order) __atomic_store_n(place, 1 + word[3] - '1', order)
#define ADD(order) seen = __atomic_fetch_add(place, 1, order)
#define EXCHANGE(order) seen = __atomic_exchange_n(place, 5, order)
#define FENCE(order) __atomic_thread_fence(order)
#define SUCCEED(order) __atomic_compare_exchange_n(place, &none, 7, 0, order, __ATOMIC_RELAXED)

static int places[8];
static unsigned seen_by[8];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Each argument is the program of a thread: words of four letters. What is done, at which place, with which order; a
 * store's value. With `?` for what is done, the thread ends here if it has read 0; L and U lock and unlock. The
 * number of the thread comes first. The exit status is made of what was read, and the last values. */
static void *interpret(void *text) {
    int seen = 0, none = 0;
    unsigned *all = &seen_by[(*(char *)text) & 7];
    text = (char *)text + 1;
    for (const char *word = text; *word != 0; word += 4) {
        int *place = &places[word[1] - 'w'];
        switch (word[0]) {
        case 'R': ORDER(LOAD) break;
        case 'W': ORDER(STORE) break;
        case 'A': ORDER(ADD) break;
        case 'X': ORDER(EXCHANGE) break;
        case 'F': ORDER(FENCE) break;
        case 'C': ORDER(SUCCEED) break;
        case 'L': pthread_mutex_lock(&lock); break;
        case 'U': pthread_mutex_unlock(&lock); break;
        case '?': if (seen == 0) return 0;
        }
        *all = *all * 11 + (unsigned)seen;
    }
    return 0;
}

int main(int count, char **arguments) {
    pthread_t threads[8];
    unsigned all = 0;
    for (int n = 1; n < count; n++) pthread_create(&threads[n], 0, interpret, arguments[n]);
    for (int n = 1; n < count; n++) pthread_join(threads[n], 0);
    for (int n = 0; n < 8; n++) all = all * 31 + seen_by[n] + (unsigned)places[n];
    return (int)(all % 251);
}
"""

# Programs with an outcome that C11 allows and no schedule has: never TRUE.
WEAK = {
    "SB, relaxed": "Wxr1 Ryr. | Wyr1 Rxr.",
    "SB, release and acquire": "Wxl1 Rya. | Wyl1 Rxa.",
    "SB, one thread seq_cst": "Wxs1 Rys. | Wyl1 Rxa.",
    "SB, one store weaker": "Wxs1 Rys. | Wyl1 Rxs.",
    "SB, one fence": "Wxr1 F.s. Ryr. | Wyr1 Rxr.",
    "SB, read-modify-writes elsewhere": "Wxr1 Azb. Ryr. | Wyr1 Awb. Rxr.",
    "SB, writes that read": "Axb. Rya. | Ayb. Rxa.",
    "MP, relaxed": "Wxr1 Wyr1 | Ryr. Rxr.",
    "MP, release only": "Wxr1 Wyl1 | Ryr. Rxr.",
    "MP, acquire only": "Wxr1 Wyr1 | Rya. Rxr.",
    "MP, only if seen": "Wxr1 Wyr1 | Ryr. ?... Rxr.",
    "MP, release sequence broken": "Wxr1 Wyl1 | Ryr. ?... Wyr2 | Rya. Rxr.",
    "MP, seq_cst data": "Wxs1 Wyr1 | Ryr. Rxs.",
    "LB, relaxed": "Rxr. Wyr1 | Ryr. Wxr1",
    "LB, acquire and relaxed": "Rxa. Wyr1 | Rya. Wxr1",
    "LB, release and relaxed": "Rxr. Wyl1 | Ryr. Wxl1",
    "LB of three": "Rxr. Wyr1 | Ryr. Wzr1 | Rzr. Wxr1",
    "LB, writes that read": "Rxr. Ayr. | Ryr. Axr.",
    "2+2W, relaxed": "Wxr1 Wyr2 | Wyr1 Wxr2",
    "2+2W, release": "Wxl1 Wyl2 | Wyl1 Wxl2",
    "2+2W, one seq_cst": "Wxs1 Wys2 | Wyr1 Wxr2",
    "IRIW, relaxed": "Wxr1 | Wyr1 | Rxr. Ryr. | Ryr. Rxr.",
    "IRIW, acquire": "Wxl1 | Wyl1 | Rxa. Rya. | Rya. Rxa.",
    "R, relaxed": "Wxr1 Wyr1 | Wyr2 Rxr.",
    "R, release and acquire": "Wxl1 Wyl1 | Wyl2 Rxa.",
    "S, relaxed": "Wxr2 Wyr1 | Ryr. Wxr1",
    "S, acquire only": "Wxr2 Wyr1 | Rya. Wxr1",
    "WRC, relaxed": "Wxr1 | Rxr. Wyr1 | Ryr. Rxr.",
    "WRC, first read relaxed": "Wxl1 | Rxr. Wyl1 | Rya. Rxa.",
    "ISA2, middle relaxed": "Wxr1 Wyl1 | Ryr. Wzl1 | Rza. Rxr.",
    "RWC, acquire": "Wxl1 | Rxa. Rya. | Wyl1 Rxa.",
    "Z6, release and acquire": "Wxl1 Wyl1 | Wyl2 Wzl1 | Rza. Rxa.",
    "more stores than are kept": "Wxr1" + " Wxr2" * 9 + " Wyr1 | Ryr. Rxr.",
    "an exchange before a store": "Wxr1 Wyr1 | Ryr. Xxr.",
    "a compare-exchange that could fail": "Azr. Wxr1 Wyr1 | Ryr. Czr.",
    "a fence without a release": "Wxr1 Wyr1 | Ryr. F.a. Rxr.",
    "a lock beside it": "Wxr1 Wyr1 L... U... | Ryr. Rxr. L... U...",
}

# Programs that have no such outcome, and for which that is seen.
STRONG = {
    "one place": "Wxr1 | Rxr. Rxr.",
    "one place, two stores": "Wxr1 Rxr. | Wxr2 Rxr.",
    "counters": "Axr. Axr. | Axr. Axr. | Rxr.",
    "two counters without a circle": "Axr. Ayr. | Axr. Ayr.",
    "MP, release and acquire": "Wxr1 Wyl1 | Rya. ?... Rxr.",
    "MP, release and acquire, not asked": "Wxr1 Wyl1 | Rya. Rxr.",
    "MP, fences": "Wxr1 F.l. Wyr1 | Ryr. F.a. Rxr.",
    "MP, release sequence": "Wxr1 Wyl1 | Ayr. | Rya. ?... Rxr.",
    "LB, release and acquire": "Rxa. Wyl1 | Rya. Wxl1",
    "S, release and acquire": "Wxr2 Wyl1 | Rya. Wxr1",
    "WRC, release and acquire": "Wxl1 | Rxa. Wyl1 | Rya. Rxa.",
    "ISA2, release and acquire": "Wxr1 Wyl1 | Rya. Wzl1 | Rza. Rxr.",
    "under a lock": "L... Wxr1 Ryr. U... | L... Wyr1 Rxr. U...",
    "SB, seq_cst, and a counter": "Wxs1 Rys. Azr. | Wys1 Rxs. Azr.",
    "IRIW, seq_cst, and a counter": "Wxs1 Azr. | Wys1 | Rxs. Rys. | Rys. Rxs.",
    "2+2W, seq_cst, and a counter": "Wxs1 Wys2 Azr. | Wys1 Wxs2 Azr.",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(THREADS, tmp_path_factory.mktemp("robustness"), "-O1", "-w")


def explored(program: Path, text: str) -> tuple[Verdict, list[Limit]]:
    """The verdict of an exhaustive search, and what it depends on."""
    with Server(command(program, text)) as server:
        settings = Settings(end=time.monotonic() + 300, status=None)
        outcome = Exploration([server], settings, Binary(str(program))).exhaust().outcome
    return outcome.verdict, [bound.cut.limit for bound in outcome.bounds]


def command(program: Path, text: str) -> list[str]:
    return [str(program), *(f"{n}{each.replace(' ', '')}" for n, each in enumerate(text.split("|")))]


def invented(chance: random.Random) -> str:
    """A program of two or three threads that use two places in turn."""
    orders = {"R": "raas", "W": "rlls", "A": "ralb", "F": "alb"}
    threads = []
    for _ in range(chance.choice((2, 2, 3))):
        words, place = [], chance.choice("xy")
        for _ in range(chance.choice((2, 2, 3))):
            kind = chance.choice("RRRWWWAF")
            words.append(f"{kind}{place}{chance.choice(orders[kind])}{chance.randint(1, 2)}")
            place = "yx"[place == "y"]
        threads.append(" ".join(words))
    return " | ".join(threads)


def test_what_is_proved_has_no_other_outcome_with_older_values(program: Path) -> None:
    chance, proved = random.Random(SEED), 0
    for _ in range(PROGRAMS):
        text = invented(chance)
        outcomes: set[int] = set()

        def is_bad(result: ResultRecord, outcomes: set[int] = outcomes) -> bool:
            outcomes.add(result.detail)
            return False

        if explored(program, text)[0] is not Verdict.TRUE:
            continue
        proved += 1
        with Server(command(program, text)) as server:
            assert Reduction(server, RunBatch(), is_bad).go().complete
            for seed in range(RUNS):
                strategy = (Strategy.WALK, Strategy.POS)[seed % 2]
                result = server.run(RunBatch(1, strategy, seed=seed, flags=RequestFlag.WEAK, status=None))
                assert result.detail in outcomes, text
    assert proved > PROGRAMS // 8


def test_no_program_with_an_outcome_that_no_schedule_has_is_proved(program: Path) -> None:
    found = {name: explored(program, text) for name, text in WEAK.items()}
    unknown = (Verdict.UNKNOWN, [Limit.WORLD_MEMORY])
    assert {name: each for name, each in found.items() if each != unknown} == {}


def test_what_is_synchronised_or_of_one_place_is_proved(program: Path) -> None:
    found = {name: explored(program, text) for name, text in STRONG.items()}
    assert {name: each for name, each in found.items() if each[0] is not Verdict.TRUE} == {}
