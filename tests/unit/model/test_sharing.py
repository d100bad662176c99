"""What is left over of the shared data."""

from cseq.model.origin import Origin
from cseq.model.sharing import OpenPair, Protection, ProtectionKind, SharedAccess, SharedData, SharedObject


def test_the_objects_with_a_pair_that_has_no_reason_are_left() -> None:
    write = SharedAccess(Origin("a.c", 3), "work", True, False)
    locked = SharedObject("x", None, "", (Protection(ProtectionKind.LOCK, "m", always=True),), (write,))
    bare = SharedObject("y", None, "", (), (write,), (OpenPair(write, write),))
    assert SharedData((locked, bare)).left == (bare,)
    assert SharedData((locked,)).left == ()
