"""Which of a program's assertions are claimed, and what they claim."""

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.model.claims import Claim, Kind
from cseq.model.origin import Origin
from cseq.modules.library import lexicon


def claim(cond: c_ast.Node, claimed: Claim, origin: Origin | None = None) -> c_ast.FuncCall:
    """The statement that claims *cond*."""
    return build.call(lexicon.ASSERT, cond, build.string(claimed.key), origin=origin)


def fail(claimed: Claim, origin: Origin | None = None) -> c_ast.FuncCall:
    """The statement that violates *claimed* wherever it is reached."""
    return claim(build.number(0), claimed, origin)


def asserted(node: c_ast.FuncCall) -> str:
    """The key of what a call of one of `lexicon.ASSERTIONS` claims."""
    if build.is_call(node, "__CSEQ_check"):
        return build.text(node.args.exprs[1])
    text = Printer()
    text.reduce_parentheses = True
    return Claim(Kind.ASSERTION, subject=text.visit(node.args.exprs[0])).key


class Claims:
    """Which of the assertions of a program are claimed; the others are assumed.

    claims: whether any is claimed. excused: whether assertions about misuse and crashes are assumed.
    """

    def __init__(self, claims: bool = True, excused: bool = False) -> None:
        self._claims = claims
        self._excused = excused

    def has(self, message: c_ast.Node | None) -> bool:
        """Whether the assertion with the string *message*, the key of its claim, is claimed."""
        return self.has_key(message.value[1:-1] if isinstance(message, c_ast.Constant) else "")

    def has_key(self, key: str) -> bool:
        """Whether the assertion whose claim has this *key* is claimed."""
        return self._claims and not (self._excused and Claim.of(key).is_beyond_svcomp)


ALL = Claims()
"""All assertions are claimed."""
