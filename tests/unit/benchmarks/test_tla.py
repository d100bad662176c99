"""The benchmark of specifications: its table, when it stops a search, and how it compares verdicts."""

import pytest

from benchmarks.tla import agreement, run
from benchmarks.tla.agreement import Said
from benchmarks.tla.run import TABLE, Count, factor, table


def test_the_programs_of_the_table_are_there() -> None:
    assert [one.processes for one in TABLE] == [1, 2, 2, 2, 4, 2, 4, 4, 5]
    assert all((run.PROGRAMS / f"{one.stem}.c").is_file() for one in TABLE)
    for one in TABLE:  # the paper's own factors are those of its states
        assert 100 * (1 - one.paper.reduced / one.paper.full) == pytest.approx(one.paper.factor, abs=0.08)


def test_a_search_is_stopped_where_the_factor_is_shown() -> None:
    full, reduced = Count("stopped", run._needed(620, 98.5), 9.0, least=True), Count("TRUE", 620, 2.0)
    found = factor(full, reduced)
    assert found is not None and 98.5 < found < 98.51
    [row] = [line for line in table([(TABLE[7], (full, reduced, reduced))]).splitlines() if "philosophers" in line]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2:7] == ["> 41 335", "9.00", "620", "2.00", "> 98.50"]
    assert cells[-1] == "98.50"


def test_a_contradiction_is_one_of_two_verdicts() -> None:
    def said(*verdicts: str, expected: str = "") -> Said:
        return Said("sv-benchmarks/x", expected, (verdicts[0], verdicts[1]), ("", ""), (1.0, 1.0))

    assert said("TRUE", "FALSE").is_wrong and said("TRUE", "UNKNOWN", expected="FALSE").is_wrong
    assert not any(one.is_wrong for one in (said("UNKNOWN", "FALSE"), said("TRUE", "UNKNOWN"), said("TRUE", "TRUE")))
    summary, *_ = agreement.tables([said("TRUE", "TRUE"), said("refused", "TRUE"), said("FALSE", "TRUE")])
    assert "| all | 3 | 2 | 1 | 0 | 1 | 2 | 2 |" in summary


def test_options_for_other_families_are_left_out() -> None:
    text = "/* pthread_mutex_lock\n * --deadlock --rounds 2 --unwind 3 --spurious-wakeups\n */\n"
    assert agreement.options_of(text) == ["--deadlock", "--spurious-wakeups"]
    assert agreement.options_of("/* nothing */\nint x;\n") == []
    assert len({task.name for task in agreement.tasks()}) > 500
