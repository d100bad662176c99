"""Classes with slots, a constructor for their annotated fields, and equality by identity.

What a frozen data class costs, per object and at import, is too much for the nodes of the intermediate representation.
"""

from typing import Any, dataclass_transform

_NONE: Any = object()


class _Field:
    """What is written behind an annotation."""

    __slots__ = ("default", "init", "kw_only")

    def __init__(self, default: Any, init: bool, kw_only: bool) -> None:
        self.default = default
        self.init = init
        self.kw_only = kw_only


def field(*, default: Any = _NONE, init: bool = True, kw_only: bool = False) -> Any:
    """A field with a default. init: whether the constructor takes a value for it; kw_only: by its name only."""
    return _Field(default, init, kw_only)


_PLAIN = _Field(_NONE, True, False)


@dataclass_transform(field_specifiers=(field,))
class Slotted(type):
    """The type of such classes. The fields of a class come after those of its base, and patterns see them alone."""

    _fields: dict[str, _Field]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Make the class *name*."""
        own = {each: namespace.pop(each, _PLAIN) for each in namespace.get("__annotations__", ())}
        fields: dict[str, _Field] = {}
        for base in bases:
            fields.update(getattr(base, "_fields", {}))
        fields.update(own)
        namespace["__slots__"] = tuple(own)
        namespace["_fields"] = fields
        if "__match_args__" not in namespace and own:
            namespace["__match_args__"] = tuple(own)
        if "__init__" not in namespace:
            namespace["__init__"] = _constructor(fields)
        return super().__new__(mcs, name, bases, namespace)


def _constructor(fields: dict[str, _Field]) -> Any:
    """The function that takes values for *fields*, and stores them."""
    defaults = {f"default_{name}": each.default for name, each in fields.items() if each.default is not _NONE}

    def parameter(name: str) -> str:
        return f"{name}=default_{name}" if f"default_{name}" in defaults else name

    given = [parameter(name) for name, each in fields.items() if each.init and not each.kw_only]
    named = [parameter(name) for name, each in fields.items() if each.init and each.kw_only]
    lines = [f"def __init__({', '.join(['self', *given, *(['*'] if named else []), *named])}):"]
    lines += [f" self.{name} = {name if each.init else f'default_{name}'}" for name, each in fields.items()]
    made: dict[str, Any] = {}
    exec("\n".join([*lines, " pass"]), dict(defaults), made)
    return made["__init__"]
