"""What threads may still touch is known at each place, and threads that disturb nobody go on alone."""

import re
from pathlib import Path

import pytest

from tests.unit.modules.explicit.encode.stepper.test_stepper import stepped, written

PRELUDE = "#include <pthread.h>\nint x, y, z, *p, a[3]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"


def touched(folder: Path, work: str, main: str = "") -> list[tuple[set[str], set[str]]]:
    """The names of what the thread that executes *work* may still read, and write, at each of its places."""
    text = f"""{PRELUDE}
        void *work(void *arg) {{ {work} return 0; }}
        int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); {main} x = y = z = a[1]; p++; return 0; }}
        """
    code = stepped(written(folder, text))
    (table,) = re.findall(r"__CSEQ_touchables\[\] = {(.*)};", code)
    names = re.findall(r"&([\w.]+)", table)

    def row(kind: str) -> list[set[str]]:
        (numbers,) = re.findall(rf"__CSEQ_may_{kind}\[\] = {{(.*)}};", code)
        return [
            {name for bit, name in enumerate([*names[:62], *[""] * (63 - len(names)), "REST"]) if value >> bit & 1}
            for value in (int(number.strip().removesuffix("ULL"), 0) for number in numbers.split(","))
        ]

    entry = int(re.findall(r"__cs_entry_of_work = (\d+)", code)[0])
    mine = {"x", "y", "z", "p", "a", "m", "REST"}
    return [(r & mine, w & mine) for r, w in zip(row("read"), row("write"), strict=True)][entry:]


def test_what_lies_behind_is_not_touched_any_more(tmp_path: Path) -> None:
    places = touched(tmp_path, "x = 1; int v = y; z = v;")
    assert places[0] == ({"y"}, {"x", "z"})
    assert ({"y"}, {"z"}) in places
    assert places[-1] == (set(), set())


def test_a_loop_touches_all_that_is_in_it_again(tmp_path: Path) -> None:
    places = touched(tmp_path, "while (y) { x = 1; z = 2; }")
    assert all(place == ({"y"}, {"x", "z"}) for place in places[:3])


def test_a_pointer_may_lead_to_what_has_its_address_taken(tmp_path: Path) -> None:
    assert touched(tmp_path, "*p = 1;")[0] == ({"p"}, {"REST"})
    assert touched(tmp_path, "*p = 1;", "p = &x;")[0] == ({"p"}, {"x", "REST"})
    assert touched(tmp_path, "*p = 1;", "p = a;")[0] == ({"p"}, {"a", "REST"})


def test_locking_a_mutex_does_not_give_its_address_away(tmp_path: Path) -> None:
    reads, writes = touched(tmp_path, "pthread_mutex_lock(&m); *p = 1; pthread_mutex_unlock(&m);")[0]
    assert "m" in reads
    assert "REST" in writes
    last = touched(tmp_path, "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); *p = 1;")[-2]
    assert last in ((set(), {"REST"}), ({"p"}, {"REST"}))


@pytest.mark.parametrize(("how", "is_taken"), [("&a[1]", True), ("a[1] + 1", False), ("sizeof a + 0", False)])
def test_an_address_is_taken(tmp_path: Path, how: str, is_taken: bool) -> None:
    _, writes = touched(tmp_path, f"long v = (long)({how}); *p = (int)v;")[0]
    assert ("a" in writes) == is_taken
