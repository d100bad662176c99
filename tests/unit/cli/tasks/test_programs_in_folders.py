"""Which programs there are in folders."""

from pathlib import Path

import pytest

from cseq.cli.tasks.programs_in_folders import are_folders, programs
from cseq.model.errors import UsageError
from cseq.model.taskresults import Expected

DEFINITION = """\
format_version: '2.0'
input_files: {files}
properties:
  - property_file: {name}.prp
    expected_verdict: {verdict}
options:
  language: C
  data_model: ILP32
"""
UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
RACE = "CHECK( init(main()), LTL(G ! data-race) )\n"


def found(*folders: Path, whole: bool = False) -> tuple[list[str], list[str]]:
    """The programs in the current folder's *folders*, and what is left out."""
    left: list[str] = []
    return [program.path for program in programs([str(folder) for folder in folders], left.append, whole)], left


def test_files_of_c_and_cxx_in_order(folder: Path) -> None:
    for name in ("a.cpp", "b.cc", "c.cxx", "d.i", "e.h", "f.hpp", "g.o", "h.yml", ".hidden.c"):
        (folder / name).write_text("")
    names = ["a.cpp", "b.cc", "c.cxx", "correct.c", "d.i", "unreadable.c", "inside/failing.c"]
    assert found(Path("all")) == ([f"all/{name}" for name in names], [])


def test_several_folders_are_looked_through_once(folder: Path) -> None:
    paths = ["all/inside/failing.c", "all/correct.c", "all/unreadable.c"]
    assert found(Path("all/inside"), Path("all/"), Path("all")) == (paths, [])
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "correct.c").write_text("")
    places = [str(program.inside) for program in programs(["all", "other"], print)]
    assert places == ["all/correct.c", "all/unreadable.c", "all/inside/failing.c", "other/correct.c"]


def test_folders_and_files_do_not_go_together(folder: Path) -> None:
    assert are_folders(["all", "all/inside"])
    assert not are_folders(["all/correct.c", "none"])
    with pytest.raises(UsageError, match=r"all is a folder and all/correct\.c is a file"):
        are_folders(["all/correct.c", "all"])


def test_no_program(tmp_path: Path) -> None:
    (tmp_path / "header.h").write_text("")
    with pytest.raises(UsageError, match="there is no program in the folder"):
        found(tmp_path)


def test_definitions_say_which_programs_there_are(folder: Path) -> None:
    (folder / "reach.prp").write_text(UNREACH)
    (folder / "race.prp").write_text(RACE)
    (folder / "correct.i").write_text("")
    (folder / "correct.yml").write_text(DEFINITION.format(files="correct.c", name="reach", verdict="true"))
    several = DEFINITION.format(files="['correct.c', 'inside/failing.c']", name="reach", verdict="false")
    race = "  - property_file: race.prp\n    expected_verdict: true\noptions:"
    (folder / "several.yml").write_text(several.replace("options:", race))
    (folder / "other.yml").write_text("services: none\n")
    left: list[str] = []
    one, reach, raced, inside = programs(["all"], left.append)
    assert left == ["all/unreadable.c: left out: no task definition in the folder names it"]
    assert one.definition is not None and one.wanted is not None
    assert (one.path, one.files, one.definition.bits) == ("all/correct.yml", ("all/correct.c",), 32)
    assert dict(one.wanted.expected) == {"unreach-call": Expected(True)}
    assert reach.files == raced.files == ("all/correct.c", "all/inside/failing.c")
    assert [str(program.inside) for program in (reach, raced)] == ["several.yml/reach", "several.yml/race"]
    assert raced.wanted is not None and raced.wanted.spec == "all/race.prp"
    assert inside.path == "all/inside/failing.c" and inside.definition is None
    assert found(Path("all"), whole=True)[0] == ["all/correct.yml", "all/several.yml", "all/inside/failing.c"]


def test_a_definition_at_fault_is_a_task_that_fails(folder: Path) -> None:
    (folder / "reach.prp").write_text(UNREACH)
    (folder / "correct.yml").write_text(DEFINITION.format(files="none.c", name="reach", verdict="true"))
    fault = programs(["all"], print)[0].fault
    assert fault is not None
    assert str(fault) == "all/correct.yml:2: the input file `none.c` does not exist"
