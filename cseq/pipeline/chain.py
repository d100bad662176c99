"""Chains: read a chain file, find its stages, and check that they fit together.

A chain file is a text with one directive per line; ``#`` starts a comment::

    about    one line on what the chain does
    families symbolic
    planner  planner
    stage    merger
    stage    normalisation
    stage    deadlock instrumentation when property=no-deadlock
    default  rounds 2

A stage with a condition runs only where the parameter has that value. The planner decides which runs of the stages
answer the question; without a planner there is one run.
"""

import importlib
import importlib.util
import math
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from cseq.model.errors import ChainError, UsageError
from cseq.model.origin import Origin
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter, Planner, Stage, Wrapper
from cseq.pipeline.translator import Translator
from cseq.pipeline.unparser import Unparser

RENAMED = {
    "linearizer": "three_address",
    "scoper": "normalise",
    "restructurer": "control_flow",
    "privatizer": "thread_local_promotion",
    "recycler": "address_reuse",
    "spawner": "thread_instances",
    "deadlocker": "deadlock_instrumentation",
    "cycler": "wait_cycle",
    "racer": "symbolic/encode/race_instrumentation",
    "marker": "explicit/encode/race_instrumentation",
    "crasher": "crash_instrumentation",
    "orderer": "partial_order",
    "scheduler": "scheduling_model",
    "chooser": "input_choices",
    "claimer": "check_instrumentation",
    "definer": "uninitialised_reads",
    "registrar": "memory_registry",
    "shadower": "shadow_memory",
    "narrower": "ilp32_layout",
    "feeder": "symbolic/run",
    "replayer": "symbolic/replay",
    "judge": "symbolic/verdict",
    "planner": "symbolic/questions",
    "explorer": "explicit/run",
    "spinner": "explicit/run_spin",
    "follower": "explicit/replay",
    "appraiser": "explicit/verdict",
    "examiner": "explicit/questions",
    "prover": "deductive/run",
    "claimant": "deductive/questions",
    "modeler": "tla/run",
    "inquirer": "tla/questions",
    "compiler": "compiled/build",
    "executor": "compiled/run",
}
"""Former names of stages, which chain files and `--dump-after` of users may have → their names."""

_AnyStage = TypeVar("_AnyStage", bound=Stage)


def modules_folder() -> Path:
    """The folder of the stages and chain files."""
    return Path(__file__).resolve().parents[1] / "modules"


@dataclass
class Chain:
    """A sequence of stages, made by `load`."""

    path: Path
    about: str = ""
    families: list[str] = field(default_factory=list)
    stages: list[tuple[str, type[Stage]]] = field(default_factory=list)
    defaults: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, tuple[str, str]] = field(default_factory=dict)
    planner: type[Planner] | None = None

    @property
    def names(self) -> list[str]:
        """The names of the stages, in order."""
        return [name for name, _ in self.stages]

    @property
    def last_maker(self) -> str:
        """The name of the last stage that makes a program. Raises UsageError where there is none."""
        makers = [name for name, stage in self.stages if not issubclass(stage, Wrapper)]
        if not makers:
            raise UsageError(f"--linemap: no stage of the chain {self.path} makes a program")
        return makers[-1]

    def chosen(self, values: dict[str, object]) -> list[tuple[str, type[Stage]]]:
        """The stages that run with these *values* of the parameters, in order."""
        return [(name, stage) for name, stage in self.stages if self._holds(name, values)]

    def _holds(self, name: str, values: dict[str, object]) -> bool:
        if name not in self.conditions:
            return True
        parameter, value = self.conditions[name]
        return str(values.get(parameter)) == value

    def parameters(self) -> dict[str, Parameter[object]]:
        """The parameters of the stages, by name, with the chain's own defaults."""
        found: dict[str, Parameter[object]] = {}
        for stage in self._takers():
            for parameter in stage.takes:
                if not parameter.family or not self.families or set(parameter.family.split()) & set(self.families):
                    found.setdefault(parameter.name, self._with_default(parameter))
        for name in self.defaults:
            if name not in found:
                raise ChainError(f"{self.path}: no stage of this chain takes the parameter `{name}`")
        return found

    def _with_default(self, parameter: Parameter[object]) -> Parameter[object]:
        if parameter.name not in self.defaults:
            return parameter
        from dataclasses import replace

        return replace(parameter, default=convert(parameter, self.defaults[parameter.name], str(self.path)))

    def values(self, given: dict[str, object]) -> dict[str, object]:
        """A value for every parameter: the *given* one, checked, or the default. Raises UsageError for unknown ones."""
        parameters = self.parameters()
        for name in given:
            if name not in parameters:
                raise UsageError(f"this chain takes no parameter `{name}`")
        values = {
            name: convert(parameter, given[name], name) if name in given else parameter.default
            for name, parameter in parameters.items()
        }
        chosen = {name for name, value in given.items() if value is not None}
        for stage in self._takers():
            stage.settle(values, chosen)
        return values

    def _takers(self) -> list[type[Stage]]:
        stages: list[type[Stage]] = [stage for _, stage in self.stages]
        return [*stages, *([self.planner] if self.planner else [])]


_KINDS = {int: "a whole number", float: "a number", bool: "true or false"}


def convert(parameter: Parameter[object], value: Any, place: str) -> Any:
    """Convert *value* to the parameter's type. Raises UsageError, naming *place*, where it does not fit."""
    if value is None or parameter.multiple:
        for each in [value] if isinstance(value, str) else value or ():
            _check_value(parameter, each, place)
        return value
    try:
        if parameter.type is bool and isinstance(value, str):
            converted: Any = {"true": True, "false": False}[value.lower()]
        else:
            converted = parameter.type(value)
        if isinstance(converted, float) and not math.isfinite(converted):
            raise ValueError
    except (ValueError, KeyError, TypeError, OverflowError):
        raise UsageError(f"{place}: `{value}` is not {_KINDS.get(parameter.type, 'a valid value')}") from None
    if parameter.minimum is not None and converted < parameter.minimum:
        raise UsageError(f"{place}: {converted} is less than {parameter.minimum:g}, the minimum")
    if parameter.choices is not None and converted not in parameter.choices():
        raise UsageError(f"{place}: `{converted}` is not one of {', '.join(parameter.choices())}")
    _check_value(parameter, converted, place)
    return converted


def _check_value(parameter: Parameter[object], value: Any, place: str) -> None:
    if parameter.check is not None:
        try:
            parameter.check(value)
        except ValueError as error:
            raise UsageError(f"{place}: {error}") from None


def load(chain: str) -> Chain:
    """Read the chain called *chain*: a path, or the name of a chain file in the modules folder.

    Raises ChainError, with the file and line, for anything that is wrong with it.
    """
    path = _find(chain)
    result = Chain(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ChainError(f"cannot read the chain file {path}: {error}") from None
    for number, directive, rest in _directives(text):
        where = Origin(str(path), number)
        if directive == "about":
            result.about = rest
        elif directive == "families":
            result.families = rest.split()
        elif directive == "stage":
            name, _, condition = rest.partition(" when ")
            name = _canonical(name.strip(), path.parent)
            result.stages.append((name, find_stage(name, path.parent, where)))
            if condition:
                parameter, equals, value = condition.partition("=")
                if not equals:
                    raise ChainError(f"a condition is written `when PARAMETER=VALUE`, not `when {condition}`", where)
                result.conditions[name] = (parameter.strip(), value.strip())
        elif directive == "planner":
            result.planner = find_stage(rest, path.parent, where, Planner)
        elif directive == "default":
            name, _, value = rest.partition(" ")
            result.defaults[name] = value.strip()
        else:
            raise ChainError(f"unknown directive `{directive}` (about, families, planner, stage, default)", where)
    _check(result)
    return result


def _find(chain: str) -> Path:
    candidates = [Path(chain), modules_folder() / chain, modules_folder() / f"{chain}.chain"]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    known = ", ".join(sorted(p.name for p in modules_folder().glob("*.chain")))
    raise ChainError(f"no chain file `{chain}` (known chains: {known})")


def _directives(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].strip()
        if words:
            directive, _, rest = words.partition(" ")
            yield number, directive, rest.strip()


_Partly = dict[tuple[str, Fact[Any]], set[str]]
"""The values of a parameter for which a fact is given so far, by parameter and fact."""


def _check(chain: Chain) -> None:
    """Check that the stages before each stage give every fact it needs, and that no translator follows a wrapper."""
    if not chain.stages:
        raise ChainError(f"{chain.path}: the chain has no stage")
    given: set[Fact[Any]] = set()
    partly: _Partly = {}
    wrapper = None
    for name, stage in chain.stages:
        missing = [fact for fact in stage.needs if fact not in given]
        if missing:
            raise ChainError(
                f"{chain.path}: the stage `{name}` needs `{missing[0].name}`, which no stage before it gives"
            )
        if issubclass(stage, (Translator, Unparser)) and wrapper:
            raise ChainError(f"{chain.path}: the translator `{name}` comes after the wrapper `{wrapper}`")
        if issubclass(stage, Wrapper):
            wrapper = name
        given.update(_relied_on(chain, name, stage, partly))
    taken = chain.parameters()
    for name, (parameter, _) in chain.conditions.items():
        if parameter not in taken:
            raise ChainError(f"{chain.path}: the stage `{name}` depends on `{parameter}`, which no stage takes")


def _relied_on(chain: Chain, name: str, stage: type[Stage], partly: _Partly) -> Collection[Fact[Any]]:
    """The facts that are certain after a stage, whatever the values of the parameters, and were not certain before it.

    A stage with a condition may not run. A fact that it gives is certain only once there is, for each value of the
    parameter, a stage that gives it. partly: updated with what this stage gives.
    """
    if name not in chain.conditions:
        return stage.gives
    parameter, value = chain.conditions[name]
    declared = chain.parameters().get(parameter)
    if declared is None or declared.choices is None:
        return ()
    for fact in stage.gives:
        partly.setdefault((parameter, fact), set()).add(value)
    return [fact for fact in stage.gives if partly[parameter, fact].issuperset(declared.choices())]


def find_stage(
    name: str,
    beside: Path,
    where: Origin | None = None,
    kind: type[_AnyStage] = Stage,  # type: ignore[assignment]
) -> type[_AnyStage]:
    """The stage class called *name*: from the file of that name beside the chain file, else in the modules folder.

    In the modules folder, a name may be a path, and may be one of those that stages had before (`RENAMED`).
    """
    own = beside / f"{name}.py"
    if own.is_file() and beside.resolve() != modules_folder().resolve():
        module = _load_file(own, where)
    else:
        module = importlib.import_module(".".join(("cseq.modules", *_path_of(name, where).split("/"))))
    classes = [
        member
        for member in vars(module).values()
        if isinstance(member, type)
        and issubclass(member, kind)
        and member.__module__ == module.__name__
        and not member.__name__.startswith("_")
    ]
    if len(classes) != 1:
        raise ChainError(f"{module.__file__} must define one stage, not {len(classes)}", where)
    return classes[0]


@cache
def _files() -> dict[str, list[str]]:
    """The files of the modules folder: file name, without the suffix → their paths below it, without the suffix."""
    top = str(modules_folder())
    found: dict[str, list[str]] = {}
    for folder, inside, names in os.walk(top):
        inside[:] = [name for name in inside if name != "__pycache__"]
        below = folder.removeprefix(top).replace(os.sep, "/").removeprefix("/")
        for name in names:
            if name.endswith(".py") and name != "__init__.py":
                stem = name.removesuffix(".py")
                found.setdefault(stem, []).append(f"{below}/{stem}" if below else stem)
    return found


def renamed(name: str) -> str:
    """The present name of a stage that may be called by a former one."""
    return RENAMED.get(name, name)


def _canonical(name: str, beside: Path) -> str:
    """The name of a stage in a chain file; a user's own stage beside the file keeps the name that it has there."""
    return name if (beside / f"{name}.py").is_file() else renamed(name)


def _path_of(name: str, where: Origin | None) -> str:
    """The path of the stage *name* below the modules folder, without the suffix.

    A file name is enough where only one file has it; otherwise the name is a path, such as ``symbolic/run``. Raises
    ChainError where there is no such file, or more than one.
    """
    name = renamed(name)
    paths = _files().get(name.rpartition("/")[2], [])
    found = [path for path in paths if path == name] if "/" in name else paths
    if not found:
        raise ChainError(f"there is no stage `{name}`", where)
    if len(found) > 1:
        raise ChainError(f"the stage `{name}` is ambiguous: {', '.join(sorted(found))}", where)
    return found[0]


def _load_file(path: Path, where: Origin | None) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"cseq_stage_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ChainError(f"cannot load the stage {path}", where)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # a user's stage may raise anything at import; the user should see it in one line
        raise ChainError(f"the stage {path} does not load: {type(error).__name__}: {error}", where) from error
    return module
