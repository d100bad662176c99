"""Claims whose violation is undefined behaviour, but no call of an error function."""

from __future__ import annotations

from pycparser import c_ast

from cseq.modules.library import lexicon

NO_FUNCTION = "a call through a function pointer that points to no function of its type"
NO_LENGTH = "the length of a variable-length array is positive"


def is_misuse(text: str) -> bool:
    """Whether the claim with this *text* is about the use of the thread library, or of the language."""
    function, colon, _ = text.partition(": ")
    of_library = lexicon.is_library(function) or function == "free"
    return text in (NO_FUNCTION, NO_LENGTH) or bool(colon and of_library)


class Claims:
    """Which of the assertions of a program are claimed; the others are taken for granted.

    claims: whether any is. excused: whether those are taken for granted that `is_misuse` is about.
    """

    def __init__(self, claims: bool = True, excused: bool = False) -> None:
        self._claims = claims
        self._excused = excused

    def has(self, message: c_ast.Node | None) -> bool:
        """Whether the assertion with the string *message* is claimed."""
        text = message.value[1:-1] if isinstance(message, c_ast.Constant) else ""
        return self._claims and not (self._excused and is_misuse(text))


ALL = Claims()
"""Each is claimed."""
