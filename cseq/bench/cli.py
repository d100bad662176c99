"""The command line of `cseq-bench`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cseq.app.cli import explained, interruptible
from cseq.base.errors import UsageError
from cseq.bench import output, scores, toolinfo
from cseq.bench.choice import choose
from cseq.bench.definition import Definition, bytes_, load, seconds, with_tasks
from cseq.bench.output import Lines, ResultFile
from cseq.bench.runs import Runner, Tool
from cseq.bench.scores import Tally
from cseq.bench.tables import make_tables
from cseq.bench.tasks import Task, found, is_task

_TOOL = "cseq.benchexec_tool"
_PROPERTIES = ("unreach-call", "no-data-race", "no-overflow", "valid-memsafety", "no-deadlock")
_DEFINITION = Path("sv-benchmarks") / "cseq.xml"

_ABOUT = """Run a verifier on many tasks, and sum up what it answers.

DEFINITION is a benchmark definition as BenchExec has them; by default that of CSeq's own
benchmarks (sv-benchmarks/cseq.xml of the checkout). With --tasks it only says how to run."""

_EPILOG = """Exit status: 0 no wrong verdict, 1 a wrong verdict, 2 the definition, a task or the command
line is at fault (other tasks are still run), 130 interrupted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, by default those of the process; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with interruptible():
            return int(_command.main(words, standalone_mode=False) or 0)
    except click.ClickException as error:
        print(f"cseq-bench: error: {error.format_message()}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, Exception) as error:
        message, status = explained(KeyboardInterrupt() if isinstance(error, click.Abort) else error)
        print(message.replace("cseq:", "cseq-bench:", 1), file=sys.stderr)
        return status


@click.command("cseq-bench", help=_ABOUT, epilog=_EPILOG, context_settings={"max_content_width": 100})
@click.argument("definition", required=False, type=click.Path(path_type=Path))
@click.option(
    "--tasks",
    "-t",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR|FILE.set|FILE.yml",
    help="Run on these instead; of a folder, on all tasks in it.",
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
@click.option("--walltimelimit", "-W", metavar="TIME", help="Time on the clock  [default: 30 s more than --timelimit]")
@click.option("--memlimit", "-M", metavar="SIZE", help="Memory of a run, such as `8 GB`.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="So many runs at a time.")
@click.option("--tool", metavar="MODULE", help="The tool-info module.")
@click.option("--tool-directory", metavar="DIR", help="Where the tool is.")
@click.option("--option", "-o", "options", multiple=True, metavar="WORD", help="One more word for the tool.")
@click.option(
    "--output",
    "-O",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("results"),
    metavar="DIR",
    show_default=True,
    help="Where results go.",
)
@click.option("--resume", is_flag=True, help="Go on with the last benchmark of this name in the folder of the results.")
@click.option("--tables", is_flag=True, help="Make HTML tables of the results, with BenchExec's table-generator.")
@click.option(
    "--summary", type=click.Path(path_type=Path), metavar="FILE", help="Write the scores as a Markdown table."
)
@click.option(
    "--runner",
    type=click.Choice(["auto", "benchexec", "cseq-bench"]),
    default="cseq-bench",
    show_default=True,
    help="Who runs the tasks; auto: BenchExec where it can.",
)
def _command(definition: Path | None, **given: Any) -> int:  # fmt: skip
    tasks: tuple[Path, ...] = given["tasks"]
    loaded = _definition(definition, bool(tasks), given)
    choice = choose(given["runner"], _reason(loaded, given))
    # A launcher of a checkout takes the `python3` that it finds: this one has what is needed.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    print(choice.line, flush=True)
    folder: Path = given["folder"]
    folder.mkdir(parents=True, exist_ok=True)
    if choice.benchexec:
        return _summed_up(*choice.run(loaded, folder, given), folder, given, loaded)
    tool_info = toolinfo.load(loaded.tool)
    tool = Tool(loaded.tool, tool_info, toolinfo.executable(tool_info, given["tool_directory"]))
    if tasks:
        loaded = _chosen_tasks(loaded, tasks, given["properties"] or _PROPERTIES)
    for warning in dict.fromkeys(loaded.warnings):
        print(f"warning: {warning}", file=sys.stderr, flush=True)
    for error in loaded.errors:
        print(f"{error.origin}: error: {error.message}", file=sys.stderr, flush=True)
    if not any(run_set.runs for run_set in loaded.run_sets):
        raise UsageError("there is no task to run")
    loaded.name_logs()
    return _summed_up(*_run(loaded, tool, folder, given["resume"]), folder, given, loaded)


def _reason(loaded: Definition, given: dict[str, Any]) -> str:
    """Why BenchExec cannot run this, whatever the machine is like; empty where it can."""
    for option in ("tasks", "resume", "options"):
        if given[option]:
            return f"--{option.removesuffix('s') if option == 'options' else option} is an option of its own"
    return "" if loaded.path else "there is no definition"


def _definition(path: Path | None, own_tasks: bool, given: dict[str, Any]) -> Definition:
    """The definition, with what the command line says otherwise."""
    import cseq

    default = Path(cseq.__file__).resolve().parent.parent / _DEFINITION
    if path is None and default.exists():
        path = default
    if path is not None:
        loaded = load(path, given["selected"], tasks=not own_tasks)
    elif own_tasks:
        loaded = Definition("tasks", _TOOL, columns={"message": "message"})
    else:
        raise UsageError("no benchmark definition (`cseq-bench --help` lists the options)")
    limits = loaded.limits
    if given["timelimit"]:
        limits = replace(limits, cputime=seconds(given["timelimit"]))
    if given["walltimelimit"]:
        limits = replace(limits, walltime=seconds(given["walltimelimit"]))
    if given["memlimit"]:
        limits = replace(limits, memory=bytes_(given["memlimit"]))
    loaded.limits = limits
    loaded.jobs = given["jobs"] or loaded.jobs
    loaded.tool = given["tool"] or loaded.tool
    for words in (loaded.options, *(run_set.options for run_set in loaded.run_sets)):
        words.extend(given["options"])
    for run_set in loaded.run_sets:
        for run in run_set.runs:
            run.options.extend(given["options"])
    return loaded


def _chosen_tasks(loaded: Definition, places: Sequence[Path], properties: Sequence[str]) -> Definition:
    """*loaded* with the tasks in *places*."""
    groups: list[tuple[str, Task]] = []
    explicit = {place for place in places if place.is_file()}
    for group, paths in found(places, loaded.warnings.append):
        for path in paths:
            if path not in explicit and not is_task(path):
                continue
            task = loaded.read(path)
            if task is not None:
                groups.append((group, task))
    return with_tasks(loaded, groups, properties)


def _run(loaded: Definition, tool: Tool, folder: Path, resume: bool) -> tuple[list[Path], list[Tally], bool]:
    """Run everything: the result files, the sums, and whether there are tasks at fault."""
    when = time.strftime("%Y-%m-%d_%H-%M-%S")
    base = _last(folder, loaded.name) if resume else None
    base = base or output.stem(folder, loaded.name, when)
    output.logs(base).mkdir(exist_ok=True)
    values = {"benchmark_name": loaded.name, "benchmark_date": when, "logfile_path": str(output.logs(base)),
              "logfile_path_abs": str(output.logs(base).absolute())}  # fmt: skip
    if loaded.path:
        values |= {"benchmark_path": str(loaded.path.parent), "benchmark_path_abs": str(loaded.path.parent.absolute())}
    runner = Runner(loaded, tool, output.logs(base), values)
    files: list[Path] = []
    tallies: list[Tally] = []
    for run_set in loaded.run_sets:
        file = ResultFile(base, loaded, run_set, tool, time.strftime("%Y-%m-%d %H:%M:%S %Z"))
        if resume:
            file.resume()
        lines = Lines(run_set, file.name, loaded.jobs == 1)
        missing = [run for run in run_set.runs if file.result(run) is None]
        if len(missing) < len(run_set.runs):
            print(f"{len(run_set.runs) - len(missing)} are done already")

        def ended(run: Any, result: Any, file: ResultFile = file, lines: Lines = lines) -> None:
            file.add(run, result)
            lines.end(run, result)

        try:
            runner.run(run_set, missing, lines.begin, ended)
        except BaseException:
            file.write("interrupted")
            raise
        file.write()
        text = "".join(f"{lines.line(run, file.result(run))}\n" for run in run_set.runs)
        file.path.with_suffix(".txt").write_text(text, encoding="utf-8")
        files.append(file.path)
        tallies += file.tallies()
    return files, tallies, bool(loaded.errors)


def _last(folder: Path, name: str) -> Path | None:
    """The base of the files of the last benchmark called *name* in *folder*."""
    bases = sorted({path.name.partition(".results.")[0] for path in folder.glob(f"{name}.*.results.*xml")})
    return folder / bases[-1] if bases else None


def _summed_up(files: list[Path], tallies: list[Tally], faults: bool, folder: Path, given: dict[str, Any],
               loaded: Definition) -> int:  # fmt: skip
    """Tell the sums, make the tables, and return the exit status."""
    total = _total(tallies)
    print(output.statistics(total))
    shown = [*tallies, total] if len(tallies) > 1 else tallies
    print(scores.text(shown), end="", flush=True)
    for tally in tallies:
        if tally.others and ":" not in tally.name:
            print(f"{tally.name}: no verdict because of {scores.reasons(tally)}")
    if given["summary"]:
        given["summary"].write_text("".join(f"{line}\n" for line in scores.markdown(shown)), encoding="utf-8")
    if given["tables"]:
        print(make_tables(files, folder, loaded.name), flush=True)
    if faults:
        return 2
    return 1 if total.count(scores.WRONG) else 0


def _total(tallies: Iterable[Tally]) -> Tally:
    total = Tally("total")
    for tally in tallies:
        if ":" in tally.name:
            continue  # a part of another one
        total.runs += tally.runs
        total.score += tally.score
        total.most += tally.most
        total.cputime += tally.cputime
        total.counts += tally.counts
        total.others += tally.others
    return total
