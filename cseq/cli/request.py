"""The request of one call of the command line."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from cseq.cli.outputs import FileOptions, PrintOptions
from cseq.portfolio.families import Configuration

SEQUENTIALIZER = "sequentializer"
CHECKER = "checker"
"""The stages whose output is for any verifier; the last of them that runs counts."""

INSTRUMENTER = "instrumenter"
"""The stage whose output is for one verifier."""

PUBLISHER = "publisher"
"""The stage that writes the program as TLA+ modules."""


@dataclass(frozen=True)
class Request:
    """One run, and what to print and write of it.

    files: the user's files. way: the chain and the values of its parameters. rivals: other ways to the answer, where
    CSeq chooses the engine. given: the names of the parameters that the user set. words: the words of the command line.
    command: the name of the command. named: the program, where there are several, for warnings.
    """

    files: tuple[str, ...]
    way: Configuration
    rivals: tuple[Configuration, ...] = ()
    given: frozenset[str] = frozenset()
    printed: PrintOptions = field(default_factory=PrintOptions)
    written: FileOptions = field(default_factory=FileOptions)
    words: tuple[str, ...] = ()
    command: str = "cseq"
    named: str = ""

    @property
    def values(self) -> dict[str, Any]:
        """The values of the parameters."""
        return self.way.values

    @property
    def reads(self) -> list[str]:
        """The files that are read, and so must not be overwritten."""
        return [*self.files, *([self.values["spec"]] if self.values.get("spec") else [])]

    @property
    def tells(self) -> bool:
        """Whether lines are printed before the report; not if only the report is wanted."""
        return not self.printed.for_programs and (not self.rivals or self.printed.verbose)

    @property
    def is_published(self) -> bool:
        """Whether the program is only written as TLA+ modules, and neither checked nor printed."""
        return bool(self.values.get("tla")) and "backend" not in self.given and not self.printed.program

    @property
    def last(self) -> str | None:
        """The stage after which to stop; None to run all stages."""
        if self.is_published:
            return PUBLISHER
        if self.printed.linemap:
            return self.way.chain.last_maker
        if not self.printed.seq_only:
            return self.printed.dump_after
        if "backend" in self.given:
            return INSTRUMENTER
        checked = any(self.values.get(option) for option in ("memsafety", "overflow"))
        return CHECKER if checked and CHECKER in self.way.chain.names else SEQUENTIALIZER

    def having(self, **values: Any) -> Request:
        """The same request with these *values* of parameters, on each way."""
        return replace(
            self,
            way=self.way.having(**values),
            rivals=tuple(rival.having(**values) for rival in self.rivals),
        )
