"""Witnesses in YAML: which waypoints they have, and how these are written."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from cseq.model.origin import Origin
from cseq.model.proof import LocalInvariant, ProofKind, ProofSummary
from cseq.model.trace import Thread
from cseq.model.verdict import Outcome, Verdict
from cseq.report.witness import yamlwitness
from cseq.report.witness.waypoints import SourcePlace, Waypoint, WitnessTask
from cseq.report.witness.yamlwitness import CORRECTNESS, constant, essential

MAIN, ONE, TWO = Thread(0, "main"), Thread(1, "work"), Thread(2, "work")


def begin(thread: Thread, line: int, *loaded: str, **values: str) -> Waypoint:
    return Waypoint("begin", thread, SourcePlace("a.c", line, 5, "f"), 0, values, frozenset(loaded))


def create(line: int, other: Thread) -> Waypoint:
    return Waypoint("create", MAIN, SourcePlace("a.c", line, 5, "main"), 0, other=other)


def given(thread: Thread, line: int, value: str) -> Waypoint:
    return Waypoint("input", thread, SourcePlace("a.c", line, 5, "f"), 0, value=value)


def target(thread: Thread, line: int, column: int = 5, function: str | None = "f") -> Waypoint:
    return Waypoint("target", thread, SourcePlace("a.c", line, column, function), 0)


def kept(*passed: Waypoint) -> list[tuple[str, int, int]]:
    return [(point.kind, point.thread.number, point.place.line) for point in essential(list(passed))]


def written(*passed: Waypoint) -> list[list[tuple[Any, ...]]]:
    """The segments: of each waypoint its thread, type, line, and constraint where it has one."""
    segments = [[item["waypoint"] for item in each["segment"]] for each in yamlwitness._segments(list(passed))]
    return [
        [
            (w["thread_id"], w["type"], w["location"]["line"], *filter(None, [w.get("constraint", {}).get("value")]))
            for w in segment
        ]
        for segment in segments
    ]


def test_of_each_context_the_first_and_the_last_statement_are_kept() -> None:
    assert kept(begin(MAIN, 1), begin(MAIN, 2), begin(MAIN, 3), begin(ONE, 7), begin(MAIN, 4), target(MAIN, 9)) == [
        ("begin", 0, 1), ("begin", 0, 3), ("begin", 1, 7), ("begin", 0, 4), ("target", 0, 9),
    ]  # fmt: skip


def test_inputs_and_creations_are_kept_wherever_they_are() -> None:
    assert kept(begin(MAIN, 1), given(MAIN, 2, "7"), create(3, ONE), begin(MAIN, 4), target(MAIN, 9)) == [
        ("begin", 0, 1), ("input", 0, 2), ("create", 0, 3), ("begin", 0, 4), ("target", 0, 9),
    ]  # fmt: skip


def test_earlier_visits_of_a_place_are_kept_too() -> None:
    passed = [begin(MAIN, 1), begin(MAIN, 3), begin(MAIN, 2), begin(MAIN, 3), target(MAIN, 9)]
    assert [line for _, _, line in kept(*passed)] == [1, 3, 3, 9]
    # Who looks for line 9 does so after line 3 only, so that an earlier visit cannot be taken for it.
    passed = [begin(MAIN, 1), begin(MAIN, 9), begin(MAIN, 2), begin(MAIN, 3), target(MAIN, 9)]
    assert [line for _, _, line in kept(*passed)] == [1, 3, 9]


def test_a_visit_of_another_thread_is_another_one() -> None:
    passed = [begin(ONE, 3), begin(MAIN, 1), begin(MAIN, 3), begin(MAIN, 4), target(ONE, 3)]
    assert kept(*passed) == [("begin", 1, 3), ("begin", 0, 1), ("begin", 0, 4), ("target", 1, 3)]


def test_values_are_said_where_they_are_loaded_or_have_changed() -> None:
    assert written(
        begin(MAIN, 1, x="0", y="1"), begin(MAIN, 2, x="0", y="1"), begin(MAIN, 3, "x", x="0", y="2"), target(MAIN, 9)
    ) == [
        [(0, "assumption", 1, "x == 0 && y == 1")],
        [(0, "assumption", 2, "1")],
        [(0, "assumption", 3, "x == 0 && y == 2")],
        [(0, "target", 9)],
    ]


def test_threads_are_numbered_as_they_are_created() -> None:
    assert written(create(1, TWO), create(2, ONE), begin(ONE, 7), begin(TWO, 7), target(TWO, 9)) == [
        [(0, "function_enter", 1)],
        [(0, "function_enter", 2)],
        [(2, "assumption", 7, "1")],
        [(1, "assumption", 7, "1")],
        [(1, "target", 9)],
    ]


def test_inputs_are_what_a_function_returns() -> None:
    assert written(given(MAIN, 2, "-7"), target(MAIN, 9))[0] == [(0, "function_return", 2, "\\result == -7")]


def test_both_sides_of_a_race_are_in_one_segment() -> None:
    assert written(create(1, ONE), target(MAIN, 8), target(ONE, 3))[-1] == [(0, "target", 8), (1, "target", 3)]


def test_columns_and_functions_are_left_out_where_they_are_not_known() -> None:
    (segment,) = yamlwitness._segments([target(MAIN, 9, 0, None)])
    assert segment["segment"][0]["waypoint"]["location"] == {"file_name": "a.c", "line": 9}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("7", "7"),
        ("-7", "-7"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775808ULL"),
        ("-9223372036854775808", "(-9223372036854775807 - 1)"),
        ("0.5", "0.5"),
    ],
)
def test_constants_of_c(value: str, text: str) -> None:
    assert constant(value) == text


def test_a_proof_has_a_witness_of_the_older_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a b.c").write_text("int main(void) { return 0; }\n")
    run = WitnessTask(("a b.c",), bits=32, command=("cseq", "a b.c"))
    outcome = Outcome(Verdict.TRUE, property="unreach-call")
    (entry,) = yaml.safe_load(yamlwitness.render(outcome, run))
    assert (entry["entry_type"], entry["content"]) == ("invariant_set", [])
    metadata = entry["metadata"]
    assert metadata["format_version"] == CORRECTNESS and metadata["producer"]["command_line"] == "cseq 'a b.c'"
    assert metadata["task"]["input_file_hashes"] == {"a b.c": run.hash("a b.c")}
    assert (metadata["task"]["data_model"], metadata["task"]["language"]) == ("ILP32", "C")
    again = yamlwitness.entry(outcome, run)["metadata"]
    assert again.pop("uuid") != metadata["uuid"] and again["task"] == metadata["task"]


@pytest.mark.parametrize(
    "value",
    [
        [{"a": 1, "b": [], "c": "x: y"}, {"a": {"b": [{"c": "\"'"}]}}],
        [{"no identifier.c": "0", "list": ["yes", "no", "1"]}],
        [{"tab": "a\tb", "line": "a\nb", "escape": "\x1b", "other": "é\u202e"}],
    ],
)
def test_what_is_written_is_read_as_it_was(value: Any) -> None:
    assert yaml.safe_load(yamlwitness._text(value)) == value


def test_invariants_stand_at_statements_that_know_their_variables(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text("int x, y;\nint main(void)\n{\n  int z = 0;\n  while (x < 5)\n    x = x + 1;\n  return z;\n}\n")
    origins = [Origin(str(program), line, function="main") for line in (5, 6, 6)]
    local = [LocalInvariant(origin, "(long long) x + y <= 9") for origin in origins]
    local += [LocalInvariant(origins[0], "z == 0"), LocalInvariant(Origin("other.c", 1), "x <= 5")]
    proof = ProofSummary(ProofKind.MODULAR, ("z3", "cvc5"), "spacer", 7, local=tuple(local))
    entry = yamlwitness.entry(Outcome(Verdict.TRUE, property="unreach-call", proof=proof), WitnessTask((str(program),)))
    found = [item["invariant"] for item in entry["content"]]
    assert [(item["type"], item["location"]["line"], item["location"]["column"], item["value"]) for item in found] == [
        ("loop_invariant", 5, 3, "(long long) x + y <= 9"),
        ("location_invariant", 6, 5, "(long long) x + y <= 9"),
    ]
    assert {item["format"] for item in found} == {"c_expression"}
    assert yaml.safe_load(yamlwitness._text([entry])) == [entry]
