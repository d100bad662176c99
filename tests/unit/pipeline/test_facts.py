"""Facts and parameters: a stage has those that it declares, and no others."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cseq.modules.core.three_address.three_address import ThreeAddress
from cseq.modules.frontend.normalise.normalise import Normalise
from cseq.pipeline.chain import modules_folder
from cseq.pipeline.facts import Fact, Gives, Needs, Uses
from cseq.pipeline.stage import Context, Parameter, Stage

ROOT = Path(__file__).resolve().parents[3]

WIDTH = Fact[int]("width")
NAMES = Fact[list[str]]("names")
ROUNDS = Parameter("rounds", int, 1, "a number")
SPEED = Parameter("speed", int, 1, "a number")


class Reader(Stage):
    takes = (ROUNDS,)
    width = Needs(WIDTH)
    names = Uses(NAMES, ())


class Writer(Reader):
    widths = Gives(WIDTH)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context({"rounds": 3, "speed": 4}, tmp_path)


def test_what_a_stage_declares_is_what_a_chain_is_checked_by() -> None:
    assert (Reader.needs, Reader.uses, Reader.gives) == ((WIDTH,), (NAMES,), ())
    assert (Writer.needs, Writer.uses, Writer.gives) == ((WIDTH,), (NAMES,), (WIDTH,))
    assert (Stage.needs, Stage.uses, Stage.gives) == ((), (), ())


def test_what_one_stage_gives_another_one_has(context: Context) -> None:
    Writer(context).widths = 7
    assert Reader(context).width == Writer(context).widths == context.facts[Fact[int]("width")] == 7
    assert WIDTH in context.facts and NAMES not in context.facts


def test_what_nobody_gave_has_the_default_of_who_uses_it(context: Context) -> None:
    assert Reader(context).names == ()
    context.facts[NAMES] = ["x"]
    assert Reader(context).names == ["x"]


def test_what_is_needed_has_to_be_there(context: Context) -> None:
    with pytest.raises(KeyError, match="width"):
        _ = Reader(context).width


@pytest.mark.parametrize("name", ["width", "names"])
def test_only_who_gives_a_fact_can_set_it(context: Context, name: str) -> None:
    with pytest.raises(AttributeError, match=f"`{name}` is not this stage's to give"):
        setattr(Reader(context), name, 8)
    assert WIDTH not in context.facts and NAMES not in context.facts


def test_what_is_set_in_a_copy_stays_there(context: Context) -> None:
    context.facts[WIDTH] = 1
    copy = context.facts.copy()
    copy[WIDTH] = 2
    assert (context.facts[WIDTH], copy[WIDTH]) == (1, 2)


@pytest.mark.parametrize("name", ["needs", "uses", "gives"])
def test_names_in_a_list_are_no_declarations(name: str) -> None:
    with pytest.raises(TypeError, match=f"`{name}` follows from the attributes"):
        type("Old", (Stage,), {name: ("width",)})


def test_a_parameter_that_is_not_taken_is_not_read(context: Context) -> None:
    assert Reader(context).parameter(ROUNDS) == 3
    with pytest.raises(LookupError, match="Reader does not take the parameter `speed`"):
        Reader(context).parameter(SPEED)


def test_a_parameter_has_a_value_in_any_case() -> None:
    assert (ROUNDS.of({"rounds": 2}), ROUNDS.of({})) == (2, 1)


# All that is declared in modules/


def declared() -> list[tuple[str, Any]]:
    """Each fact and each parameter at the top of a module, or of what stages share, with its file."""
    found: dict[int, tuple[str, Any]] = {}
    for path, module in modules(r"\b(Fact\[|Parameter\()"):
        for name in targets(path):
            value = getattr(module, name)
            if isinstance(value, (Fact, Parameter)):
                found[id(value)] = (str(path), value)
    return list(found.values())


PACKAGES = {"cseq.modules": modules_folder(), "cseq.options": ROOT / "cseq" / "options"}
"""The packages that declare parameters and facts, and their folders."""


def files(words: str, folder: Path = PACKAGES["cseq.modules"]) -> list[Path]:
    """The files in *folder* whose text has the pattern *words* in it: only these need be parsed."""
    found = re.compile(words)
    return [path for path in sorted(folder.rglob("*.py")) if found.search(path.read_text(encoding="utf-8"))]


def modules(words: str) -> Iterator[tuple[Path, ModuleType]]:
    for package, folder in PACKAGES.items():
        for path in files(words, folder):
            yield path, importlib.import_module(".".join((package, *path.relative_to(folder).with_suffix("").parts)))


def constant(module: ModuleType, node: ast.expr) -> Parameter[object] | None:
    """The parameter that is called so at the top of *module*; None for a local variable."""
    names = ast.unparse(node).split(".")
    found: Any = vars(module).get(names[0])
    for name in names[1:]:
        found = getattr(found, name, None)
    return found if isinstance(found, Parameter) else None


def reads(owner: ast.AST) -> Iterator[ast.expr]:
    """What each call of a method `parameter` in *owner* is given."""
    for node in ast.walk(owner):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parameter":
            yield node.args[0]


def targets(path: Path) -> list[str]:
    """The names that are assigned to at the top of the file."""
    names: list[ast.expr] = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        names += (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
    return [name.id for name in names if isinstance(name, ast.Name)]


def test_each_fact_is_declared_once() -> None:
    names = [value.name for _, value in declared() if isinstance(value, Fact)]
    assert len(names) > 15 and sorted(names) == sorted(set(names))


def test_the_documentation_lists_all_facts() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", text.partition("| fact |")[2].partition("\n\n")[0], re.MULTILINE)
    assert sorted(rows) == sorted(value.name for _, value in declared() if isinstance(value, Fact))


def test_each_parameter_has_a_default_of_its_type() -> None:
    parameters = [value for _, value in declared() if isinstance(value, Parameter)]
    assert len(parameters) > 40
    for parameter in parameters:
        if parameter.multiple:
            assert parameter.default == ()
        else:
            assert parameter.default is None or type(parameter.default) is parameter.type, parameter.name


ALLOWED = {
    "questions/questions.py": 6,
    "questions/runs.py": 2,
    "symbolic/questions.py": 2,
    "symbolic/iterative_deepening.py": 2,
    "symbolic/levels/level.py": 9,
    "explicit/questions.py": 5,
    "explicit/replay.py": 3,
    "linearizability/scenario_graphs.py": 1,
    "graphs/orders/repair.py": 11,
    "tla/encode/specifier.py": 1,
}
"""Planners pass all values on, and follow what a run has found; two stages have facts of a program of their own."""


def test_stages_have_facts_and_parameters_only_by_what_they_declare() -> None:
    reached: dict[str, int] = {}
    for path in files(r"context\s*\.\s*(facts|values)\b"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Attribute) or node.attr not in ("facts", "values"):
                continue
            if ast.unparse(node.value).endswith("context"):
                place = str(path.relative_to(modules_folder()))
                reached[place] = reached.get(place, 0) + 1
    assert reached == ALLOWED


PARTS = {"normalise": Normalise, "three_address": ThreeAddress}
"""Folders whose files read the parameters of the stage that they are parts of."""


def test_stages_read_the_parameters_that_they_take() -> None:
    seen = 0
    for path, module in modules(r"\bparameter\("):
        for owner in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(owner, ast.ClassDef):
                continue
            made = getattr(module, owner.name)
            stage = PARTS.get(path.parent.name, made if issubclass(made, Stage) else None)
            for argument in reads(owner):
                parameter = constant(module, argument)
                if parameter is not None:
                    seen += 1
                    assert stage is not None, f"{path}:{argument.lineno}"
                    assert parameter in stage.takes, f"{path}:{argument.lineno}: {parameter.name}"
    assert seen > 80
