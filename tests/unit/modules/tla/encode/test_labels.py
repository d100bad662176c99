"""Labels of statements and names of operators."""

from cseq.model.origin import FILE_PREFIX, CallSite, Origin
from cseq.modules.tla.encode.labels import Labels, places
from cseq.modules.tla.encode.locations import Point


def named(*origins: Origin | None, start: str = "worker") -> list[tuple[str, str]]:
    points = [Point(None, origin) for origin in origins]
    labels = Labels(lambda name: name)
    labels.add(start, points, Origin("x.c", 1, 0, start))
    return [(labels.label(point), labels.operator(point)) for point in points]


def at(line: int, function: str = "worker", *path: CallSite, file: str = "dir/x.c") -> Origin:
    return Origin(file, line, 3, function, path)


def test_a_label_says_where_the_user_wrote_the_statement():
    assert named(at(17)) == [("x.c:17 in worker", "worker_17")]


def test_statements_of_a_line_are_numbered():
    assert named(at(17), at(18), at(17)) == [
        ("x.c:17 in worker", "worker_17"),
        ("x.c:18 in worker", "worker_18"),
        ("x.c:17.2 in worker", "worker_17_2"),
    ]


def test_inlined_statements_are_told_apart_by_their_calls():
    once, again = CallSite("worker", "dir/x.c", 17), CallSite("worker", "dir/x.c", 18)
    inner = CallSite("add", "y.c", 8)
    assert named(at(8, "add", once), at(8, "add", again), at(3, "put", again, inner, file="y.c")) == [
        ("x.c:8 in add from 17 in worker", "worker_17_add_8"),
        ("x.c:8 in add from 18 in worker", "worker_18_add_8"),
        ("y.c:3 in put from 8 in add from x.c:18 in worker", "worker_18_add_8_put_3"),
    ]


def test_a_statement_of_the_library_is_where_it_is_called():
    ours = at(40, "pthread_cond_wait", CallSite("worker", "dir/x.c", 9), file=FILE_PREFIX + "cond.c")
    assert named(at(9), ours) == [("x.c:9 in worker", "worker_9"), ("x.c:9.2 in worker", "worker_9_2")]


def test_a_statement_without_a_place_has_that_of_its_neighbour():
    found = places([Point(None, None), Point(None, at(5)), Point(None, None)])
    assert [place and place.line for place in found] == [5, 5, 5]
    assert named(None) == [("x.c:1 in worker", "worker_1")]


def test_labels_are_strings_of_tla_and_operators_are_identifiers():
    assert named(Origin('a"$b\u00e9.c', 2, 0, "f$g"), start="f$g") == [("a_$b_.c:2 in f$g", "f_g_2")]
