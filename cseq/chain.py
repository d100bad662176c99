"""Chains: read a chain file, find its stages, check that they fit together, run and time them.

A chain file is a text with one directive per line; ``#`` starts a comment::

    about    one line on what the chain does
    families symbolic
    stage    merger
    stage    scoper
    default  rounds 2
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import cseq
from cseq.errors import ChainError, UsageError
from cseq.linemap import Origin
from cseq.stage import Context, Parameter, Stage, Wrapper
from cseq.translator import Translator


def modules_folder() -> Path:
    """The folder of the stages and chain files."""
    for home in cseq.__path__:
        folder = Path(home) / "modules"
        if folder.is_dir():
            return folder
    raise ChainError("this installation of cseq has no modules folder")


@dataclass
class Chain:
    """A sequence of stages. Make it with `load`."""

    path: Path
    about: str = ""
    families: list[str] = field(default_factory=list)
    stages: list[tuple[str, type[Stage]]] = field(default_factory=list)
    defaults: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the stages, in order."""
        return [name for name, _ in self.stages]

    def parameters(self) -> dict[str, Parameter]:
        """What the stages take, by name, with the chain's own defaults put in."""
        found: dict[str, Parameter] = {}
        for _, stage in self.stages:
            for parameter in stage.takes:
                found.setdefault(parameter.name, self._with_default(parameter))
        for name in self.defaults:
            if name not in found:
                raise ChainError(f"{self.path}: no stage of this chain takes the parameter `{name}`")
        return found

    def _with_default(self, parameter: Parameter) -> Parameter:
        if parameter.name not in self.defaults:
            return parameter
        from dataclasses import replace

        return replace(parameter, default=convert(parameter, self.defaults[parameter.name], str(self.path)))

    def values(self, given: dict[str, Any]) -> dict[str, Any]:
        """A value for every parameter: what is *given*, checked, else the default. UsageError for names unknown."""
        parameters = self.parameters()
        for name in given:
            if name not in parameters:
                raise UsageError(f"this chain takes no parameter `{name}`")
        return {
            name: convert(parameter, given[name], name) if name in given else parameter.default
            for name, parameter in parameters.items()
        }

    def run(self, value: Any, context: Context, after: Callable[[str, Any], Any] | None = None) -> Any:
        """Send *value* through the stages.

        after: called with each stage's name and its output; what it returns goes on to the next stage, and
               None from it ends the run there.
        Returns the output of the last stage that ran. Times go to ``context.times``, in seconds.
        """
        for name, stage in self.stages:
            context.progress(name)
            start = time.perf_counter()
            try:
                value = stage(context).run(value)
            finally:
                context.times[name] = time.perf_counter() - start
            if after is not None:
                going_on = after(name, value)
                if going_on is None:
                    return value
                value = going_on
        return value


_KINDS = {int: "a whole number", float: "a number", bool: "true or false"}


def convert(parameter: Parameter, value: Any, place: str) -> Any:
    """*value* as the parameter's type; UsageError, naming *place*, when it does not fit."""
    if value is None or parameter.multiple:
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
        raise UsageError(f"{place}: {converted} is less than {parameter.minimum:g}, the least that makes sense")
    if parameter.choices is not None and converted not in parameter.choices():
        raise UsageError(f"{place}: `{converted}` is none of {', '.join(parameter.choices())}")
    return converted


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
            result.stages.append((rest, find_stage(rest, path.parent, where)))
        elif directive == "default":
            name, _, value = rest.partition(" ")
            result.defaults[name] = value.strip()
        else:
            raise ChainError(f"unknown directive `{directive}` (about, families, stage, default)", where)
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


def _check(chain: Chain) -> None:
    """Every fact that a stage needs must be given before it, and a unit cannot follow a wrapper."""
    if not chain.stages:
        raise ChainError(f"{chain.path}: the chain has no stage")
    given: set[str] = set()
    wrapper = None
    for name, stage in chain.stages:
        missing = [fact for fact in stage.needs if fact not in given]
        if missing:
            raise ChainError(f"{chain.path}: the stage `{name}` needs `{missing[0]}`, which no stage before it gives")
        if issubclass(stage, Translator) and wrapper:
            raise ChainError(f"{chain.path}: the translator `{name}` stands behind the wrapper `{wrapper}`")
        if issubclass(stage, Wrapper):
            wrapper = name
        given.update(stage.gives)


def find_stage(name: str, beside: Path, where: Origin | None = None) -> type[Stage]:
    """The stage class called *name*: from a file of that name beside the chain file, else in the modules folder."""
    own = beside / f"{name}.py"
    if own.is_file() and beside.resolve() != modules_folder().resolve():
        module = _load_file(own, where)
    else:
        try:
            module = importlib.import_module(f"cseq.modules.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"cseq.modules.{name}":
                raise
            raise ChainError(f"there is no stage `{name}`", where) from None
    classes = [
        member
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, Stage) and member.__module__ == module.__name__ and not member.__name__.startswith("_")
    ]
    if len(classes) != 1:
        raise ChainError(f"{module.__file__} must define one stage, not {len(classes)}", where)
    return classes[0]


def _load_file(path: Path, where: Origin | None) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"cseq_stage_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ChainError(f"cannot load the stage {path}", where)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a user's stage raises at import, the user should see it in a line
        raise ChainError(f"the stage {path} does not load: {type(error).__name__}: {error}", where) from error
    return module
