"""Recorded runs of a small program in C++, made by hand: no runtime and no schedule, only its debug information."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cseq.modules.compiled.cc.elf import section
from cseq.modules.compiled.client.record import End, EntryFlag, Op, RequestFlag, Strategy
from cseq.modules.compiled.client.recorded import Block, Module, Operation, RecordedRun, ThreadRecord

SOURCE = """\
enum Colour { RED, GREEN };
struct Lock { long inside[5]; };
struct Account { int balance; Lock lock; };
namespace bank { Account accounts[4]; Colour colour = GREEN; }
static double rate;
struct Node { Node *next; char mark; };
Node *top;
unsigned char small;
bool done;
#define HERE(name) asm volatile("1: nop; .pushsection .at." #name ",\\"a\\"; .quad 1b; .popsection")
template <class T> inline __attribute__((always_inline)) void inner(T) {
    HERE(in_template);
}
static __attribute__((noinline)) void deposit(int n) {
    bank::accounts[n].balance++; HERE(in_deposit);
}
extern "C" void worker() {
    deposit(1); HERE(after_deposit);
    inner(2.5);
    auto call = []() __attribute__((noinline)) { HERE(in_lambda); }; call();
    top = new Node; HERE(allocates);
    HERE(locks); // std::lock_guard<std::mutex> guard(mine);
}
int main() { rate = 1; done = small; worker(); HERE(in_main); }
"""
"""The address of each place is in a section of its own."""

HEAP = 0x7000_0000
STACK = 0x7FFF_0000


class Example:
    """The compiled program. at: addresses of symbols and places, by name."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "example.cpp"
        self.source.write_text(SOURCE)
        program = folder / "example"
        subprocess.run(["g++", "-g", "-O0", "-no-pie", str(self.source), "-o", str(program)], check=True)
        listed = subprocess.run(["nm", str(program)], check=True, capture_output=True, text=True).stdout
        self.at = {line.split()[2]: int(line.split()[0], 16) for line in listed.splitlines() if len(line.split()) == 3}
        for name in re.findall(r"HERE\((\w+)\);", SOURCE):
            self.at[name] = int.from_bytes(section(program, f".at.{name}") or b"", "little")
        self.module = Module(str(program), 0, 1 << 24)
        self.folder = folder

    def run(self, *operations: Operation, stacks: Sequence[Sequence[str]] = (), **more: Any) -> RecordedRun:
        """A run. stacks: chains of places; operations, blocks, `stack` and `freed` have their numbers, from 1."""
        frames: list[tuple[int, int]] = [(0, 0)]
        ends: list[int] = [0]
        for chain in stacks:
            caller = 0
            for name in reversed(chain):
                frames.append((self.at[name] + 1, caller))
                caller = len(frames) - 1
            ends.append(caller)
        numbered = tuple(replace(each, stack=ends[each.stack]) for each in operations)
        threads = (
            ThreadRecord(0, 0, 0, 0, 0, STACK, STACK + 0x1000),
            ThreadRecord(1, 0, self.at["worker"], 0, 0, STACK + 0x2000, STACK + 0x3000),
            ThreadRecord(2, 0, self.at["worker"], 0, 0, STACK + 0x4000, STACK + 0x5000),
        )
        made = RecordedRun(
            End.EXITED, 0, 0, 0, 0, 0, "", numbered, (), tuple(frames), threads, (), (), (self.module,), b"", 0, 0, 0,
            0, 0, 0, Strategy.WALK, 1, RequestFlag.DETAIL, (),
        )  # fmt: skip
        for name in {"stack", "freed"} & set(more):
            more[name] = ends[more[name]]
        more["other"] = more.pop("freed", more.get("other", 0))
        blocks = tuple(replace(block, allocated=ends[block.allocated], freed=ends[block.freed])
                       for block in more.pop("blocks", ()))  # fmt: skip
        return replace(made, blocks=blocks, **more)


def did(op: Op, thread: int, thing: int = 0, stack: int = 1, **more: Any) -> Operation:
    """An executed operation. stack: the number of its chain of places, from 1."""
    flags = more.pop("flags", EntryFlag(0))
    values = {"value": 0, "argument": 0, "size": 0, "order": 0, "choice": 0, "enabled": 0, **more}
    return Operation(op, thread, thing, flags=flags, stack=stack, **values)


def block(address: int = HEAP, size: int = 16, allocated: int = 0, freed: int = 0) -> Block:
    """A block of the heap; its places as for `did`."""
    return Block(address, size, allocated, freed, 0, 0, 2 if freed else 1)
