"""The command line of `cseq-bench`."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import click

from cseq.bench.benchexec_process import CHECKOUT, carry_out, choose
from cseq.cli.faults import explained
from cseq.cli.main import interruptible
from cseq.model.errors import UsageError

if TYPE_CHECKING:  # these need BenchExec, and without it there is to be one clear line
    from benchexec.model import Benchmark, Run

_PROPERTIES = ("unreach-call", "no-data-race", "no-overflow", "valid-memsafety", "no-deadlock")
_DEFINITION = CHECKOUT / "sv-benchmarks" / "cseq.xml"
_SECONDS = {"": 1, "s": 1, "min": 60, "h": 3600, "d": 86400}
_BYTES = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
          "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}  # fmt: skip

_ABOUT = """Run a verifier on many tasks, and sum up its answers.

DEFINITION is a benchmark definition of BenchExec; by default that of CSeq's own
benchmarks (sv-benchmarks/cseq.xml of the checkout). With --tasks it only says how to run."""

_EPILOG = """Exit status: 0 no wrong verdict, 1 a wrong verdict, 2 the definition, a task or the command
line is at fault (other tasks are still run), 130 interrupted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, by default those of the process; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with interruptible():
            return int(command.main(words, standalone_mode=False) or 0)
    except click.ClickException as error:
        print(f"cseq-bench: error: {error.format_message()}", file=sys.stderr)
        return 2
    except SystemExit as error:  # so BenchExec reports some mistakes
        if isinstance(error.code, int):
            return error.code
        print(f"cseq-bench: error: {error}", file=sys.stderr)
        return 3
    except (KeyboardInterrupt, Exception) as error:
        cause = KeyboardInterrupt() if isinstance(error, click.Abort) else error
        message, status = explained(cause, command="cseq-bench")
        print(message, file=sys.stderr)
        return status


@click.command("cseq-bench", help=_ABOUT, epilog=_EPILOG, context_settings={"max_content_width": 100})
@click.argument("definition", required=False, type=click.Path(path_type=Path))
@click.option(
    "--tasks",
    "-t",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR|FILE.set|FILE.yml",
    help="Run these tasks instead of the tasks of the definition; a folder means all tasks in it.",
)
@click.option(
    "--property",
    "-p",
    "properties",
    multiple=True,
    metavar="NAME",
    help="With --tasks: only this property (by the name of its file).",
)
@click.option("--rundefinition", "-r", "selected", multiple=True, metavar="NAME", help="Only this run definition.")
@click.option("--timelimit", "-T", metavar="TIME", help="Processor time of a run, such as `60 s`.")
@click.option("--walltimelimit", "-W", metavar="TIME", help="Wall-clock time  [default: 30 s more than --timelimit]")
@click.option("--memlimit", "-M", metavar="SIZE", help="Memory of a run, such as `8 GB`.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="The number of runs at the same time.")
@click.option("--tool", metavar="MODULE", help="The tool-info module.")
@click.option("--tool-directory", metavar="DIR", help="The folder of the tool.")
@click.option("--option", "-o", "options", multiple=True, metavar="WORD", help="An additional option for the tool.")
@click.option(
    "--output",
    "-O",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("results"),
    metavar="DIR",
    show_default=True,
    help="The folder for the results.",
)
@click.option("--resume", is_flag=True, help="Resume the last benchmark of this name in the folder of results.")
@click.option("--tables", is_flag=True, help="Make HTML and CSV tables of the results.")
@click.option(
    "--summary", type=click.Path(path_type=Path), metavar="FILE", help="Write the scores as a Markdown table."
)
@click.option(
    "--runner",
    type=click.Choice(["auto", "benchexec", "cseq-bench"]),
    default="cseq-bench",
    show_default=True,
    help="The runner of the tasks; auto: BenchExec if possible.",
)
def command(definition: Path | None, **given: Any) -> int:  # fmt: skip
    _require_benchexec()
    with _warnings():
        return _carried_out(definition, given)


def _require_benchexec() -> None:
    try:
        found = importlib.util.find_spec("benchexec.model") is not None
    except ImportError:
        found = False
    if not found:
        raise UsageError("BenchExec is not installed: `pip install 'lazy-cseq[bench]'` installs it")


@contextlib.contextmanager
def _warnings() -> Iterator[None]:
    """Write warnings, BenchExec's and our own, to standard error, each once."""
    handler = _Warnings()
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


class _Warnings(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self._said:
            self._said.add(message)
            print(f"warning: {message}", file=sys.stderr, flush=True)


def _carried_out(definition: Path | None, given: dict[str, Any]) -> int:
    from cseq.bench import runsets, scores, taskfiles

    path = _path(definition, bool(given["tasks"]))
    folder: Path = given["folder"]
    arguments = _arguments(folder, given)
    benchmark = runsets.load(path, [*arguments, *(_resumed(path, folder) if given["resume"] else ())])
    _adjust(benchmark, given)
    if not given["tasks"]:
        benchmark.run_sets = runsets.of_definition(benchmark, given["selected"])
    choice = choose(given["runner"], _reason(path, given))
    # The launcher of a checkout takes the first `python3` on PATH: it is to be this one, which has what is needed.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    print(choice.line, flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    if choice.benchexec:
        files = carry_out([str(path), *arguments, *_arguments_of_process(benchmark, given)], folder)
        return _summed_up(files, scores.as_parts([scores.read(file) for file in files]), folder, given, benchmark)
    if given["tasks"]:
        groups = taskfiles.found(given["tasks"], logging.warning)
        benchmark.run_sets = runsets.of_tasks(benchmark, groups, given["properties"] or _PROPERTIES)
    return _run(benchmark, folder, given)


def _path(definition: Path | None, own_tasks: bool) -> Path | None:
    if definition is None and _DEFINITION.exists():
        return _DEFINITION
    if definition is None and not own_tasks:
        raise UsageError("no benchmark definition (`cseq-bench --help` lists the options)")
    return definition


def _reason(path: Path | None, given: dict[str, Any]) -> str:
    """Why BenchExec cannot run this on any machine; empty if it can."""
    for name, option in (("tasks", "tasks"), ("resume", "resume"), ("options", "option"), ("tool", "tool")):
        if given[name]:
            return f"--{option} is an option of cseq-bench alone"
    return "" if path else "there is no definition"


def _limits(given: dict[str, Any]) -> dict[str, float]:
    """The limits that the command line sets, by BenchExec's names; in seconds and bytes."""
    found = {}
    for option, name, units, example in (
        ("timelimit", "cputime", _SECONDS, "time, such as `60 s`"),
        ("walltimelimit", "walltime", _SECONDS, "time, such as `60 s`"),
        ("memlimit", "memory", _BYTES, "memory, such as `8 GB`"),
    ):
        if given[option]:
            match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", given[option], re.IGNORECASE)
            if match is None or match[2].lower() not in units or float(match[1]) <= 0:
                raise UsageError(f"`{given[option]}` is not a limit of {example}")
            number = float(match[1]) * units[match[2].lower()]
            found[name] = int(number) if number.is_integer() else number
    return found


def _arguments(folder: Path, given: dict[str, Any]) -> list[str]:
    """The options of BenchExec that say the same as *given*. BenchExec knows no fractions of seconds."""
    words = ["--outputpath", f"{folder}{os.sep}"]
    options = {"cputime": ("--timelimit", "s"), "walltime": ("--walltimelimit", "s"), "memory": ("--memorylimit", "B")}
    for name, value in _limits(given).items():
        option, unit = options[name]
        words += [option, f"{math.ceil(value)}{unit}"]
    if given["jobs"]:
        words += ["--numOfThreads", str(given["jobs"])]
    return words


def _arguments_of_process(benchmark: Benchmark, given: dict[str, Any]) -> list[str]:
    """The options that only BenchExec itself needs, as a program of its own."""
    words = [word for name in given["selected"] for word in ("--rundefinition", name)]
    if given["tool_directory"]:
        words += ["--tool-directory", given["tool_directory"]]
    elif benchmark.tool_module.startswith("cseq.") and (CHECKOUT / "lazy-cseq.py").exists():
        words += ["--tool-directory", str(CHECKOUT)]
    return words


def _resumed(path: Path | None, folder: Path) -> list[str]:
    """The option of BenchExec that gives the files the names of the last benchmark, if there is one."""
    from cseq.bench.resultfiles import last_start

    start = last_start(folder, path.name[:-4] if path else "tasks")  # as BenchExec names it
    return ["--startTime", str(start)] if start else []


def _adjust(benchmark: Benchmark, given: dict[str, Any]) -> None:
    """Give *benchmark* what the command line sets and BenchExec's does not know."""
    limits = _limits(given)
    if "cputime" in limits:
        limits["cputime_hard"] = limits["cputime"]
    benchmark.rlimits = benchmark.rlimits._replace(**limits)
    if given["tool"]:
        from benchexec.model import load_tool_info

        try:
            benchmark.tool_module, benchmark.tool = load_tool_info(given["tool"], benchmark.config)
        except SystemExit as error:
            raise UsageError(str(error)) from None
        benchmark.tool_name = benchmark.tool.name()


def _add_options(benchmark: Benchmark, words: Sequence[str]) -> None:
    """Append *words* to the options of all runs."""
    from benchexec.model import substitute_vars

    for run_set in benchmark.run_sets:
        run_set.options = [*run_set.options, *words]
        for run in run_set.runs:
            run.options = [*run.options, *substitute_vars(list(words), run_set, run.identifier)]


def _run(benchmark: Benchmark, folder: Path, given: dict[str, Any]) -> int:
    """Run everything here; returns the exit status."""
    from cseq.bench.resultfiles import ResultFiles
    from cseq.bench.runner import Runner, find_tool
    from cseq.bench.runsets import name_logs

    find_tool(benchmark, given["tool_directory"])
    errors = {str(error): error for run_set in benchmark.run_sets for error in run_set.errors}
    for error in errors.values():
        print(f"{error.origin}: error: {error.message}", file=sys.stderr, flush=True)
    if given["tasks"]:
        benchmark.run_sets = [run_set for run_set in benchmark.run_sets if run_set.runs]
    if not any(run_set.runs for run_set in benchmark.run_sets):
        raise UsageError("there is no task to run")
    name_logs(benchmark.run_sets)
    _add_options(benchmark, given["options"])
    with contextlib.closing(ResultFiles(benchmark, given["resume"])) as files:
        runner = Runner(benchmark, files)
        for run_set in benchmark.run_sets:
            runner.carry_out(run_set)
        files.conclude()
    status = _summed_up(files.paths, _groups(benchmark), folder, given, benchmark)
    return 2 if errors else status


def _groups(benchmark: Benchmark) -> Iterator[tuple[str, list[Run]]]:
    """The runs of each run set with its name, and those of its sets of tasks if there are several."""
    for run_set in benchmark.run_sets:
        name = run_set.real_name or "all"
        if len(run_set.blocks) > 1:
            for block in run_set.blocks:
                yield f"{name}: {block.name}", block.runs
        yield name, run_set.runs


def _summed_up(files: list[Path], groups: Iterable[tuple[str, list[Run]]], folder: Path, given: dict[str, Any],
               benchmark: Benchmark) -> int:  # fmt: skip
    """Print the sums, make the tables, and return the exit status."""
    from cseq.bench import scores

    named = list(groups)
    shown = [scores.Tally(name, runs) for name, runs in named]
    whole = [tally for tally in shown if ":" not in tally.name]  # the others are parts of these
    total = scores.Tally("total", (run for name, runs in named if ":" not in name for run in runs))
    if len(shown) > 1:
        shown.append(total)
    print(scores.text(shown), end="", flush=True)
    for tally in whole:
        if tally.others:
            print(f"{tally.name}: no verdict because of {scores.reasons(tally)}")
    if given["summary"]:
        given["summary"].write_text("".join(f"{line}\n" for line in scores.markdown(shown)), encoding="utf-8")
    if given["tables"]:
        print(_make_tables(files, folder, benchmark.name), flush=True)
    return 1 if total.wrong else 0


_TABLE_GENERATOR = "import benchexec.tablegenerator as generator; generator.main()"


def _make_tables(files: Sequence[Path], folder: Path, name: str) -> str:
    """Make one table of the result *files*, called *name*, in *folder*; returns a line that says where it is.

    BenchExec's table-generator is a program of its own because it ends the process when something is wrong, and sets
    handlers of signals. If it fails, the line says so: the results are useful without tables, too.
    """
    root = ElementTree.Element("table")
    union = ElementTree.SubElement(root, "union", title=name)
    for file in files:
        ElementTree.SubElement(union, "result", filename=str(file.absolute()))
    description = folder / f"{name}.table.xml"
    description.write_text(ElementTree.tostring(root, "unicode"), encoding="utf-8")
    words = ["--xml", str(description), "--outputpath", str(folder), "--name", name, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", _TABLE_GENERATOR, *words, "--format", "html", "--format", "csv"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    table = folder / f"{name}.table.html"
    if done.returncode or not table.exists():
        lines = done.stderr.strip().splitlines()
        return f"no tables: table-generator failed: {lines[-1] if lines else f'exit status {done.returncode}'}"
    return f"tables: {table}"
