"""What a tracer has put into a function, in a form that can be read."""

import re

from pycparser import c_ast

from cseq.modules.explicit.step_tracer import StepPoint
from cseq.modules.tracing.observations import AccessedValue, Observation
from cseq.modules.tracing.tracer import Point, Tracer
from cseq.pipeline.stage import Unit
from tests.conftest import function_text

_CALL = re.compile(r"__CSEQ_(?P<what>at|show)\((?P<number>\d+)(?:, (?P<value>.*?))?\)(?P<rest>;|, .*)")
_CONTROL = re.compile(r"__cs_\d+_\d+:( ;)?|if \(\(__cs_pc_.*|__CSEQ_assume\(__cs_cs_.*|static .*|arg = .*|[{}]")


def readable(tracer: Tracer, tree: c_ast.FileAST, function: str) -> list[str]:
    """The body of *function*: statements as they are, and the calls of ours in words.

    ``at`` is a point, with its role and what it does; ``show`` is what a value stands for. Schedules are left out.
    """
    lines = [line.strip() for line in function_text(Unit(tree=tree), function).splitlines()[1:]]
    found = []
    for line in lines:
        call = _CALL.fullmatch(line)
        if call is None:
            found += [] if _CONTROL.fullmatch(line) else [line]
        elif call["what"] == "at":
            found.append(" ".join(["at", *_point(tracer.points[int(call["number"])])]))
        else:
            found.append(f"show {_value(tracer.values[int(call['number'])])}")
    return found


def _point(point: Point) -> list[str]:
    role = [point.role] if isinstance(point, StepPoint) and point.role else []
    created = [f"creates {point.created.number}"] if point.created is not None else []
    return [*role, *(f"{action.kind} {action.name}".strip() for action in point.actions), *created]


def _value(value: Observation) -> str:
    return f"{value.kind} {value.name}" if isinstance(value, AccessedValue) else str(value)
