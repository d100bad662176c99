"""The objects of a program: variables, string literals, and functions."""

from enum import Enum
from typing import Any

from cseq.model.origin import Origin
from cseq.modules.ir.slotted import Slotted, field
from cseq.modules.ir.types import Type


class Storage(Enum):
    """How long an object lives, and what it is. TEMPORARY: an automatic one of ours. LIBRARY: a static one of ours."""

    STATIC = "static"
    THREAD_LOCAL = "thread"
    AUTO = "auto"
    PARAMETER = "parameter"
    TEMPORARY = "temp"
    STRING = "string"
    CODE = "code"
    LIBRARY = "library"


class Object(metaclass=Slotted):
    """A named object, a string literal, or a function.

    number: dense within a program. is_visible: whether other threads can notice an access to it. template: the number
    of the template that a local belongs to; locals of several templates are several objects, even if they share a name.
    declaration: what declares it, if that is known; for a string, the literal.
    """

    number: int
    name: str
    type: Type
    storage: Storage
    is_const: bool
    is_visible: bool
    template: int | None = field(default=None)
    declaration: Any = field(default=None)

    @property
    def origin(self) -> Origin | None:
        """Where it is declared."""
        origin: Origin | None = None if self.declaration is None else self.declaration.coord
        return origin

    @property
    def is_local(self) -> bool:
        """Whether each activation, or each thread, has its own."""
        return self.template is not None
