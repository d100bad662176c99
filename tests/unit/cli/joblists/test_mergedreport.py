"""What `cseq merge` prints, and its report for programs."""

import json
from pathlib import Path
from typing import Any

import pytest

from cseq.cli.main import main
from tests.support.job_reports import NAME, PROOF, ROUNDS, TIMEOUT, VIOLATION, Writer, nothing
from tests.support.jsonschema_check import check_schema

RACE = "no-data-race"


def report(folder: Path, status: int, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The merged report, which is valid."""
    assert main(["merge", "--json", str(folder)]) == status
    told = json.loads(capsys.readouterr().out)
    check_schema(told)
    assert told["exit_status"] == status and told["program"] == "p" and told["inputs"] == ["a.c"]
    return told  # type: ignore[no-any-return]


def test_levels_and_what_is_missing(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    for unwind, tiles in ((1, ("0/2", "2/4", "3/4")), (2, ("0/4", "3/4"))):
        for tile in tiles:
            file = write(nothing(ROUNDS), tile=tile, unwind=unwind)
    write(TIMEOUT, tile="1/4", unwind=2)
    write(TIMEOUT, engine="native", only=RACE, search="dfs")
    (file.parent / "0009.json").touch()
    command = "cseq -b cbmc --rounds 2 --unwind 2 --tile 2/4 --json a.c"
    (file.parent / "rows").write_text("".join(f"{command} > jobs.d/{number:04}.json\n" for number in (0, 9, 10)))
    assert main(["merge", str(file.parent)]) == 3
    folder = file.parent
    assert capsys.readouterr().out.splitlines() == [
        "unreach-call: UNKNOWN: no violation within 2 rounds, unwind 1 (cbmc: 4 of 4 tiles)",
        "  2 rounds, unwind 2 (cbmc: 2 of 4 tiles); no answer about 1/4, 2/4",
        "no-data-race: UNKNOWN: no verdict: the time was up in each job",
        "  no answer from search dfs, seed 1 (native)",
        f"{folder}/0009.json is empty: its job was killed, or has not ended (`{command}`)",
        f"{folder}/0010.json is not there: its job has not been run (`{command}`)",
    ]
    told = report(folder, 3, capsys)
    assert [(each["verdict"], each["reason"]) for each in told["properties"]] == [
        ("UNKNOWN", "bounded"),
        ("UNKNOWN", "timeout"),
    ]
    assert [bound["kind"] for bound in told["properties"][0]["bounds"]] == ["rounds"]
    assert [level["bounds"] for level in told["levels"]] == [{"rounds": 2, "unwind": 1}]
    assert [each["why"] for each in told["merged"]["lost"]] == ["empty", "none"]
    assert told["merged"]["levels"][1]["missing"] == ["1/4", "2/4"]


def test_a_proof_by_tiles(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (NAME, RACE):
        for tile in ("0/2", "1/2"):
            file = write(nothing(), tile=tile, only=name)
    assert main(["merge", str(file.parent)]) == 0
    words = "TRUE: no violation in any execution, by 2 rounds, unwind 1 (cbmc: 2 of 2 tiles)"
    assert capsys.readouterr().out.splitlines() == [f"{NAME}: {words}", f"{RACE}: {words}"]
    told = report(file.parent, 0, capsys)
    assert (told["verdict"], told["reason"], told["bounds"]) == ("TRUE", None, [])
    assert [each["bounds"] for each in told["properties"]] == [[], []]


def test_what_a_proof_assumes_is_said(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    for tile, spurious in (("0/2", None), ("1/2", "excluded")):
        file = write(nothing(), tile=tile, no_spurious_wakeups=True)
        told = json.loads(file.read_text())
        told["properties"][0]["spurious"] = spurious
        file.write_text(json.dumps(told))
    assert main(["merge", str(file.parent)]) == 3  # nothing is known of data races
    assert "2 of 2 tiles), assuming no spurious wake-ups" in capsys.readouterr().out
    assert report(file.parent, 3, capsys)["properties"][0]["spurious"] == "excluded"


@pytest.mark.parametrize(
    "claims, words", [((False, True), "no violation in any execution, by"), ((False, False), "there is none), by")]
)
def test_a_program_claims_nothing_where_no_part_says_that_it_does(
    write: Writer, capsys: pytest.CaptureFixture[str], claims: tuple[bool, bool], words: str
) -> None:
    for tile, does in zip(("0/2", "1/2"), claims, strict=True):
        file = write(nothing(), tile=tile)
        told = json.loads(file.read_text())
        told["properties"][0]["claims"] = does
        file.write_text(json.dumps(told))
    main(["merge", str(file.parent)])
    assert words in capsys.readouterr().out.splitlines()[0]
    assert report(file.parent, 3, capsys)["properties"][0]["claims"] is any(claims)


def test_a_violation_is_shown_as_in_its_report(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    write(TIMEOUT, tile="0/2")
    file = write(VIOLATION, tile="1/2")
    write(PROOF, only=RACE)
    assert main(["merge", str(file.parent)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "unreach-call: FALSE: assertion `x == 2` is violated at a.c:9 in main"
    assert out[2] == f"(unreach-call: from {file}; --cex shows how)"
    assert main(["merge", "--cex", str(file.parent)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[2] == f"(unreach-call: from {file})"
    assert "locks m" in "".join(out) and any(line.endswith("x++;") for line in out)
    told = report(file.parent, 1, capsys)
    source = json.loads(file.read_text())
    assert told["counterexample"] == source["counterexample"] and told["property"] == source["property"]


def test_a_contradiction_is_a_warning(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    write(VIOLATION)
    file = write(PROOF, engine="horn")
    assert main(["merge", str(file.parent)]) == 1
    warning = "horn says TRUE, and cbmc FALSE: one of them is wrong; please report it"
    assert capsys.readouterr().err == f"warning: {warning}\n"
    assert [each["message"] for each in report(file.parent, 1, capsys)["warnings"]] == [warning]


def test_steps_that_cannot_be_read_are_one_line(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(VIOLATION)
    told = json.loads(file.read_text())
    told["properties"][0]["counterexample"]["steps"][0]["actions"][0]["kind"] = "juggle"
    file.write_text(json.dumps(told))
    assert main(["merge", "--cex", str(file)]) == 2
    assert capsys.readouterr().err == f"cseq: error: {file}: the counterexample cannot be read\n"
