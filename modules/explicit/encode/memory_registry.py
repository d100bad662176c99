"""List the objects of a step program, for the claims about memory accesses."""

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols, basic
from cseq.modules.core.definedness import DEFINEDNESS
from cseq.modules.core.undefined_behaviour.roots import is_users, pointers_at_file_level
from cseq.modules.explicit.encode.aligner import BETWEEN, IN_ORDER
from cseq.modules.explicit.encode.step_program import AT, STEPS, PlaceFrame
from cseq.modules.explicit.encode.stepper.frames import GAP
from cseq.modules.explicit.encode.stepper.stepper import FORWARD, STATE, in_state
from cseq.options.properties import MEMSAFETY, PROPERTY
from cseq.pipeline.facts import Needs
from cseq.pipeline.translator import Translator, rebuilt

_HEAP = "__cs_heap"
_NONE = [
    "unsigned char __cs_heap[1];",
    "const unsigned int __cs_heap_odd = 0;",
    "const unsigned long __cs_heap_size = 0;",
    "const unsigned long __cs_heap_total = 0;",
]
"""What the functions about blocks refer to, in a program without."""
_NO_UNITS = "unsigned char __cs_heap_units[64];"
"""The same, in the state: functions of the library touch the unit of their thread, see `touches.py`."""
_ALL_DEFINED = ["unsigned char __cs_undefined[1];", "const unsigned long __cs_undefined_size = 0;"]
_NO_OBJECTS = frozenset({AT, _HEAP, "__cs_heap_units", "__cs_frames", "__cs_frame_of_main", "__cs_order"})
"""What no pointer of the program leads to as a whole."""


class MemoryRegistry(Translator):
    """in: a step program. out: the same, with tables of its objects where it has to find the object at an address.

    There is memory that belongs to nothing after each object, so that no address is that of two objects.
    """

    takes = (PROPERTY,)
    definedness = Needs(DEFINEDNESS)
    steps = Needs(STEPS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Separate the objects, and append the tables."""
        if self.parameter(PROPERTY) != MEMSAFETY and not self.steps.has_layout:
            return tree
        self._symbols = Symbols(tree, self.context.model)
        nodes: list[c_ast.Node] = []
        objects: list[c_ast.Decl] = []
        for node in tree.ext:
            if isinstance(node, c_ast.Decl) and FORWARD in (node.storage or []):
                nodes += self._separated(node, f"ahead_of_{node.name}")
            elif self._is_object(node):
                objects.append(node)
                nodes += self._separated(node, str(len(objects)))
            else:
                nodes.append(node)
        roots, _ = pointers_at_file_level(self._symbols, tree)
        has_heap = any(isinstance(node, c_ast.Decl) and node.name == _HEAP for node in tree.ext)
        lines = [*_objects(objects), *_locals(self.steps.frames), *self._frames(), *_roots(roots)]
        lines += [] if has_heap else _NONE
        lines += [] if self.definedness.is_tracked else _ALL_DEFINED
        units = [] if has_heap else [in_state(node, False) for node in ours([_NO_UNITS])]
        return c_ast.FileAST([*nodes, *units, *ours(lines)])

    def _is_object(self, node: c_ast.Node) -> bool:
        if not isinstance(node, c_ast.Decl) or not node.name or node.name in _NO_OBJECTS:
            return False
        if STATE in (node.storage or []):
            return True
        type_ = self._symbols.resolve(node.type)
        if isinstance(type_, c_ast.FuncDecl) or "extern" in (node.storage or []):
            return False
        return node.init is not None and self._symbols.is_const(node.type)

    def _separated(self, node: c_ast.Decl, number: str) -> list[c_ast.Node]:
        """The declaration of an object, and of what comes after it."""
        gap = build.declare(f"__cs_gap_{number}", c_ast.ArrayDecl(basic("unsigned char"), build.number(GAP), []))
        in_order: c_ast.Node = rebuilt(node, storage=[*node.storage, IN_ORDER])
        if STATE in node.storage or FORWARD in node.storage:
            return [in_order, rebuilt(in_state(gap), storage=["static", STATE, BETWEEN])]
        gap.type.type.quals = ["const"]
        zero = c_ast.InitList([build.number(0)])
        return [in_order, rebuilt(gap, storage=["static", BETWEEN], init=zero)]

    def _frames(self) -> Iterator[str]:
        """The table of the frames of threads."""
        main = next((frame for frame in self.steps.frames if frame.is_main), None)
        others = any(not frame.is_main for frame in self.steps.frames)
        places = ["{&__cs_frame_of_main, sizeof(__cs_frame_of_main)}" if main else "{0, 0}"]
        for thread in range(1, self.steps.most_threads):
            place = f"__cs_frames[{thread - 1}]"
            places.append(f"{{&{place}, sizeof({place})}}" if others else "{0, 0}")
        yield f"const struct __CSEQ_frame __cs_frame_table[] = {{ {', '.join(places)} }};"


def _objects(objects: list[c_ast.Decl]) -> Iterator[str]:
    entries = [f"{{&{node.name}, sizeof({node.name}), {int(is_users(node))}}}" for node in objects]
    yield f"const struct __CSEQ_object __cs_objects[] = {{ {', '.join(entries) or '{0, 0, 0}'} }};"
    yield f"const unsigned int __cs_objects_count = {len(entries)};"


def _locals(frames: list[PlaceFrame]) -> Iterator[str]:
    entries = []
    for frame in frames:
        for name, ended in frame.locals.items():
            member = f"((struct {frame.type} *)0)->{name}"
            flag = f"(long)&((struct {frame.type} *)0)->{ended}" if ended else "-1"
            entries.append(f"{{{frame.first}, {frame.last}, (unsigned long)&{member}, sizeof({member}), {flag}}}")
    yield f"const struct __CSEQ_local __cs_locals[] = {{ {', '.join(entries) or '{0, 0, 0, 0, 0}'} }};"
    yield f"const unsigned int __cs_locals_count = {len(entries)};"


def _roots(roots: list[str]) -> Iterator[str]:
    lead = " || ".join(f"__CSEQ_is_in((const void *)({root}), block, size)" for root in roots) or "0"
    yield f"int __CSEQ_is_rooted(const char *block, unsigned long size) {{ return {lead}; }}"
