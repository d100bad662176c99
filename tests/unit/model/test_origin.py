"""Line maps: lookup, shifting, composition; and the stamps that a line-map table is made from."""

from cseq.model.origin import CallSite, LineMap, Origin
from cseq.pipeline.stage import Unit

FIRST, SECOND = Origin("a.c", 3), Origin("a.c", 7, function="main")


def test_lines_count_from_one():
    linemap = LineMap([FIRST, None, SECOND])
    assert [linemap[line] for line in range(5)] == [None, FIRST, None, SECOND, None]
    assert list(linemap) == [FIRST, None, SECOND]
    assert len(linemap) == 3


def test_a_line_outside_of_the_text_has_no_origin():
    linemap = LineMap([FIRST])
    assert linemap[-1] is None
    assert linemap[2] is None


def test_lines_of_our_own_put_in_front_have_no_origin():
    linemap = LineMap([FIRST, SECOND]).shifted(2)
    assert list(linemap) == [None, None, FIRST, SECOND]


def test_maps_compose():
    earlier = LineMap([FIRST, None, SECOND])
    later = LineMap([Origin("", 3), None, Origin("", 1), Origin("", 2), Origin("", 9)])
    assert list(earlier.then(later)) == [SECOND, None, FIRST, None, None]


def test_a_map_does_not_see_what_happens_to_the_list_that_it_was_made_from():
    origins = [FIRST]
    linemap = LineMap(origins)
    origins.append(SECOND)
    assert len(linemap) == 1


def test_an_origin_reads_like_a_place_in_an_editor():
    call = CallSite("main", "a.c", 20)
    assert str(Origin("dir/a.c", 12, 3, "f", (call,), (1, 2))) == "dir/a.c:12"


def test_stamping_notes_the_line_in_each_stage_s_text():
    unit = Unit(text="int x;\n\nint y;\n", linemap=LineMap([FIRST, None, SECOND]))
    once = unit.stamped()
    twice = once.stamped()
    assert [origin.stages for origin in once.linemap] == [(1,), (2,), (3,)]
    assert [origin.stages for origin in twice.linemap] == [(1, 1), (2, 2), (3, 3)]
    assert twice.linemap[3]._replace(stages=()) == SECOND
    assert [node.coord.stages for node in once.tree.ext] == [(1,), (3,)]
