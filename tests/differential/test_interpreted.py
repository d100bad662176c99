"""The interpreter of the intermediate representation agrees with two oracles that do not share its front end.

They are the reference, on random programs (see interpreted.py), and what conformance programs say of themselves.
"""

import random
from collections import Counter

import pytest

from tests.differential import explicit, fuzz
from tests.differential.interpreted import disagreement, interpreted, translated
from tests.programs.matrix import programs

AREAS = ("threads", "c11", "gnu", "language", "library")
LEFT_OUT = {
    "threads/threads_bound",  # what is wrong is behind --threads
    "library/argv",  # the interpreter gives no arguments
    "library/isdigit",  # it takes an input that is no constant of the program
}
CONFORMANCE = [
    each
    for each in programs()
    if each.area in AREAS and each.refused is None and not each.text and each.name not in LEFT_OUT
][::12]


@pytest.mark.parametrize("seed", [3, 4])
def test_random_programs_do_what_the_reference_says(seed, tmp_path):
    counts: Counter[str] = Counter()
    for number, program in fuzz.programs(seed, 12, 0, 4):
        for test, expected in explicit.tests_of(program, random.Random(f"{seed}/{number}"), counts):
            assert disagreement(test, expected, tmp_path, counts) == ""
    assert counts["safe"] >= 4 and counts["violated"] >= 4, counts


@pytest.mark.parametrize("program", CONFORMANCE, ids=lambda program: program.name)
def test_the_bug_of_a_conformance_program_is_found_and_nothing_in_its_twin(program, tmp_path):
    buggy = interpreted(translated(program.path, tmp_path, unwind=4, define=("BUG",)), limit=2000)
    assert buggy.violations
    assert interpreted(translated(program.path, tmp_path, unwind=4), limit=2000).violations == {}
