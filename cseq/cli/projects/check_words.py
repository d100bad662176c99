"""The words of a call of `cseq check`, by whom they are for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cseq.cli.outputs import PrintOptions
from cseq.model.errors import UsageError

OPTIONS = (
    ("--project", "DATABASE", "The compilation database, or the folder that it is in."),
    ("--entry", "FUNCTION", "Check a program that calls FUNCTION, with numbers of any value, and nothing else."),
    ("--main", "FILE", "Check the program whose main is in FILE."),
    ("--shared", None, "Show the shared data, and what protects it, of the programs, or of that in FILES."),
    ("--annotate", "FILE", "With --shared: write attributes for clang -Wthread-safety to FILE, as a patch."),
    (
        "--entries", "LIST",
        "With --shared: a library, whose functions any threads call: `all`, or names, separated by commas.",
    ),
    ("--junit", "FILE", "Write the results to FILE as JUnit XML, for continuous integration."),
    ("--baseline", "FILE", "Do not fail because of findings that are in FILE."),
    ("--write-baseline", "FILE", "Write all findings to FILE, for --baseline."),
    ("--no-cache", None, "Check everything again, and do not use the cache."),
)  # fmt: skip

PRINTING = ("--cex", "--explain", "--json", "--sarif", "-q", "--quiet", "-v", "--verbose")
_SHORT = {"-q": "quiet", "-v": "verbose"}


@dataclass
class CheckArguments:
    """The words of the command line. values: of our own options. printed: those about what is printed. rest: others."""

    values: dict[str, str] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)

    def path(self, option: str) -> Path | None:
        """The value of *option*, which is a path."""
        return Path(self.values[option]) if option in self.values else None

    @property
    def printing(self) -> PrintOptions:
        """What is printed."""
        names = {_SHORT.get(word, word.removeprefix("--")) for word in self.printed}
        return PrintOptions(
            cex="cex" in names,
            explain="explain" in names,
            json="json" in names,
            sarif="sarif" in names,
            quiet="quiet" in names,
            verbose="verbose" in names,
        )


def split(words: Sequence[str]) -> CheckArguments:
    """The *words* by whom they are for. Raises UsageError for options of ours without a value, or given twice.

    A run that has all answers does not know the other options: to load what declares them takes longer than the rest.
    """
    takes = {name: value is not None for name, value, _ in OPTIONS}
    found = CheckArguments()
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word in PRINTING:
            found.printed.append(word)
        elif name not in takes or (equals and not takes[name]):
            found.rest.append(word)
        elif name in found.values:
            raise UsageError(f"{name} is given twice")
        elif takes[name] and not equals:
            given = next(rest, None)
            if given is None:
                raise UsageError(f"option '{name}' requires an argument")
            found.values[name] = given
        else:
            found.values[name] = value
    return found
