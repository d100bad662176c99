"""What is compared of two checkouts, and what counts as a difference."""

from pathlib import Path

import pytest

from benchmarks.checkouts import compare
from tests.support.checkout import ROOT

RUN = compare.Run("lost_update_bad unreach-call", "cbmc", ("lost_update_bad.c", "-b", "cbmc"))


def words(engine: str, name: str) -> tuple[str, ...]:
    """The words of the run of *engine* on the program *name*."""
    found = [run for run in compare.whole_runs(compare.programs(ROOT), ROOT, engine, ()) if run.name == name]
    assert len(found) == 1
    return found[0].words


def test_a_task_is_checked_with_its_bounds_where_the_engine_has_bounds() -> None:
    name = "sv-benchmarks/dekker_bad unreach-call"
    program = ("sv-benchmarks/dekker_bad.c", "--spec", "sv-benchmarks/properties/unreach-call.prp")
    assert words("cbmc", name) == (*program, "--rounds", "2", "--unwind", "1", "-b", "cbmc", "--json", "--cex")
    assert words("native", name) == (*program, "-b", "native", "--json", "--cex")


def test_a_program_of_the_tests_is_checked_with_its_bug_and_without() -> None:
    program = "tests/programs/conformance/c11/atomic_exchange"
    options = ("--rounds", "2", "-b", "cbmc", "--json", "--cex")
    assert words("cbmc", program) == (f"{program}.c", *options)
    assert words("cbmc", f"{program} BUG") == (f"{program}.c", "-D", "BUG", *options)


def test_a_compiled_program_is_run_without_a_specification() -> None:
    program = ("sv-benchmarks/compiled/aba_stack_ok.cpp", "--compile=-std=c++20")
    runs = ("--runs", "300", "--jobs", "1", "-b", "compiled", "--json", "--cex")
    assert words("compiled", "sv-benchmarks/compiled/aba_stack_ok no-data-race") == (*program, "--race", *runs)
    assert words("compiled", "sv-benchmarks/compiled/aba_stack_ok unreach-call") == (*program, *runs)


def test_each_checkout_names_its_last_stage_before_the_engines() -> None:
    assert compare.last_translator(ROOT) == "hooks"


@pytest.mark.parametrize(
    ("statuses", "other", "counted"),
    [
        ((1, 1), "x = 1;\n", "same"),
        ((2, 2), "x = 1;\n", "same, refused"),
        ((1, 1), "x = 2;\n", "different"),
        ((1, None), "x = 1;\n", "out of time"),
        ((3, 3), '{"reason": "timeout", "states": 7}\n', "out of time"),
    ],
)
def test_outcomes_are_counted(
    statuses: tuple[int | None, ...], other: str, counted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [{"stdout": "x = 1;\n"}, {"stdout": other}]
    assert compare._told(RUN, dict(enumerate(statuses)), texts, 20) == counted
    printed = capsys.readouterr().out
    assert ("+x = 2;" in printed) == (counted == "different")
    assert ("out of time in OTHER" in printed) == (statuses[1] is None)


def test_times_and_temporary_files_are_no_difference(tmp_path: Path) -> None:
    texts = []
    for number, seconds in enumerate((0.1, 0.2)):
        side = compare.Side(number, Path(f"/checkout{number}"), [], tmp_path, 1, 1.0)
        place = side.folder / "0"
        place.mkdir()
        report = f'{{"verdict": "TRUE", "times": {{"merger": {seconds}}}, "kept": "/tmp/cseq-{number}a_b"}}'
        (place / "stdout").write_text(report, encoding="utf-8")
        (place / "stderr").write_text(f"/checkout{number}/cseq/c.py: {place}/out/x\n", encoding="utf-8")
        texts.append(side.texts(Path("/checkout1"), 0, 0))
    assert texts[0] == texts[1]
    assert '"verdict": "TRUE"' in texts[0]["stdout"]
    assert texts[0]["stderr"] == "CHECKOUT/cseq/c.py: OUT/out/x\n"
