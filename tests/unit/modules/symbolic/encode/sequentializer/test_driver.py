"""The driver of a tile: a smaller program, whose schedules are a part of all."""

import re

import pytest

from cseq.backends.klee import BACKEND as KLEE
from cseq.model.verdict import Bound
from cseq.modules.symbolic.encode.facts import BOUNDS
from cseq.modules.symbolic.encode.instrumenter import instrumented
from cseq.report.words import bound_text
from tests.support.stages import TWO

LOST = """
    int x; pthread_t t, u;
    void *inc(void *arg) { int seen = x; x = seen + 1; return 0; }
    int main(void) {
        pthread_create(&t, 0, inc, 0); pthread_create(&u, 0, inc, 0);
        pthread_join(t, 0); pthread_join(u, 0);
        assert(x == 2); assert(x == 1); assert(x < 3);
        return 0;
    }
"""


def driver(text: str) -> str:
    return text[text.index("int main(void)\n") :]


def test_a_context_without_steps_is_left_out(sequentialized):
    counts = []
    for number in range(16):
        unit, _ = sequentialized(TWO, rounds=2, tile=f"{number}/16")
        counts.append(len(re.findall(r"^ +(?:inc__cs1|main__cs0)\(\);", driver(unit.text), re.MULTILINE)))
    assert min(counts) < max(counts) == 5


def test_an_empty_tile_has_no_executions(sequentialized):
    unit, _ = sequentialized("int main(void) { return 0; }", tile="3/4")
    assert driver(unit.text) == "int main(void)\n{\n  __CSEQ_assume(0);\n  return 0;\n}\n"


def test_the_part_is_a_bound(sequentialized):
    _, facts = sequentialized(TWO, rounds=9, tile="5/8")
    (bound,) = facts[BOUNDS]
    assert isinstance(bound, Bound)
    assert (bound.kind, bound_text(bound)) == ("tile", "part 5/8 of the schedules (--tile)")


def test_the_only_part_is_everything(sequentialized):
    whole, _ = sequentialized(TWO, rounds=9)
    part, facts = sequentialized(TWO, rounds=9, tile="0/1")
    assert part.text == whole.text
    assert facts[BOUNDS] == []


@pytest.mark.parametrize("parts", [2, 4, 16])
def test_the_tiles_together_have_all_executions(fails, parts):
    found = [fails(LOST, tile=f"{number}/{parts}") for number in range(parts)]
    assert set.union(*found) == fails(LOST) == {"x == 2", "x == 1"}
    assert any(each != found[0] for each in found)


def test_klee_decides_at_each_label_whether_the_context_ends(sequentialized):
    kinds = set()
    for number in range(8):
        unit, _ = sequentialized(TWO, rounds=2, tile=f"{number}/8")
        text = driver(instrumented(unit, KLEE.dialect).text)
        assert "__CSEQ_nondet_bits" not in text
        kinds |= set(re.findall(r"__cs_cs_\d+ = (\w+)", text))
    assert kinds == {"__cs_guess", *(kind for kind in kinds if kind.isdigit())} != {"__cs_guess"}
