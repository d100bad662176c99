"""What is known of the shared data after a search for data races."""

from __future__ import annotations

from dataclasses import replace

from cseq.cli.projects.shared_data import races, with_search
from cseq.model import trace as tr
from cseq.model.claims import Claim, Kind
from cseq.model.origin import Origin
from cseq.model.sharing import OpenPair, Protection, ProtectionKind, SharedAccess, SharedData, SharedObject
from cseq.model.verdict import Caution, Outcome, Property, Reason, Verdict

ONE = SharedAccess(Origin("a.c", 3, function="f"), "f", writes=True, atomic=False)
OTHER = SharedAccess(Origin("a.c", 4, function="g"), "g", writes=False, atomic=False)
LOCKED = Protection(ProtectionKind.LOCK, "m")
DATA = SharedData(
    (
        SharedObject("x", Origin("a.c", 1), "", (), (ONE, OTHER), (OpenPair(ONE, OTHER), OpenPair(ONE, ONE))),
        SharedObject("y", Origin("a.c", 2), "", (LOCKED,), (ONE,)),
    )
)
ANALYSED = Outcome(Verdict.UNKNOWN, Reason.UNPROVED, "nothing is known of `x`", sharing=DATA)


def race(*lines: int) -> Property:
    thread = tr.Thread(1, "f")
    one, other = (tr.Racing(thread, Origin("a.c", line, 5, "f"), tr.RaceKind.WRITE, "x") for line in lines)
    return Property(Claim(Kind.RACE), one.origin, account=tr.Race((one, other)))


def test_a_race_is_marked_at_its_places() -> None:
    searched = Outcome(Verdict.FALSE, violated=race(4, 3), others=[race(3, 9)])
    assert races(searched) == [(("a.c", 4), ("a.c", 3)), (("a.c", 3), ("a.c", 9))]
    found = with_search(ANALYSED, searched)
    assert found.verdict is Verdict.FALSE and found.sharing is not None
    x, y = found.sharing.objects
    assert [pair.race for pair in x.open] == [True, False]
    assert y == DATA.objects[1]
    assert found.exit_status == 1


def test_a_proof_is_the_reason_for_what_is_left_over() -> None:
    found = with_search(ANALYSED, Outcome(Verdict.TRUE, backend="native"))
    assert found.sharing is not None and not found.sharing.left
    assert found.sharing.objects[0].protections == (Protection(ProtectionKind.SEARCHED, always=True),)
    assert found.sharing.objects[1] == DATA.objects[1]
    strengthened = Outcome(Verdict.TRUE, warnings=[Caution("relaxed is seq_cst", strengthens=True)])
    assert with_search(ANALYSED, strengthened).sharing == DATA


def test_no_violation_within_bounds_leaves_it_open() -> None:
    for reason in (Reason.BOUNDED, Reason.UNWINDING, Reason.TIMEOUT):
        found = with_search(ANALYSED, Outcome(Verdict.UNKNOWN, reason))
        assert (found.exit_status, found.message, found.sharing) == (3, ANALYSED.message, DATA)


def test_what_is_not_followed_is_said() -> None:
    analysed = replace(ANALYSED, sharing=None, message="a.c:3: `f` is not followed")
    found = with_search(analysed, Outcome(Verdict.TRUE))
    assert found.sharing == SharedData(unfollowed="a.c:3: `f` is not followed")
