"""The options: CSeq's own, and one for each parameter that the stages of the chosen chain declare."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cseq.cli.outputs import FileOptions, PrintOptions
from cseq.cli.request import Request
from cseq.cli.validation import check
from cseq.model.errors import ChainError, UsageError
from cseq.pipeline.chain import Chain, convert, renamed
from cseq.pipeline.stage import Parameter
from cseq.portfolio.families import SEARCHING, Families, OneChain

_ABOUT = """Find concurrency bugs in multi-threaded C and C++ programs.

FILES are the C or C++ files of one program, or folders of programs, which are checked separately.
`cseq check --project build` checks the programs of a project from its compilation database.
`cseq run -- PROGRAM` explores a program that was compiled by cseq-cc or cseq-c++, and `cseq replay FILE` repeats a run
of it. Each command has its own `--help`."""

_EPILOG = """Exit status: 0 no violation found, 1 violation, 2 the input or the command line is at fault, 3 no verdict.
`cseq doctor` lists the engines on this machine."""

# CSeq's own options: their names, the name of their value (none for flags), and what they do. All but the last three
# are members of `PrintOptions` or of `FileOptions`.
_OWN_OPTIONS = (
    (("--cex",), None, "Show the execution that leads to the violation, step by step."),
    (
        ("--explain",),
        None,
        "Explain what goes wrong and what a fix has to do, or what a proof relies on.",
    ),
    (("--json",), None, "Report as one JSON object."),
    (("--sarif",), None, "Report as SARIF 2.1.0, for dashboards of code scanning."),
    (("-q", "--quiet"), None, "Print only the verdict."),
    (("-v", "--verbose"), None, "Also print all bounds and the time of each stage."),
    (("--stop-on-violation",), None, "With a folder of programs: stop at the first violation."),
    (("--keep",), "DIR", "Keep the intermediate files in DIR."),
    (("--html",), "FILE", "Write an HTML page that shows the execution to FILE."),
    (("--reproducer",), "FILE", "Write a C program that repeats the violation in every run to FILE."),
    (("--save-test",), "DIR", "Write a regression test for the violation to DIR."),
    (("--witness",), "FILE", "Write a witness for TRUE or FALSE to FILE: GraphML for FILE.graphml, otherwise YAML."),
    (
        ("--job-list",),
        "FILE",
        "Write jobs for other machines to FILE, one command line per row, for `cseq merge`.",
    ),
    (("--tiles",), "N", "With --job-list: divide each level of bounds into N jobs, a power of two."),
    (("--seq-only",), None, "Print the sequential program, for the verifier of -b or for any verifier, and stop."),
    (("--linemap",), None, "Print the origin of each line of the last program, and stop."),
    (("--linemap-json",), "FILE", "Write the origin of each line of the sequential program to FILE, as JSON."),
    (("--dump-after",), "STAGE", "Print the output of STAGE, and stop."),
    (("--ir",), None, "With --dump-after: print the intermediate representation of the program."),
    (("--dump-all",), "DIR", "Write the output of each stage to DIR."),
    (("--chain",), "CHAIN", "The stages to run: a chain file, or the name of a chain of CSeq."),
    (("--version",), None, "Print the version."),
    (("-h", "--help"), None, "Print this text."),
)

_PRINTED = frozenset(member.name for member in fields(PrintOptions))
_WRITTEN = frozenset(member.name for member in fields(FileOptions))

# The options that need the intermediate programs.
_SHOWING = ("seq_only", "linemap", "linemap_json", "dump_all")

# The options that may be given several times.
_REPEATED = frozenset({"--witness"})

# The names of the stages' parameters must not clash with those of our options.
_OWN = "own_"
STAGE = "stage_"
"""The prefix of the names of options that set a parameter of a stage; the rest is the name of the parameter."""


@dataclass(frozen=True)
class Arguments:
    """What the words of a command line ask for.

    chains: what there is to choose from. own: our own options. values: the parameters of stages that are given.
    files: the user's, or folders of programs. words: the words. command: the name of the command.
    """

    chains: Families | OneChain
    own: Mapping[str, Any]
    values: Mapping[str, Any]
    files: tuple[str, ...]
    words: tuple[str, ...]
    command: str

    @property
    def printed(self) -> PrintOptions:
        """What is printed."""
        return printed(self.own)

    @property
    def written(self) -> FileOptions:
        """What is written."""
        return written(self.own)

    def request(self, files: Sequence[str], **more: Any) -> Request:
        """The request for the program that *files* make, with *more* values of parameters.

        Raises UsageError for options that cannot be combined.
        """
        values = {**self.values, **more}
        way, rivals = self.chains.ways(values, _shown(self.own), files)
        return Request(
            files=tuple(files),
            way=way,
            rivals=rivals,
            given=frozenset(values),
            printed=self.printed,
            written=self.written,
            words=self.words,
            command=self.command,
        )


def read(chain: Chain | None, words: list[str], program: str = "cseq") -> Request | str:
    """The request in the command line *words* of the command *program*; a text when it only asks for help.

    chain: the stages to run; without one, the backend and the options decide.
    Raises UsageError for invalid words, and ChainError for parameters of *chain* that cannot become options.
    """
    found = asked(chain, words, program)
    if isinstance(found, str):
        return found
    request = found.request(found.files)
    check(request)
    return request


def asked(chain: Chain | None, words: list[str], program: str = "cseq") -> Arguments | str:
    """What *words* ask for, which is not checked yet, or the help. The arguments and errors are those of `read`."""
    given = tuple(words)  # click removes the words
    chains = Families() if chain is None else OneChain(chain)
    found = (_parsed_quickly(chains, words) if isinstance(chains, Families) else None) or parsed(
        command_for(chains), words
    )
    if isinstance(found, str):
        return found
    own, values = found
    files = (*own.pop("input", ()), *own.pop("files", ()))
    own.pop("chain", None)
    return Arguments(chains, own, values, files, given, program)


def _parsed_quickly(chains: Families, words: list[str]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What `parsed` finds in *words*, where the families that search have all options; None where others are needed.

    Loading the other families takes as long as the translation of a small program.
    """
    for families in (SEARCHING[:1], SEARCHING):
        try:
            found = parsed(command_for(chains, chains.searching_parameters(*families)), list(words))
        except UsageError:
            continue
        return None if isinstance(found, str) else found
    return None


def parsed(command: click.Command, words: list[str]) -> tuple[dict[str, Any], dict[str, Any]] | str:
    """Our own options in *words*, and those of stages, with their values; the help if it is asked for.

    Raises UsageError for words that *command* does not take.
    """
    try:
        context = command.make_context(command.name, words)
    except click.ClickException as error:
        message = error.format_message().rstrip(".")
        raise UsageError(message[:1].lower() + message[1:]) from None
    own: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for name, value in context.params.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            kept = values if name.startswith(STAGE) else own
            kept[name.removeprefix(STAGE).removeprefix(_OWN)] = value
    if own.pop("help", False):
        return command.get_help(context) + "\n"
    return own, values


def printed(own: Mapping[str, Any]) -> PrintOptions:
    """What is printed, according to our own options."""
    given = {name: value for name, value in own.items() if name in _PRINTED}
    if given.get("dump_after"):
        given["dump_after"] = renamed(str(given["dump_after"]))
    return PrintOptions(**given)


def written(own: Mapping[str, Any]) -> FileOptions:
    """What is written, according to our own options."""
    return FileOptions(**{name: value for name, value in own.items() if name in _WRITTEN})


def _shown(own: Mapping[str, Any]) -> str | None:
    """The stage whose program is shown; empty where those of a whole chain are, None where only a verdict is wanted."""
    if own.get("dump_after"):
        return renamed(str(own["dump_after"]))
    return "" if any(own.get(name) for name in _SHOWING) else None


def own_options() -> tuple[tuple[tuple[str, ...], str | None, str], ...]:
    """CSeq's own options: names, the name of the value if it takes one, and what it does."""
    return _OWN_OPTIONS


class Command(click.Command):
    """A command whose help shows the options of only one family of engines under a separate heading."""

    sections: dict[str, list[click.Parameter]]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        for heading, options in self.sections.items():
            records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def command_for(chains: Families | OneChain, only: Mapping[str, Parameter[object]] | None = None) -> Command:
    """The command, with its options in the order of the help. only: the parameters that have options, if not all do."""
    files = click.Argument([f"{_OWN}files"], nargs=-1, metavar="[FILES]...")
    inputs = click.Option(["-i", "--input", f"{_OWN}input"], metavar="FILE", multiple=True, help="One of the C files.")
    own = [own_option(names, metavar, text) for names, metavar, text in _OWN_OPTIONS]
    taken = {name for option in [inputs, *own] for name in option.opts}
    sections: dict[str, list[click.Parameter]] = {"Options": [inputs]}
    for parameter in (chains.parameters() if only is None else only).values():
        options = _options(parameter)
        for name in [name for option in options for name in option.opts]:
            if name in taken:
                what = f"the option {name} of the parameter `{parameter.name}`"
                raise ChainError(f"{chains.place}: {what} is taken already")
            taken.add(name)
        if not options:
            continue
        heading = f"Options {chains.heading(parameter.name)}".rstrip() if only is None else "Options"
        sections.setdefault(heading, []).extend(options)
    sections["Options"] += own
    command = Command(
        "cseq",
        params=[files, *(option for options in sections.values() for option in options)],
        help=_ABOUT,
        epilog=_EPILOG,
        add_help_option=False,
        context_settings={"max_content_width": 100},
    )
    command.sections = sections
    return command


def command_to_run(
    name: str,
    about: str,
    parameters: Iterable[Parameter[object]],
    own: Collection[str],
    more: Sequence[click.Parameter] = (),
) -> Command:
    """A command *name* whose last words are a program and its arguments, which may look like options.

    parameters: those that are options. own: which of our own options there are. more: others, and arguments before the
    program; where there are any, they may be mixed with options.
    """
    options = options_of(parameters)
    options += [option for option in more if isinstance(option, click.Option)]
    options += [own_option(names, value, text) for names, value, text in _OWN_OPTIONS if names[-1] in own]
    arguments = [argument for argument in more if isinstance(argument, click.Argument)]
    metavar = "[-- PROGRAM [ARGS]...]" if arguments else "[--] PROGRAM [ARGS]..."
    program = click.Argument([f"{_OWN}program"], nargs=-1, type=click.UNPROCESSED, metavar=metavar)
    return command_with(name, about, options, [*arguments, program], mixed=bool(arguments))


def command_with(
    name: str,
    about: str,
    options: Sequence[click.Parameter],
    arguments: Sequence[click.Argument] = (),
    mixed: bool = True,
) -> Command:
    """A command *name* with all *options* under one heading. mixed: they may stand among the *arguments*."""
    command = Command(
        name,
        params=[*arguments, *options],
        help=about,
        add_help_option=False,
        context_settings={"max_content_width": 100, "allow_interspersed_args": mixed},
    )
    command.sections = {"Options": list(options)}
    return command


def options_of(parameters: Iterable[Parameter[object]]) -> list[click.Option]:
    """The options that set the *parameters*."""
    return [option for parameter in parameters for option in _options(parameter)]


def own_option(names: tuple[str, ...], metavar: str | None, text: str) -> click.Option:
    """The option for one of `own_options`."""
    target = _OWN + names[-1].removeprefix("--").replace("-", "_")
    repeated = not _REPEATED.isdisjoint(names)
    # If click is told that it is not a flag, it accepts the option without its value.
    kind = {"is_flag": True} if metavar is None else {"metavar": metavar}
    return click.Option([*names, target], **kind, help=text, multiple=repeated)


def _options(parameter: Parameter[object]) -> list[click.Option]:
    """The options that set *parameter*: usually one, two for the data model, or none if it declares none."""
    target = STAGE + parameter.name
    if parameter.name == "bits" and not parameter.options:
        return [_bits_option(bits, target, parameter.default) for bits in (32, 64)]
    if not parameter.options:
        return []
    text = parameter.help[:1].upper() + parameter.help[1:] + "."
    if parameter.type is bool:
        return [click.Option([*parameter.options, target], is_flag=True, help=text)]
    choices = parameter.choices() if parameter.choices else []
    notes = [f"one of {', '.join(choices)}"] if len(choices) > 1 else []
    if parameter.default not in (None, "", ()):
        notes.append(f"default: {parameter.default}")
    return [
        click.Option(
            [*parameter.options, target],
            type=_ParameterType(parameter),
            metavar=parameter.metavar or parameter.type.__name__.upper(),
            multiple=parameter.multiple,
            help=text + (f"  [{'; '.join(notes)}]" if notes else ""),
        )
    ]


def _bits_option(bits: int, target: str, default: Any) -> click.Option:
    what = {32: "int, long and pointers have 32 bits", 64: "long and pointers have 64 bits"}[bits]
    note = "  [default]" if bits == default else ""
    return click.Option([f"--{bits}", target], flag_value=bits, type=int, help=f"The data model: {what}.{note}")


if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # which has a type parameter in new versions of click only


class _ParameterType(_ParamType):
    """The type of a stage's parameter. Errors have the chain's message, which names the option."""

    def __init__(self, parameter: Parameter[object]) -> None:
        self.name = parameter.name
        self._parameter = parameter

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return convert(self._parameter, value, self._parameter.options[0])
