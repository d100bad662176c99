"""The line-map table, on units made by hand."""

from textwrap import dedent

from cseq.model.origin import LineMap, Origin
from cseq.pipeline.stage import Unit
from cseq.report.text import linemaptable


def test_a_row_per_line_and_a_column_per_stage() -> None:
    origins = [
        None,  # made up by the last stage
        Origin("", 0, stages=(4,)),  # made up by the one before it
        Origin("input.c", 12, stages=(2, 5)),
    ]
    unit = Unit(text="one;\ntwo;\nthree;\n", linemap=LineMap(origins))
    assert linemaptable.render(unit, ["merger", "unroller", "instrumenter"]) == dedent("""\
        instrumenter  unroller  merger  source
                   1         -       -  -
                   2         4       -  -
                   3         5       2  input.c:12
        """)


def test_the_chain_of_stamps() -> None:
    first = Unit(text="int x;\nint y;\n", linemap=LineMap([Origin("a.c", 7), None]))
    last = Unit(tree=first.stamped().tree)
    rows = linemaptable.render(last, ["merger", "normalise"]).splitlines()[1:]
    assert [row.split() for row in rows] == [["1", "1", "a.c:7"], ["2", "2", "-"]]
