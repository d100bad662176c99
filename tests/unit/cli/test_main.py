"""What the command line does around a run: errors in one line, the chain that is asked for, no garbage collection."""

import gc

import pytest

from cseq.cli.faults import explained
from cseq.cli.main import chosen_chain
from cseq.model.errors import InputError, UsageError
from cseq.model.origin import Origin
from cseq.portfolio.collection import without_collection


@pytest.mark.parametrize(
    "error, line, status",
    [
        (UsageError("no input file"), "cseq: error: no input file", 2),
        (InputError("`x` is not declared", Origin("a.c", 3)), "a.c:3: error: `x` is not declared", 2),
        (KeyboardInterrupt(), "cseq: interrupted", 130),
        (RecursionError(), "cseq: error: the program is nested too deeply", 3),
        (MemoryError(), "cseq: error: out of memory", 3),
    ],
)
def test_an_error_is_one_line_and_a_status(error: BaseException, line: str, status: int) -> None:
    assert explained(error) == (line, status)


@pytest.mark.parametrize(
    "words, chain",
    [
        (["a.c"], None),
        (["--chain", "lazy", "a.c"], "lazy"),
        (["a.c", "--chain=my.chain"], "my.chain"),
        (["--chain", "one", "--chain", "two"], "two"),
        (["--", "--chain", "lazy"], None),
        (["a.c", "--chain"], None),
    ],
)
def test_the_chain_is_known_before_the_options(words: list[str], chain: str | None) -> None:
    assert chosen_chain(words) == chain


def test_no_garbage_is_looked_for_in_a_run() -> None:
    assert gc.isenabled()
    with pytest.raises(UsageError), without_collection():
        assert not gc.isenabled()
        raise UsageError("whatever happens")
    assert gc.isenabled()


def test_whoever_has_turned_the_collection_off_finds_it_off() -> None:
    gc.disable()
    try:
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
