"""The initial values of the objects of a program."""

from typing import Any

from cseq.modules.deductive.encode.algebra import convert
from cseq.modules.deductive.encode.cells import Cells, Path
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.values import Values
from cseq.modules.deductive.transitions import Array, Number, Scalar
from cseq.modules.ir.expressions import Const
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program
from cseq.modules.ir.types import Field


def initial_values(program: Program, cells: Cells, values: Values) -> dict[str, int | tuple[int, ...]]:
    """The initial values of the shared variables that *cells* has, by name, as in `System`."""
    found: dict[str, int | tuple[int, ...]] = {ghost.name: 0 for ghost in cells.ghosts}
    for variable, (object_, path) in list(cells.origins.items()):
        if not variable.is_shared or object_.storage not in (Storage.STATIC, Storage.LIBRARY) or object_.is_local:
            continue
        declaration: Any = object_.declaration
        if declaration is None or "extern" in declaration.storage:
            raise refused(f"the object `{object_.name}`, which is not defined,", object_.origin)
        type_ = variable.type.element if isinstance(variable.type, Array) else variable.type
        given = _given(program, object_, path, values, type_)
        if isinstance(variable.type, Array):
            elements = tuple(given.get(index, 0) for index in range(variable.type.length))
            found[variable.name] = 0 if not any(elements) else elements
        else:
            found[variable.name] = given.get(0, 0)
    return found


def _given(program: Program, object_: Object, path: Path, values: Values, type_: Scalar) -> dict[int, int]:
    """The values that the initialiser of *object_* gives the part *path*, by index; the others are 0."""
    found: dict[int, int] = {}
    for place, node in program.initial(object_):
        index = 0
        for step in place.path:
            if not isinstance(step, Field):
                assert isinstance(step.value, Const) and isinstance(step.value.value, int)
                index = index * (step.length or 0) + step.value.value
        if tuple(step for step in place.path if isinstance(step, Field)) != path:
            continue
        value = convert(values.value(node), type_)
        if values.before or not isinstance(value, Number):
            values.before.clear()
            raise refused(f"the initialiser of `{object_.name}`", object_.origin)
        found[index] = value.value
    return found
