"""A few random programs for the static check of robustness; see `robustness.py`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.differential.robustness import HEAD, disagreement, look, program, results

BUFFERING = f"""{HEAD}
void *t1(void *v) {{ STORE(x, 1, relaxed); r0 = LOAD(y, relaxed); return 0; }}
void *t2(void *v) {{ STORE(y, 1, ORDER); r1 = LOAD(x, seq_cst); return 0; }}
int main(void) {{
    pthread_t p, q; pthread_create(&p, 0, t1, 0); pthread_create(&q, 0, t2, 0); pthread_join(p, 0); pthread_join(q, 0);
    result = r0 + r1;
    return 0;
}}
"""


def test_robust_programs_have_the_same_results_under_both_models(tmp_path: Path) -> None:
    rng = random.Random(7)
    found = [disagreement(program(rng), tmp_path) for _ in range(16)]
    assert len([each for each in found if each is not None]) > 4
    assert not any(found)


def test_the_search_finds_more_of_them(tmp_path: Path) -> None:
    rng = random.Random(11)
    programs = [program(rng) for _ in range(8)]
    found = [disagreement(each, tmp_path, by_search=True) for each in programs]
    assert not any(found)
    assert sum(each is not None for each in found) > sum(look(each, tmp_path)[0] for each in programs)


def test_the_results_of_store_buffering_differ(tmp_path: Path) -> None:
    strong = BUFFERING.replace("relaxed", "seq_cst").replace("ORDER", "seq_cst")
    is_certain, text = look(strong, tmp_path)
    assert is_certain
    weak = text.replace("__cs_STORE(signed int, ((char *)(&x)), 6", "__cs_STORE(signed int, ((char *)(&x)), 1")
    assert weak != text
    assert results(text, tmp_path)["c11"] == {"1", "2"}
    found = results(weak, tmp_path)
    assert found["c11"] - found["sc"] == {"0"}
    assert not look(BUFFERING.replace("ORDER", "relaxed"), tmp_path)[0]
