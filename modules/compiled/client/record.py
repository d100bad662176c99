"""What the runtime and its client share: the layout of the file, see `runtime/base/record.h`."""

from __future__ import annotations

import ctypes
import re
from enum import EnumMeta, IntEnum, IntFlag
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cseq.backends.compiled import FOLDER

RUNTIME = Path(FOLDER) / "runtime" / "base"
"""The folder of the runtime with what it shares with its client."""

MAGIC = 0x43534551
LAYOUT = 2

_ENTRY = re.compile(r"^CS_\w+\((\d+), (\w+)(?:, (\w+))?\)", re.MULTILINE)


def _declared(name: str) -> list[tuple[int, str, str]]:
    """The numbers, names and classes that a file of definitions declares."""
    text = (RUNTIME / name).read_text()
    return [(int(number), word, kind) for number, word, kind in _ENTRY.findall(text)]


if TYPE_CHECKING:

    class _Declared(EnumMeta):
        """Enumerations whose members are read from files."""

        def __getattr__(cls: type[_Member], name: str) -> _Member: ...

    _Member = TypeVar("_Member")

    class Op(IntEnum, metaclass=_Declared):
        """The operations of a record."""

    class End(IntEnum, metaclass=_Declared):
        """How a run ends."""

    class Misuse(IntEnum, metaclass=_Declared):
        """Misuse of an object of the thread library."""

else:
    Op = IntEnum("Op", {name.upper(): number for number, name, _ in _declared("operations.def")})
    End = IntEnum("End", {name.upper(): number for number, name, _ in _declared("violations.def")})
    Misuse = IntEnum("Misuse", {name.upper(): number for number, name, _ in _declared("misuses.def")})

OP_CLASS: dict[int, str] = {number: kind for number, _, kind in _declared("operations.def")}
"""READ, WRITE, SYNC or LOCAL: what an operation commutes with."""


class ChoiceKind(IntEnum):
    """What a choice is about."""

    THREAD = 1
    WAITER = 2
    TIMEOUT = 3
    STORE = 4
    FAILS = 5
    SIGNAL = 6
    HEAP = 7
    VALUE = 8


class EntryFlag(IntFlag):
    """What is to be known of an entry besides its operation."""

    FAILED = 1
    TIMED_OUT = 2
    PENDING = 4
    BLOCKED = 8
    OBSERVED = 16
    STACK_MEMORY = 32
    IN_SECTION = 64


class AccessKind(IntEnum):
    """What one side of a data race does."""

    READ = 0
    WRITE = 1
    FREE = 2


class Strategy(IntEnum):
    """Which of the threads that can go on does."""

    RUN = 0
    WALK = 1
    PCT = 2
    POS = 3
    SURW = 4
    ROUND = 5
    PREEMPT = 6
    PCTWM = 7


class RequestFlag(IntFlag):
    """How runs are made."""

    DETAIL = 1
    WEAK = 2
    EARLY = 4
    NO_RACES = 8
    STRICT = 16
    SPURIOUS = 32
    FIRST_RACE = 64
    SLEEP_SETS = 128
    REAL_TIME = 256
    KEEP_HEAP = 512


class World(IntFlag):
    """What a run depends on besides its choices."""

    CLOCK = 1
    INPUT = 2
    RANDOM = 4
    AWAITED = 8
    REUSED = 16
    PROCESS = 32
    MODEL = 64
    IN_MODEL = 128


MOST_THREADS = 1024
MOST_WEIGHTS = 64
_TEXT = 256
_PATH = 240

u8, u16, u32, u64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64


class Choice(ctypes.Structure):
    """One decision of a run."""

    _fields_ = [("kind", u8), ("alternatives", u8), ("value", u16)]


class Entry(ctypes.Structure):
    """One operation that was executed, or at the end is announced."""

    _fields_ = [
        ("op", u16), ("thread", u16), ("flags", u8), ("size", u8), ("order", u8), ("unheard", u8),
        ("stack", u32), ("choice", u32), ("object", u64), ("value", u64), ("argument", u64), ("enabled", u64),
    ]  # fmt: skip


class StackNode(ctypes.Structure):
    """A node of the call stacks."""

    _fields_ = [("pc", u64), ("caller", u32), ("spare", u32)]


class Side(ctypes.Structure):
    """One side of a data race."""

    _fields_ = [
        ("pc", u64), ("stack", u32), ("entry", u32), ("thread", u16), ("kind", u8), ("atomic", u8), ("size", u8),
        ("is_volatile", u8), ("spare", u8 * 2),
    ]  # fmt: skip


class RaceRecord(ctypes.Structure):
    """A data race."""

    _fields_ = [("first", Side), ("second", Side), ("address", u64), ("value", u64)]


class ThreadInfo(ctypes.Structure):
    """A thread of the run."""

    _fields_ = [
        ("start", u64), ("handle", u64), ("stack", u32), ("creator", u16), ("number", u16), ("stack_low", u64),
        ("stack_high", u64),
    ]  # fmt: skip


class BlockInfo(ctypes.Structure):
    """A block of memory from malloc or new."""

    _fields_ = [
        ("address", u64), ("size", u64), ("allocated", u32), ("freed", u32), ("thread", u16), ("freeing_thread", u16),
        ("state", u32),
    ]  # fmt: skip


class RequestRecord(ctypes.Structure):
    """What the client asks for."""

    _fields_ = [
        ("runs", u32), ("strategy", u32), ("seed", u64), ("flags", u32), ("depth", u32), ("steps", u64),
        ("milliseconds", u32), ("length", u32), ("prescribed", u32), ("sites", u32), ("asleep", u64),
        ("weights", u32 * MOST_WEIGHTS), ("status", ctypes.c_int32), ("batch_milliseconds", u32),
    ]  # fmt: skip


class ResultRecord(ctypes.Structure):
    """What a run did."""

    _fields_ = [
        ("end", u32), ("detail", ctypes.c_int32), ("object", u64), ("other", u64), ("thread", u32), ("stack", u32),
        ("entries", u32), ("choices", u32), ("frames", u32), ("threads", u32), ("blocks", u32), ("races", u32),
        ("operations", u64), ("plain", u64), ("schedule", u64), ("nanoseconds", u64), ("runs", u32), ("switches", u32),
        ("preemptions", u32), ("spinning", u32), ("world", u32), ("modules", u32), ("text", ctypes.c_char * _TEXT),
    ]  # fmt: skip


class Brief(ctypes.Structure):
    """What a run did, in short."""

    _fields_ = [("schedule", u64), ("operations", u32), ("end", u16), ("races", u16)]


class ModuleRecord(ctypes.Structure):
    """A library that the run has loaded."""

    _fields_ = [("base", u64), ("end", u64), ("path", ctypes.c_char * _PATH)]


class Array(ctypes.Structure):
    """Where an array of the file is."""

    _fields_ = [("offset", u64), ("capacity", u32), ("spare", u32)]


ARRAYS: dict[str, Any] = {
    "given": Choice, "sites": u64, "choices": Choice, "entries": Entry, "frames": StackNode, "threads": ThreadInfo,
    "races": RaceRecord, "blocks": BlockInfo, "briefs": Brief, "known": u64, "modules": ModuleRecord,
}  # fmt: skip
"""The arrays of the file, with the types of their elements."""


class Shared(ctypes.Structure):
    """The beginning of the file."""

    _fields_ = [
        ("magic", u32), ("layout", u32), ("request", RequestRecord), ("result", ResultRecord),
        *((name, Array) for name in ARRAYS),
    ]  # fmt: skip
