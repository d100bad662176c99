"""The project's exceptions; each has the exit status of the command line."""

from cseq.model.origin import Origin


class CSeqError(Exception):
    """Base of all errors that a user may see.

    message: one line, without a full stop.
    origin:  where in the user's source, when the error has a place.
    """

    exit_status = 2

    def __init__(self, message: str, origin: Origin | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.origin = origin

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}" if self.origin else self.message


class InputError(CSeqError):
    """The user's program cannot be read: missing, not C, without a main, …"""


class UnsupportedError(InputError):
    """The program is C, but uses a construct that this version refuses. Names the construct."""


class UndefinedError(UnsupportedError):
    """The program uses a function or an object of which it has no definition."""


class UsageError(CSeqError):
    """The command line or a parameter is at fault."""


class ChainError(UsageError):
    """A chain file, or a stage that it names, is at fault."""


class BackendError(CSeqError):
    """The engine is missing, crashed, was killed, or printed something that its parser does not know."""

    exit_status = 3


class MissingError(BackendError):
    """The engine, or a program that it needs, is not installed: nothing is wrong with what is there."""


_STAGE = "cseq_stage"
"""The attribute of an exception that has the name of the stage that raised it."""


def note_stage(error: BaseException, stage: str) -> None:
    """Note that *error* was raised in this stage, unless a stage is noted already. A traceback shows the note."""
    if not stage_of(error):
        setattr(error, _STAGE, stage)
        error.add_note(f"in the stage `{stage}`")


def stage_of(error: BaseException) -> str:
    """The name of the stage that raised *error*; empty where that is not known."""
    return str(getattr(error, _STAGE, ""))
