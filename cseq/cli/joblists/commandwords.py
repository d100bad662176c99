"""The words of a command line that sets given values of parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cseq.pipeline.stage import Parameter

_SHORT = {"backend": "-b"}
"""Parameters whose short option says enough."""


def words(
    values: Mapping[str, Any], parameters: Mapping[str, Parameter[object]], files: Sequence[str], report: str = "--json"
) -> list[str]:
    """The words that set the *values* by name, in their order, ask for *report*, and name the *files*.

    parameters: those of all families, by name. Raises KeyError for a value without an option.
    """
    found = [word for name, value in values.items() for word in _option(parameters[name], value)]
    protected = ["--"] if any(file.startswith("-") for file in files) else []
    return [*found, report, *protected, *files]


def _option(parameter: Parameter[object], value: Any) -> Iterator[str]:
    if value is None or value is False:
        return
    if parameter.name == "bits" and not parameter.options:
        yield f"--{value}"
        return
    if not parameter.options:
        raise KeyError(parameter.name)
    option = _SHORT.get(parameter.name) or max(parameter.options, key=len)
    if value is True:
        yield option
        return
    for each in value if parameter.multiple else [value]:
        text = _text(each)
        if option.startswith("--"):
            yield from (f"{option}={text}",) if text.startswith("-") or not text else (option, text)
        else:
            yield from (f"{option}{text}",) if text.startswith("-") else (option, text)


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
