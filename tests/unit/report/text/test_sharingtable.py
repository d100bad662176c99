"""The table of the shared data."""

from __future__ import annotations

from cseq.model.origin import Origin
from cseq.model.sharing import OpenPair, Protection, ProtectionKind, SharedAccess, SharedData, SharedObject
from cseq.report.page import sharedpage
from cseq.report.text import sharingtable

PUT = SharedAccess(Origin("q.c", 12, function="put"), "worker", writes=True, atomic=False, holds=("lock",))
READ = SharedAccess(Origin("q.c", 12, function="put"), "worker", writes=False, atomic=False, holds=("lock",))
LOG = SharedAccess(Origin("net.c", 88, function="log"), "main", writes=True, atomic=True)
LOCKED = Protection(ProtectionKind.LOCK, "lock", always=True)
DATA = SharedData(
    (
        SharedObject("hits", Origin("net.c", 7), "", (), (LOG, PUT), (OpenPair(LOG, PUT),)),
        SharedObject("head", Origin("q.c", 3), "main", (LOCKED,), (READ, PUT)),
        SharedObject("block of q.c:9", Origin("q.c", 9), "", (LOCKED,), (PUT,)),
    )
)


def test_each_object_with_its_accesses() -> None:
    assert list(sharingtable.lines("q", DATA)) == [
        "q: 3 objects shared and written: 2 protected, 1 with accesses that have no common lock",
        "  hits (net.c:7)",
        "    no common lock: `log()` at net.c:88 (write) holds none, `put()` at q.c:12 (write) holds `lock`",
        "      main    log()  net.c:88  writes atomically",
        "      worker  put()  q.c:12    writes             under lock",
        "  head of main (q.c:3)",
        "    always under `lock`",
        "      worker  put()  q.c:12  reads, writes  under lock",
        "  block of q.c:9",
        "    always under `lock`",
        "      worker  put()  q.c:12  writes  under lock",
        "the reasons hold for any number of threads, iterations and calls",
    ]


def test_nothing_is_known() -> None:
    assert list(sharingtable.lines("q", SharedData(unfollowed="`f` is not followed"))) == [
        "q: nothing is known of the shared data: `f` is not followed"
    ]
    assert list(sharingtable.lines("q", SharedData())) == ["q: 0 objects shared and written: 0 protected"]


def test_the_page_has_all_of_it_as_text() -> None:
    named = SharedObject("<b>", Origin("q.c", 1), "", (LOCKED,), (PUT,))
    page = sharedpage.render([("q", SharedData((named, *DATA.objects)), ""), ("r", None, "failed")], ["cseq", "check"])
    assert "&lt;b&gt; (q.c:1)" in page and "<b>" not in page
    assert page.count('<tr class="left">') == 1 and page.count('<tr class="safe">') == 3
    assert "always under `lock`" in page and "failed" in page
