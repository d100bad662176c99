"""The command line: what the user may write, and how errors become one line and an exit status.

The options are those of `Task`, and one per parameter that the stages of the chosen chain declare.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cseq.errors import CSeqError, UsageError

if TYPE_CHECKING:

    from cseq.chain import Chain
    from cseq.task import Task

DEFAULT_CHAIN = "lazy"

_ABOUT = """Find concurrency bugs in multi-threaded C programs.

FILES are C files, which together make one program."""

_EPILOG = """\b
Exit status: 0 no violation found, 1 violation, 2 the input or the command line
is at fault, 3 no verdict. `cseq doctor` lists the engines on this machine."""

_OWN = "own_"  # the names of our own options and of those of the stages are kept apart by their prefixes
_STAGE = "stage_"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with *arguments*, by default those of the process; returns the exit status.

    Nothing is raised: errors are a line on standard error.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    verbose = "-v" in words or "--verbose" in words
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with _interruptible():
            return _main(words)
    except KeyboardInterrupt:
        return _fail("cseq: interrupted", 130)
    except CSeqError as error:
        where = f"{error.origin}: error:" if error.origin else "cseq: error:"
        return _fail(f"{where} {error.message}", error.exit_status)
    except RecursionError:
        return _fail("cseq: error: the program is nested too deeply", 3, verbose)
    except MemoryError:
        return _fail("cseq: error: out of memory", 3, verbose)
    except OSError as error:
        place = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
        return _fail(f"cseq: error: {place}{error.strerror or error}", 3, verbose)
    except ModuleNotFoundError as error:
        return _fail(f"cseq: error: {error}; in a checkout, `make setup` installs what is needed", 3, verbose)
    except Exception as error:  # a bug of ours, which must not look like a bug of the user's
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        advice = "please report it" if verbose else "please report it with what --verbose shows"
        return _fail(f"cseq: internal error: {what} ({advice})", 3, verbose)


def _fail(message: str, status: int, trace: bool = False) -> int:
    """Put one line on standard error, behind the trace of the exception being handled if that is wanted."""
    if sys.stderr is None:
        return status
    from cseq.report.words import clean

    with contextlib.suppress(OSError):
        if trace:
            import traceback

            traceback.print_exc()
        print(clean(" ".join(message.split("\n"))), file=sys.stderr, flush=True)
    return status


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Make the signals that ask to stop raise KeyboardInterrupt, once: what cleans up is not interrupted again."""

    def interrupt(*_: Any) -> None:
        for number in stopping:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before: dict[int, Any] = {}
    stopping = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    with contextlib.suppress(ValueError):  # not the main thread: then signals are somebody else's
        for number in stopping:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
                before[number] = signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _main(words: list[str]) -> int:
    from cseq.task import write

    if words[:1] == ["doctor"]:
        return _doctor(words[1:])
    if "--version" in words:
        from cseq.version import __version__

        return write(f"cseq {__version__}\n")
    from cseq.chain import load

    chain = load(_chosen_chain(words))
    task = _task(chain, words)
    return write(task) if isinstance(task, str) else task.perform()


def _doctor(words: list[str]) -> int:
    from cseq.task import write

    if words and words[0] in ("-h", "--help"):
        return write(
            "Usage: cseq doctor\n\n  List every engine and tool that CSeq knows, and how to get those missing here.\n"
        )
    if words:
        raise UsageError(f"`cseq doctor` takes no argument, such as `{words[0]}`")
    from cseq.doctor import doctor, render

    return write(render(doctor()) + "\n")


def _chosen_chain(words: list[str]) -> str:
    """The value of ``--chain``, which has to be known before the options are."""
    chosen = DEFAULT_CHAIN
    for number, word in enumerate(words):
        if word == "--":
            break
        if word == "--chain" and number + 1 < len(words):
            chosen = words[number + 1]
        elif word.startswith("--chain="):
            chosen = word.removeprefix("--chain=")
    return chosen


def _task(chain: Chain, words: list[str]) -> Task | str:
    """What *words* ask for; a text, when they only ask for help."""
    import click

    from cseq.task import Task

    command = _command(chain)
    try:
        context = command.make_context("cseq", words)
    except click.ClickException as error:
        message = error.format_message().rstrip(".")
        raise UsageError(message[:1].lower() + message[1:]) from None
    own: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for name, value in context.params.items():
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            kept = values if name.startswith(_STAGE) else own
            kept[name.removeprefix(_STAGE).removeprefix(_OWN)] = value
    if own.pop("help", False):
        return command.get_help(context) + "\n"
    own.pop("chain", None)
    files = [*own.pop("input", ()), *own.pop("files", ())]
    return Task(chain, files, chain.values(values), **own)


def _command(chain: Chain) -> click.Command:
    """The options, in the order in which the help shows them."""
    import click

    flag = {"is_flag": True}
    before: list[click.Parameter] = [
        click.Argument(["own_files"], nargs=-1, metavar="[FILES]..."),
        click.Option(["-i", "--input", "own_input"], metavar="FILE", multiple=True, help="One of the C files."),
    ]
    after = [
        click.Option(["--cex", "own_cex"], **flag, help="Show how the program gets to the violation, step by step."),
        click.Option(["--json", "own_json"], **flag, help="Report as one JSON object."),
        click.Option(["-q", "--quiet", "own_quiet"], **flag, help="Print the verdict's word and nothing else."),
        click.Option(["-v", "--verbose", "own_verbose"], **flag, help="Add all bounds and the time that each stage took."),
        click.Option(["--keep", "own_keep"], metavar="DIR", help="Keep the intermediate files, in DIR."),
        click.Option(["--chain", "own_chain"], metavar="CHAIN", help=f"Chain file, or name of one.  [{DEFAULT_CHAIN}]"),
        click.Option(["--seq-only", "own_seq_only"], **flag, help="Print the sequential program for any verifier, and stop."),
        click.Option(["--linemap", "own_linemap"], **flag, help="Print where each line of the last program comes from, and stop."),
        click.Option(["--dump-after", "own_dump_after"], metavar="STAGE", help="Print the program that STAGE makes, and stop."),
        click.Option(["--dump-all", "own_dump_all"], metavar="DIR", help="Write the program that each stage makes into DIR."),
        click.Option(["--version", "own_version"], **flag, help="Print the version."),
        click.Option(["-h", "--help", "own_help"], **flag, help="Print this text."),
    ]  # fmt: skip
    taken = {name for option in [*before, *after] for name in option.opts if name.startswith("-")}
    declared: list[click.Parameter] = []
    for parameter in chain.parameters().values():
        clash = taken.intersection(parameter.options)
        if clash:
            raise ChainError(f"{chain.path}: the option {min(clash)} of the parameter `{parameter.name}` is taken already")
        taken.update(parameter.options)
        declared.extend(_options(parameter))
    return click.Command(
        "cseq",
        params=[*before, *declared, *after],
        help=_ABOUT,
        epilog=_EPILOG,
        options_metavar="[OPTIONS]",
        add_help_option=False,
        context_settings={"max_content_width": 100},
    )


def _options(parameter: Parameter) -> list[click.Option]:
    """The options that set *parameter*: one, but for the data model; none, where it declares none."""
    import click

    name = _STAGE + parameter.name
    if parameter.name == "bits" and not parameter.options:
        texts = {32: "int, long and pointers have 32 bits (ILP32).", 64: "long and pointers have 64 bits (LP64)."}
        default = {parameter.default: "  [default]"}
        return [
            click.Option([f"--{bits}", name], flag_value=bits, type=int, help=text + default.get(bits, ""))
            for bits, text in texts.items()
        ]
    if not parameter.options:
        return []
    help_ = parameter.help[:1].upper() + parameter.help[1:] + "."
    if parameter.type is bool:
        return [click.Option([*parameter.options, name], is_flag=True, help=help_)]
    notes = [", ".join(parameter.choices())] if parameter.choices else []
    if parameter.default not in (None, "", ()):
        notes.append(f"default: {parameter.default}")
    return [
        click.Option(
            [*parameter.options, name],
            type=_type_of(parameter),
            metavar=parameter.metavar or parameter.type.__name__.upper(),
            multiple=parameter.multiple,
            help=help_ + (f"  [{'; '.join(notes)}]" if notes else ""),
        )
    ]


def _type_of(parameter: Parameter) -> click.ParamType:
    """The type that turns what the user wrote into the parameter's value, or says what is wrong with it."""
    import click

    from cseq.chain import convert

    class Converted(click.ParamType):
        name = parameter.name

        def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
            return convert(parameter, value, parameter.options[0])

    return Converted()
