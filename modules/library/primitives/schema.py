"""The entries of the table of primitives.

A primitive is a function of the thread library, or a step of one. What can be read from its C text in
``pthread_stubs/`` is not repeated here: which objects its parameters are, its steps, whether it blocks, whether the
thread can be cancelled in it, what it must not be called for (`modules/library/stubs.py`).
"""

from dataclasses import dataclass
from enum import Enum, auto

from cseq.model.trace import Effect
from cseq.modules.library.acts import Act


class Silence(Enum):
    """Why a call leaves no event in a counterexample."""

    ATTRIBUTES = auto()
    """It is about attributes, which matter when an object or a thread is created with them."""
    OWN = auto()
    """It concerns the calling thread alone."""
    LOOKS = auto()
    """It changes nothing. What it stores for the caller is shown."""
    PRIORITY = auto()
    """It says how urgent something is, which matters only to schedulers."""
    TIME = auto()
    """It lets time pass, or reads the time."""
    STEPS = auto()
    """Its steps, or what the chain turns it into, have entries of their own."""
    END = auto()
    """The end of its thread has an event, which covers it too."""
    INNER = auto()
    """Only other functions of the library call it, and they leave the event."""
    NEXT = auto()
    """Another step of the same call leaves the event."""
    RESULT = auto()
    """Its result, and what other threads do after it, show what it has done."""
    REFUSED = auto()
    """Programs with such calls are refused."""


class NoText(Enum):
    """Why a primitive has no C text under its name."""

    CHAIN = auto()
    """The chain turns its calls into something else."""
    NOTHING = auto()
    """Its calls return 0 and change nothing that a property can see."""
    REFUSED = auto()
    """Its calls are refused."""


class Scheduled(Enum):
    """The purpose of the variant that replaces a function where priorities matter."""

    ASKS = auto()
    """The program observes priorities through it."""
    PRIORITY = auto()
    """It keeps priorities."""
    PROTOCOL = auto()
    """It obeys the protocol of a mutex."""
    TIME = auto()
    """It tells the scheduler what only the passing of time brings about."""


@dataclass(frozen=True)
class Refusal:
    """Why a call is refused.

    what: what is not supported, with its verb. argument: only calls whose argument at this position is not 0 are
    refused; every call if None. unknown: calls whose argument is known only at run time are refused, too.
    """

    what: str
    argument: int | None = None
    unknown: bool = False


@dataclass(frozen=True)
class Primitive:
    """One function.

    does: what a call of it does, in order; or why there is nothing to report about that.
    may_do_nothing: it has done that only if its result is not 0.
    shows: the arguments that point to what it stores for its caller.
    no_text: why there is no C text of that name. becomes: the functions with C text into which its calls are turned.
    needs: what else it needs that its text does not mention.
    hands_on: the argument that it passes on, to another thread or in another call. starts: the argument that is the
    start function of a thread. destructor: the argument that is called when a thread ends.
    of: for a step, the function that the user calls. effect: what it is for a reproducer.
    harmless: for what sets an attribute that changes nothing, the reason. Other attributes are modelled.
    """

    name: str
    does: tuple[Act, ...] | Silence
    may_do_nothing: bool = False
    shows: tuple[int, ...] = ()
    no_text: NoText | None = None
    becomes: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    hands_on: int | None = None
    starts: int | None = None
    destructor: int | None = None
    refusal: Refusal | None = None
    scheduled: Scheduled | None = None
    of: str = ""
    effect: Effect = Effect.ACTS
    harmless: str = ""

    @property
    def acts(self) -> tuple[Act, ...]:
        """What a call does, if there is anything to report."""
        return () if isinstance(self.does, Silence) else self.does
