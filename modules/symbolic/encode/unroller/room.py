"""How much room there is for loops that are unrolled as often as they run.

What such a loop costs an engine depends on the statements of its iterations that other threads can notice: there may be
a context switch before each. While bounds are deepened, there is little room for them at first
(`modules/symbolic/iterative_deepening.py`).
"""

from pycparser import c_ast

from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter

ROOM: Parameter[int | None] = Parameter(
    "room",
    int,
    None,
    "cut a loop off as --unwind says if it takes more than N steps that others can notice to unroll it exactly",
    metavar="N",
)
THINNED = Fact[bool]("thinned")
"""Whether the room was too little for a loop."""

_THREAD = 8
"""The number of such statements as which the creation of a thread counts: it brings all that the thread does."""


class Weights:
    """Counts the statements that other threads can notice, loop by loop. room: how many of them a loop may have."""

    def __init__(self, visibility: Visibility, room: int | None) -> None:
        self._visibility = visibility
        self._room = room
        self._alone = False  # whether the code is main's, before it creates a thread
        self._count = 0
        self._known: dict[int, tuple[c_ast.Node, bool]] = {}
        self.are_exceeded = False

    def enter(self, function: c_ast.FuncDef) -> None:
        """The next statements are those of *function*."""
        self._alone = function.decl.name == "main"

    def begin(self) -> None:
        """The next statements are those of another loop."""
        self._count = 0

    def add(self, statement: c_ast.Node) -> None:
        """A *statement* that contains no others has been copied, or the condition of one that does."""
        if self._room is None:
            return
        creates = _called(statement) == lexicon.CREATE
        self._alone = self._alone and not creates
        if not self._alone:
            self._count += _THREAD if creates else self._is_visible(statement)

    def exceed(self) -> bool:
        """Whether there is no room for a further iteration; notes that."""
        if self._room is None or self._count <= self._room:
            return False
        self.are_exceeded = True
        return True

    def _is_visible(self, statement: c_ast.Node) -> bool:
        if id(statement) not in self._known:
            self._known[id(statement)] = statement, self._notices(statement)
        return self._known[id(statement)][1]

    def _notices(self, statement: c_ast.Node) -> bool:
        seen = self._visibility
        match statement:
            case c_ast.If():
                return seen.count(statement.cond) > 0
            case c_ast.Assignment() if _called(statement):
                return seen.is_visible(statement.lvalue) or self._notices(statement.rvalue)
            case c_ast.Assignment():
                return seen.is_visible(statement.lvalue) or seen.count(statement.rvalue) > 0
            case c_ast.FuncCall():
                name = _called(statement)
                if lexicon.is_contained(name):
                    return any(map(seen.reaches_others, statement.args.exprs if statement.args else []))
                return name not in lexicon.LOCAL and not name.startswith(lexicon.NONDET)
        return False


def _called(node: c_ast.Node) -> str:
    """The function that the statement *node* calls; empty if it calls none."""
    call = node.rvalue if isinstance(node, c_ast.Assignment) else node
    return call.name.name if isinstance(call, c_ast.FuncCall) and isinstance(call.name, c_ast.ID) else ""
