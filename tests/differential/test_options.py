"""A few of the commands that `python -m tests.differential.options` tries, and that it would notice what is wrong."""

import pytest

from cseq.portfolio.families import Families
from tests.differential import options
from tests.differential.options import PROGRAMS, Option, commands, judged, run

SAMPLE = [
    ("assertion", "ltl", "--ltl=G true"),
    ("assertion", "prop", "--prop=p=1 / x", "--ltl=G p"),
    ("inputs", "nondet_range", "--nondet-range=5..1"),
    ("alone", "define", "-Dfirst=2"),
    ("alone", "memlimit", "--memlimit=1"),
    ("heap", "heap", "--heap=1"),
]


def test_every_option_of_every_chain_is_tried() -> None:
    tried = {option.name for option in options.options()}
    assert {each.name for each in Families().parameters().values() if each.options} <= tried
    assert {"json", "witness", "keep", "bits"} <= tried
    assert options.VALUES.keys() - tried == set()


def test_the_same_seed_makes_the_same_pairs() -> None:
    assert list(commands(3, 20)) == list(commands(3, 20)) != list(commands(4, 20))
    assert len(list(commands(1, None))) == len(options.options()) * len(PROGRAMS)


@pytest.mark.parametrize(
    "status, out, err, wrong",
    [
        (0, "TRUE: no violation\n", "", ""),
        (2, "", "cseq: error: no\n", ""),
        (2, "", "unreach-call: FALSE: a is violated\ncseq: error: no\n", ""),
        (2, "", "unreach-call: FALSE: a is violated\n", "exit status 2 with 0 lines"),
        (2, "", "cseq: error: no\nmore\n", "exit status 2 with 2 lines"),
        (2, "", "", "exit status 2 with 0 lines"),
        (-11, "", "", "exit status -11"),
        (1, "", "Traceback (most recent call last):\n", "says `Traceback`"),
        (3, "", "cseq: error: the backend `spin` failed: pan says nothing\n", "says `failed`"),
        (0, "TRUE: no violation\n", "warning: native: the explorer does not compile\n", "says `does not compile`"),
    ],
)
def test_what_is_wrong_is_noticed(status: int, out: str, err: str, wrong: str) -> None:
    assert judged(status, out, err) == wrong


@pytest.mark.parametrize("program, name, words", [(each[0], each[1], each[2:]) for each in SAMPLE])
def test_legal_options_get_an_answer_and_others_one_line(program: str, name: str, words: tuple[str, ...]) -> None:
    wrong, said, status = run(program, [Option(name, words)])
    assert wrong == "", said
    assert status in (0, 1, 2, 3)
