"""Named semaphores: each name gets a number, which the thread library uses in its place."""

from __future__ import annotations

from pycparser import c_ast

from cseq.c import build
from cseq.model.errors import UnsupportedError
from cseq.modules.library import primitives, stubs

_FUNCTIONS = ("sem_open", "sem_unlink")
_MOST = 16  # the size of the table in pthread_stubs/semaphore.c


class SemaphoreNames:
    """The names of one unit."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def numbered(self, call: c_ast.FuncCall) -> c_ast.FuncCall | None:
        """A call of sem_open or sem_unlink as a call of the library with all arguments; None for other calls."""
        if call.name.name not in _FUNCTIONS or not call.args:
            return None
        (function,) = primitives.BECOMES[call.name.name]
        count = len(stubs.parameters(function))
        name, *rest = call.args.exprs
        name = build.uncast(name)
        if not isinstance(name, c_ast.Constant) or name.type != "string":
            raise UnsupportedError("the name of a semaphore that is not a literal is not supported", call.coord)
        number = self._numbers.setdefault(name.value, len(self._numbers) + 1)
        if number > _MOST:
            raise UnsupportedError(f"more than {_MOST} names of semaphores are not supported", call.coord)
        arguments = [build.number(number), *rest, *[build.number(0)] * count][:count]
        return build.call(function, *arguments, origin=call.coord)
