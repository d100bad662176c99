"""The options that say what is printed and which files are written."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PrintOptions:
    """The options that select what is printed on standard output, by their names."""

    cex: bool = False
    explain: bool = False
    json: bool = False
    sarif: bool = False
    quiet: bool = False
    verbose: bool = False
    seq_only: bool = False
    linemap: bool = False
    dump_after: str | None = None
    ir: bool = False
    stop_on_violation: bool = False

    @property
    def for_programs(self) -> bool:
        """Whether only the report is wanted: it contains the warnings, or they are not wanted."""
        return self.quiet or self.json or self.sarif

    @property
    def program(self) -> list[str]:
        """The given options that print a program in place of a verdict."""
        wanted = {
            "--seq-only": self.seq_only,
            "--linemap": self.linemap,
            "--dump-after": self.dump_after is not None,
        }
        return [option for option, given in wanted.items() if given]


@dataclass(frozen=True)
class FileOptions:
    """The options that name files to write, by their names."""

    keep: str | None = None
    linemap_json: str | None = None
    dump_all: str | None = None
    witness: tuple[str, ...] = ()
    html: str | None = None
    reproducer: str | None = None
    save_test: str | None = None
    job_list: str | None = None
    tiles: str | None = None
