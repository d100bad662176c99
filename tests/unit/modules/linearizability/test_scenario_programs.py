"""The programs that make scenarios."""

import subprocess
from pathlib import Path

import pytest

from cseq.c.preprocess import compiler
from cseq.modules.linearizability.grammar import parsed
from cseq.modules.linearizability.results import Kind, kinds
from cseq.modules.linearizability.scenario_programs import (
    ReturnedCall,
    ScenarioFrame,
    Variant,
    declarations,
    example,
    program,
)
from cseq.modules.linearizability.scenarios import Scenario

pytestmark = pytest.mark.engine

HEADER = """
struct box { int value; };
void box_init(struct box *b);
int box_swap(struct box *b, int value);
const char *box_name(struct box *b);
"""

SPECIFICATION = """
header "box.h";
state struct box b;
setup box_init(&b);
invariant b.value >= 0;
operation box_init(&b);
operation box_swap(&b, {1..2});
operation box_name(&b);
operation own { return CSEQ_THREAD; }
"""


@pytest.fixture
def frame(tmp_path: Path) -> ScenarioFrame:
    (tmp_path / "box.h").write_text(HEADER)
    structure = parsed(SPECIFICATION, str(tmp_path / "box.cseq"))
    return ScenarioFrame(structure, kinds(declarations(structure), structure.all_calls, tmp_path), 2, 3)


def test_the_compiler_says_what_calls_return(frame: ScenarioFrame) -> None:
    assert frame.kinds == (Kind.NOTHING, Kind.NUMBER, Kind.NUMBER, Kind.POINTER, Kind.NUMBER)


def test_a_scenario_is_a_list_of_inputs(frame: ScenarioFrame) -> None:
    assert frame.choices(Scenario(((1,), (3, 2)))) == [1, 0, 0, 3, 2, 0]


@pytest.mark.parametrize("variant", Variant)
def test_programs_are_c(frame: ScenarioFrame, tmp_path: Path, variant: Variant) -> None:
    compiles(program(frame, variant), tmp_path)


def test_the_example_claims_that_the_results_do_not_come(frame: ScenarioFrame, tmp_path: Path) -> None:
    returned = [ReturnedCall(0, 0, 0), ReturnedCall(0, 1, 5), ReturnedCall(1, 0, -(1 << 63))]
    text = example(frame, Scenario(((1, 2), (4,))), returned, [((0, 0), (1, 0))])
    compiles(text, tmp_path)
    assert "linearizable = !(result_1_2 == 5 && result_2_1 == (-9223372036854775807LL - 1));" in text
    assert text.index("returned_1_1 = 1;") < text.index("result_1_2 = box_swap(&b, 1);")
    assert "__VERIFIER_assume(returned_1_1);" in text
    assert text.count("assert(b.value >= 0);") == 2


def test_the_example_without_results_only_makes_the_calls(frame: ScenarioFrame, tmp_path: Path) -> None:
    text = example(frame, Scenario(((1,), (5,))))
    compiles(text, tmp_path)
    assert "linearizable" not in text
    assert "cseq_call_5(1);" in text


@pytest.mark.parametrize(("line", "name"), [("/* t1 | t2 */", " t1"), ("int t1;", " cseq_t1")])
def test_names_differ_from_those_in_code_alone(frame: ScenarioFrame, tmp_path: Path, line: str, name: str) -> None:
    (tmp_path / "box.h").write_text(f"{line}{HEADER}")
    text = example(frame, Scenario(((1,), (4,))), [ReturnedCall(1, 0, 5)], [])
    compiles(text, tmp_path)
    assert f"pthread_t{name}, " in text


def compiles(text: str, folder: Path) -> None:
    command = [compiler(), "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-x", "c", "-"]
    done = subprocess.run(command, input=text, text=True, cwd=folder, capture_output=True, check=False)
    assert done.stderr == ""
