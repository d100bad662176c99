"""Machines that differ do no work for one run, since their answers may differ as well."""

from dataclasses import replace

import pytest

from cseq.model.errors import UsageError
from cseq.portfolio.cluster import versions
from cseq.portfolio.cluster.comparison import compared
from cseq.portfolio.cluster.versions import MISSING, Versions, check, core, differences, installed, tools_for


def machine(**tools: str) -> Versions:
    """A machine like this one, with *tools*."""
    return replace(core(), tools=tuple(tools.items()))


def test_machines_like_this_one_have_their_engines() -> None:
    workers = {"a": machine(cbmc="6.6", cc="12", horn="1"), "b": machine(cbmc="6.6", cc="12", horn="1")}
    assert check(workers, ["cbmc", "native", "horn"], True) == {"cbmc", "native", "horn"}


@pytest.mark.parametrize(
    "other, message",
    [
        (replace(machine(cbmc="6.6"), cseq="0.1"), "the worker b has CSeq 0.1 instead of "),
        (replace(machine(cbmc="6.6"), code="0" * 12), "the worker b has CSeq's code 000000000000 instead of "),
        (replace(machine(cbmc="6.6"), python="2.7"), "the worker b has Python 2.7 instead of "),
        (replace(machine(cbmc="6.6"), packages=(("pycparser", "1"),)), "no distributed, pycparser 1 instead of "),
        (machine(cbmc="6.10"), "the worker a has cbmc 6.6 instead of 6.10"),
        (machine(cbmc=MISSING), "the worker b has no cbmc"),
        (machine(), "the worker b has no cbmc"),
    ],
)
def test_machines_that_differ_are_named(other: Versions, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        check({"a": machine(cbmc="6.6"), "b": other}, ["cbmc"], False)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_a_message_names_a_few_of_many_machines() -> None:
    workers = {f"w{number}": replace(machine(cbmc="1"), cseq="0.1") for number in range(9)}
    with pytest.raises(UsageError, match=r"the worker w3 has .*; and 5 more workers \(`cseq cluster doctor ADDRESS`"):
        check(workers, ["cbmc"], False)


def test_an_engine_that_no_machine_has() -> None:
    workers = {"a": machine(cbmc="6.6", spin=MISSING, cc="12")}
    assert check(workers, ["cbmc", "spin"], True) == {"cbmc"}  # another one may have the answer
    with pytest.raises(UsageError, match="no worker of the cluster has spin, which the backend `spin` needs"):
        check(workers, ["cbmc", "spin"], False)
    with pytest.raises(UsageError, match="no worker of the cluster has esbmc"):
        check(workers, ["esbmc"], True)


def test_what_differs_is_said_in_words() -> None:
    assert differences({"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "4"}) == ["b 4 instead of 2", "no c"]
    assert tools_for(["native", "spin", "cbmc"]) == ("cc", "spin", "cbmc")


def test_the_fingerprint_is_that_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = core().code
    versions._fingerprint.cache_clear()
    assert core().code == before
    monkeypatch.setattr(versions, "_SOURCES", versions._SOURCES - {".chain"})
    versions._fingerprint.cache_clear()
    assert core().code != before
    versions._fingerprint.cache_clear()


def test_tools_that_are_not_there_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "versions", lambda tools: {"cbmc": "6.6", "spin": None})
    installed.cache_clear()
    assert installed(("cbmc", "spin")).of(["cbmc", "spin", "cc"]) == {"cbmc": "6.6", "spin": MISSING, "cc": MISSING}
    installed.cache_clear()


def test_the_table_of_what_differs() -> None:
    same = {"a": machine(cbmc="6.6"), "b": machine(cbmc="6.6")}
    table, is_same = compared(same)
    assert is_same and "2 workers\n  a\n  b\neach has CSeq " in table and table.endswith("cbmc 6.6\n")
    table, is_same = compared({**same, "c": machine(cbmc="6.5"), "d": "has no CSeq"})
    assert not is_same
    assert table.splitlines()[-5:] == ["here", "a     6.6", "b     6.6", "c     6.5", "d has no CSeq"]
