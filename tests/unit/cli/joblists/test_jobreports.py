"""Reports that an answer must not be made of are refused, and jobs that were killed are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from cseq.cli.joblists.jobreports import NoReportError, read
from cseq.cli.joblists.mergedreport import answer_line, report
from cseq.cli.main import main
from cseq.cli.merge_command import merged
from cseq.model.errors import UsageError
from cseq.model.verdict import Verdict
from tests.support.job_reports import LOOP, PROOF, TIMEOUT, VIOLATION, Writer, nothing


def change(path: Path, *way: Any, to: Any = None) -> None:
    """Set the member of the report in *path* that *way* leads to; remove it where there is no value for it."""
    told = json.loads(path.read_text())
    at = told
    for step in way[:-1]:
        at = at[step]
    if to is None:
        del at[way[-1]]
    else:
        at[way[-1]] = to
    path.write_text(json.dumps(told))


def test_each_member_that_is_missing_is_noticed(write: Writer) -> None:
    file = write(nothing(), tile="0/2")
    whole = file.read_text()
    told = json.loads(whole)
    ways: list[tuple[Any, ...]] = [(name,) for name in told if name != "merged"]
    ways += [("properties", 0, name) for name in told["properties"][0]]
    ways += [("properties", 0, "bounds", 0, name) for name in told["properties"][0]["bounds"][0]]
    assert len(ways) > 50
    for way in ways:
        file.write_text(whole)
        change(file, *way)
        with pytest.raises(UsageError):
            read(file)


@pytest.mark.parametrize(
    "way, value",
    [
        (("schema",), 2),
        (("cseq",), "0.0.1"),
        (("verdict",), "TRUE"),
        (("exit_status",), 1),
        (("properties",), []),
        (("properties",), {}),
        (("properties", 0), 7),
        (("properties", 0, "verdict"), "TRUE"),
        (("properties", 0, "verdict"), "FALSE"),
        (("properties", 0, "verdict"), "true"),
        (("properties", 0, "reason"), "none"),
        (("properties", 0, "name"), 7),
        (("properties", 0, "name"), "no-overflow"),
        (("properties", 0, "bounds"), []),
        (("properties", 0, "bounds"), {}),
        (("properties", 0, "bounds", 0, "value"), 1),
        (("properties", 0, "bounds", 0, "kind"), "rounds"),
        (("properties", 0, "bounds", 0, "kind"), 7),
        (("parameters",), []),
        (("parameters", "tile"), "1/2"),
        (("parameters", "tile"), "0/3"),
        (("parameters", "tile"), 0.5),
        (("parameters", "only"), "no-data-race"),
        (("program",), 7),
        (("asked",), "unreach-call"),
        (("merged",), {"reports": []}),
    ],
)
def test_members_that_contradict_each_other_are_refused(write: Writer, way: tuple[Any, ...], value: Any) -> None:
    file = write(nothing(), tile="0/2")
    read(file)
    change(file, *way, to=value)
    with pytest.raises(UsageError):
        read(file)


def test_a_proof_has_no_bounds(write: Writer) -> None:
    file = write(PROOF)
    bound = json.loads(write(nothing(LOOP)).read_text())["properties"][0]["bounds"][0]
    change(file, "properties", 0, "bounds", to=[bound])
    with pytest.raises(UsageError, match="TRUE cannot be combined with bounds"):
        read(file)


def test_a_part_that_does_not_say_which_it_is_is_not_everything(write: Writer) -> None:
    file = write(nothing(), tile="0/2")
    change(file, "parameters", "tile")
    with pytest.raises(UsageError, match="there is a bound for a tile, and no tile"):
        read(file)


def test_members_of_other_types_are_one_line_or_make_no_difference(write: Writer) -> None:
    file = write(nothing(), tile="0/2")
    write(nothing(), tile="1/4")
    whole = file.read_text()
    told = json.loads(whole)
    ways: list[tuple[Any, ...]] = [(name,) for name in told]
    ways += [("properties", 0, name) for name in told["properties"][0]]
    ways += [("properties", 0, "bounds", 0, name) for name in told["properties"][0]["bounds"][0]]
    refused = 0
    for way in ways:
        for value in (7, "x", [7], {"x": []}, True):
            file.write_text(whole)
            change(file, *way, to=value)
            try:
                found = merged([str(file.parent)])
                assert found.verdict is Verdict.UNKNOWN, (way, value)
                list(map(answer_line, found.answers))
                json.dumps(report(found))
            except UsageError:
                refused += 1
    assert refused > len(ways)


def test_a_report_that_does_not_name_its_program_has_no_answer(write: Writer) -> None:
    file = write(TIMEOUT)
    told = json.loads(file.read_text())
    file.write_text(json.dumps({**told, "program": None}))
    assert read(file).program is None
    file = write(nothing(), tile="0/2")
    told = json.loads(file.read_text())
    file.write_text(json.dumps({**told, "program": None}))
    with pytest.raises(UsageError, match="does not say which program"):
        read(file)


@pytest.mark.parametrize("way, value", [(("program",), "q"), (("parameters", "strict_posix"), True)])
def test_reports_about_different_things_are_refused(write: Writer, way: tuple[Any, ...], value: Any) -> None:
    first, second = write(nothing(), tile="0/2"), write(nothing(), tile="1/2")
    change(second, *way, to=value)
    with pytest.raises(UsageError, match=r"0000\.json and .*0001\.json are about different"):
        merged([str(first), str(second)])


@pytest.mark.parametrize(
    "given",
    [
        {"bits": 32}, {"args": "x"}, {"overflow": True}, {"errors": ("stop",)}, {"no_spurious_wakeups": True},
        {"memory_model": "tso", "encoding": "partial-order"}, {"unwinding_assertions": True}, {"race": False},
        {"engine": "native", "invariant": ("holds",)}, {"engine": "native", "scheduler": "roundrobin"},
    ],
)  # fmt: skip
def test_reports_about_different_questions_are_refused(write: Writer, given: dict[str, Any]) -> None:
    first = write(nothing())
    if "encoding" in given:
        told = json.loads(first.read_text())
        told["parameters"]["memory_model"] = "tso"
        second = first.with_name("second.json")
        second.write_text(json.dumps(told))
    else:
        second = write(nothing(), **given)
    with pytest.raises(UsageError, match="different questions"):
        merged([str(first), str(second)])


def test_engines_and_their_searches_may_differ(write: Writer) -> None:
    for engine, given in [
        ("native", {"search": "dfs"}),
        ("native", {"search": "random", "seed": 3}),
        ("horn", {}),
        ("cbmc", {"rounds": 4, "unwind": 2, "jobs": 1}),
    ]:
        file = write(nothing(LOOP), engine, **given)
    assert merged([str(file.parent)]).answers[0].exit_status == 0


def test_reports_of_killed_jobs_are_named(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    whole, empty, cut = (write(nothing(), tile=tile) for tile in ("0/4", "1/4", "1/2"))
    empty.write_text("")
    cut.write_text(whole.read_text()[:-3])
    for file, why in ((empty, "empty"), (cut, "cut off")):
        with pytest.raises(NoReportError, match=why):
            read(file)
    found = merged([str(whole.parent)])
    assert [(each.place, each.why) for each in found.lost] == [(str(empty), "empty"), (str(cut), "cut off")]
    assert found.verdict is Verdict.UNKNOWN
    assert main(["merge", str(empty), str(cut)]) == 3
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "there is no report" in err


@pytest.mark.parametrize(
    "text", ["[]", "7", "{}", '{"schema": 1}', '"x"', "[" * 100_000, '{"schema": 1, "schema": 1, "cseq": "x"}', "\xff"]
)
def test_what_is_no_report_is_one_line(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(text.encode("latin-1"))
    assert main(["merge", str(file)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "is not a report of cseq --json" in err


def test_the_command_line_is_checked(tmp_path: Path, write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(write(VIOLATION))
    for words, message in [
        ([], "no report to merge"),
        ([str(tmp_path / "none")], "no such file"),
        ([str(tmp_path)], "no report in this folder"),
        (["--json", "-q", file], "cannot be combined"),
        (["--rounds", "2", file], "no such option"),
    ]:
        assert main(["merge", *words]) == 2, words
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and message in err
    assert main(["merge", "--help"]) == 0
    assert main(["merge", "-q", file, file]) == 1
    assert capsys.readouterr().out.endswith("FALSE\n")


def test_a_proof_is_no_proof_of_another_version(write: Writer) -> None:
    first, second = write(PROOF), write(TIMEOUT)
    change(second, "cseq", to="9.9")
    with pytest.raises(UsageError, match=r"is by CSeq 9\.9"):
        merged([str(first), str(second)])
