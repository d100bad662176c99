"""What transition systems cannot express is refused, by name and place."""

from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin


def refused(what: str, origin: Origin | None = None) -> UnsupportedError:
    """The error for *what*, a construct of the program: other families of engines may support it."""
    return UnsupportedError(f"{what} is not supported in a deductive proof", origin)
