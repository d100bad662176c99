"""Witnesses of violations: what real ones say, and the forms in which values and places are written."""

import os
from pathlib import Path

import pytest

from cseq.backends.witnesses import Witness, find, read

RECORDED = Path(__file__).parent / "recorded" / "witnesses"
PROGRAM = (RECORDED / "program.c").read_text().splitlines()
LARGE = (22, (1 << 64) - 5_000_000_000)


@pytest.mark.parametrize(
    "name, witness",
    [
        ("esbmc-8.4.yml", Witness(2, [(16, 200), (9, 4), (9, 7), LARGE])),
        ("esbmc-8.4.graphml", Witness(2, [(16, 200), (9, 4), (9, 7), LARGE])),
        ("cbmc-6.6.graphml", Witness(25, [(16, 200), (18, 0), (9, 4), (9, 4), LARGE])),
        ("cbmc-5.12.graphml", Witness(25, [(16, 200), (18, 0), LARGE])),
    ],
)
def test_what_verifiers_wrote(name: str, witness: Witness) -> None:
    assert read(RECORDED / name, PROGRAM) == witness


CHOICES = """\
x = __VERIFIER_nondet_int();
f = __VERIFIER_nondet_float();
d = __VERIFIER_nondet_double();
y = x;
if (!(x)) reach_error(); /* x */
"""

WAYPOINT = """\
- entry_type: "violation_sequence"
  content:
  - segment:
    - waypoint:
        type: function_return
        action: {action}
        location:
          file_name: program.c
          line: {line}
          column: 5
        constraint:
          format: c_expression
          value: {value}
  - segment:
    - waypoint:
        action: follow
        type: target
        location: # where it ends
          line: 5
"""


def written(folder: Path, text: str) -> Witness:
    path = folder / "witness"
    path.write_text(text)
    return read(path, CHOICES.splitlines())


@pytest.mark.parametrize(
    "line, value, bits",
    [
        (1, r'"\\result == 7"', 7),
        (1, r"'\result == -7'", (1 << 64) - 7),
        (1, r"(\result == (7))", 7),
        (1, r"\result == 0x1fU", 31),
        (1, r"(int) \result == (int) 7L # the seventh", 7),
        (1, r"\result==true", 1),
        (2, r"\result == 1.0f", 0x3F800000),
        (3, r"\result == -2.5e-1", 0xBFD0000000000000),
        (3, r"\result == 0x1.8p1", 0x4008000000000000),
    ],
)
def test_values_of_a_waypoint(tmp_path: Path, line: int, value: str, bits: int) -> None:
    assert written(tmp_path, WAYPOINT.format(action="follow", line=line, value=value)) == Witness(5, [(line, bits)])


@pytest.mark.parametrize(
    "action, line, value",
    [
        ("follow", 4, r"\result == 7"),  # nothing is chosen in that line
        ("follow", 9, r"\result == 7"),
        ("follow", 1, r"\result > 7"),
        ("follow", 1, r"y == 7"),
        ("follow", 1, r"\result == 7.5"),
        ("avoid", 1, r"\result == 7"),
    ],
)
def test_waypoints_that_tell_no_value(tmp_path: Path, action: str, line: int, value: str) -> None:
    assert written(tmp_path, WAYPOINT.format(action=action, line=line, value=value)) == Witness(5)


GRAPH = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<node id="a"><data key="entry">true</data></node><node id="b"/><node id="c"><data key="violation">true</data></node>
<edge source="a" target="b"><data key="startline">{line}</data><data key="assumption">{assumption}</data></edge>
<edge source="b" target="c"><data key="startline">5</data></edge>
</graph></graphml>
"""


@pytest.mark.parametrize(
    "line, assumption, values",
    [
        (1, "x == 7;", [(1, 7)]),
        (1, "y == 8; x = 7;", [(1, 7)]),
        (1, r"\result == (7)", [(1, 7)]),
        (1, "return_value___VERIFIER_nondet_int$1 = 7;", [(1, 7)]),
        (2, "d = 2.0;", [(3, 0x4000000000000000)]),  # the edge begins at the line in front
        (1, "y == 7;", []),
        (4, "y == 7;", []),
    ],
)
def test_values_of_an_edge(tmp_path: Path, line: int, assumption: str, values: list[tuple[int, int]]) -> None:
    assert written(tmp_path, GRAPH.format(line=line, assumption=assumption)) == Witness(5, values)


@pytest.mark.parametrize("text", ["", "<graphml>", "nonsense: [", "<!-- -->", "- waypoint:\n    type:", "\0"])
def test_what_is_no_witness_tells_nothing(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, text) == Witness()


def test_a_witness_of_an_earlier_run_is_not_read(tmp_path: Path) -> None:
    program, witness = tmp_path / "p.i", tmp_path / "out" / "w.yml"
    witness.parent.mkdir()
    for path in (witness, program):
        path.write_text("x")
    os.utime(witness, ns=(1, 1))
    assert find(program, ["*.yml", "out/*.yml"]) is None
    os.utime(program, ns=(1, 1))
    assert find(program, ["*.yml", "out/*.yml"]) == witness
    assert find(program, ["*.i"]) is None
