"""Task definitions as SV-COMP writes them: the files of a program, its data model, and what is expected of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq.model.errors import InputError, MissingError, UnsupportedError, UsageError
from cseq.model.origin import Origin
from cseq.model.taskresults import Expected
from cseq.modules.questions.property_file import read

_BITS = {"ILP32": 32, "LP64": 64}


@dataclass(frozen=True)
class TaskProperty:
    """A property of a definition. name: of the property file, without its end. spec: its path. expected: by name."""

    name: str
    spec: str
    expected: Mapping[str, Expected]


@dataclass(frozen=True)
class Definition:
    """A task definition. bits: of the data model, if it names one. wanted: the properties that are checked here."""

    path: str
    files: tuple[str, ...]
    bits: int | None
    wanted: tuple[TaskProperty, ...]

    @property
    def expected(self) -> dict[str, Expected]:
        """What is expected of all properties, by name."""
        return {name: expected for wanted in self.wanted for name, expected in wanted.expected.items()}


def is_definition(path: Path) -> bool:
    """Whether the YAML file *path* names input files. Files of other kinds are called so, too."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.startswith("input_files:") for line in text.splitlines())


def defined(path: Path) -> Definition:
    """Read the task definition *path*.

    Raises InputError where it is at fault or names what is not there, and MissingError without the reader of YAML.
    """
    try:
        content = _loaded(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Origin(str(path), 1)) from None
    if not isinstance(content, dict):
        raise InputError("not a task definition", Origin(str(path), 1))
    files = tuple(file for name in _texts(content, "input_files", path) for file in _matching(path, name))
    options = content.get("options")
    model = options.get("data_model") if isinstance(options, dict) else None
    if model is not None and model not in _BITS:
        raise InputError(f"the data model `{model}` is not one of {', '.join(_BITS)}", _line(path, "data_model"))
    return Definition(str(path), files, _BITS.get(model) if model else None, tuple(_wanted(content, path)))


def _loaded(path: Path) -> Any:
    """The YAML in the file *path*. Raises InputError where it is none, and OSError."""
    yaml = _yaml()
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _loader(yaml))
    except UnicodeDecodeError:
        raise InputError("not a text file", Origin(str(path), 1)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"not YAML: {what}", Origin(str(path), mark.line + 1 if mark else 1)) from None


def _loader(yaml: Any) -> Any:
    """The safe loader, which refuses a key that is there twice, as YAML does (1.2.2, section 3.2.1.3)."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            known: set[str] = set()
            for key, _ in node.value:
                if key.value in known:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key `{key.value}` is there twice", key.start_mark
                    )
                known |= {key.value} if isinstance(key.value, str) else set()
            return super().construct_mapping(node, deep)

    return Loader


def _yaml() -> Any:
    """The module that reads YAML."""
    try:
        import yaml
    except ModuleNotFoundError:
        how = "`pip install PyYAML` installs it"
        raise MissingError(f"task definitions (*.yml) are read with PyYAML, which is not installed: {how}") from None
    return yaml


def _texts(content: dict[str, Any], key: str, path: Path) -> list[str]:
    """The text or texts for *key*, which has to be there."""
    value = content.get(key)
    found = value if isinstance(value, list) else [value]
    texts = [text for text in found if isinstance(text, str) and text]
    if not texts or len(texts) < len(found):
        raise InputError(f"`{key}` names no file", _line(path, key))
    return texts


def _matching(path: Path, pattern: str) -> list[str]:
    """The files that *pattern*, in the definition *path*, means."""
    exact = path.parent / pattern
    found = [exact] if exact.is_file() else []
    if not found and not Path(pattern).is_absolute():
        found = sorted(file for file in path.parent.glob(pattern) if file.is_file())
    if not found:
        raise InputError(f"the input file `{pattern}` does not exist", _line(path, pattern))
    return [str(file) for file in found]


def _wanted(content: dict[str, Any], path: Path) -> Iterator[TaskProperty]:
    """The properties that are checked here; others are left to other verifiers."""
    listed = content.get("properties") or []
    for item in listed if isinstance(listed, list) else [listed]:
        named = item.get("property_file") if isinstance(item, dict) else None
        if not isinstance(named, str):
            raise InputError("a property has no `property_file`", _line(path, "properties"))
        file = path.parent / named
        if not file.is_file():
            raise InputError(f"the property file `{named}` does not exist", _line(path, named))
        verdict = item.get("expected_verdict")
        if verdict is not None and not isinstance(verdict, bool):
            raise InputError(f"the expected verdict `{verdict}` is neither true nor false", _line(path, named))
        try:
            names = read(file).properties
        except (UnsupportedError, UsageError):  # it asks for coverage, say
            continue
        expected = Expected(verdict, str(item.get("subproperty") or "")) if verdict is not None else None
        yield TaskProperty(file.stem, str(file), dict.fromkeys(names, expected) if expected is not None else {})


def _line(path: Path, text: str) -> Origin:
    """The first line of the file *path* with this *text*."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return Origin(str(path), next((number for number, line in enumerate(lines, 1) if text in line), 1))
