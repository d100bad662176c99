"""Check, before anything runs, that the options of a command line can be combined and that its files can be written."""

import contextlib
import os
from pathlib import Path

from cseq.cli.files import is_graphml
from cseq.cli.reproducing import check_test
from cseq.cli.request import Request
from cseq.model.errors import UsageError
from cseq.options import environment

_SOURCES = frozenset({".c", ".h", ".i"})
"""The suffixes of files that may be read without being on the command line."""


def check(request: Request) -> None:
    """Raise UsageError for options that cannot be combined, and for those that would overwrite a file of the user's."""
    printed, written = request.printed, request.written
    if not request.files:
        raise UsageError("no input file (`cseq --help` lists the options)")
    if printed.stop_on_violation:
        raise UsageError("--stop-on-violation is for the programs in a folder, and this is one program")
    reports = {"--json": printed.json, "--sarif": printed.sarif}
    alone = ["--sarif", "--quiet"] if printed.sarif and printed.quiet else []
    volumes = [name for name, wanted in (("--quiet", printed.quiet), ("--verbose", printed.verbose)) if wanted]
    whole = [*(name for name, wanted in reports.items() if wanted), *printed.program]
    for chosen in (whole, volumes, alone):
        if len(chosen) > 1:
            raise UsageError(f"{chosen[0]} and {chosen[1]} cannot be combined")
    if printed.ir and printed.dump_after is None:
        raise UsageError("--ir needs --dump-after")
    if written.job_list is not None:
        _check_job_list(request, written.job_list)
    elif written.tiles is not None:
        raise UsageError("--tiles is for --job-list")
    _check_witnesses(request)
    _check_stages(request)
    environment.check(request.values)
    if written.linemap_json is not None:
        _check_writable(request, "--linemap-json", Path(written.linemap_json))
    if written.html is not None:
        _check_file(request, "--html", written.html)
    if request.values.get("cluster") is not None:
        _check_cluster(request)
    if request.values.get("resume") is not None:
        _check_writable(request, "--resume", Path(request.values["resume"]))
    if request.values.get("coverage") is not None:
        _check_file(request, "--coverage", request.values["coverage"])
    if written.reproducer is not None:
        _check_file(request, "--reproducer", written.reproducer)
    if written.save_test is not None:
        check_test(request, Path(written.save_test))


def _check_cluster(request: Request) -> None:
    """Raise UsageError for what a cluster cannot do: its workers have none of the user's files, and keep none."""
    written = request.written
    kept = {"--keep": written.keep, "--dump-all": written.dump_all, "--linemap-json": written.linemap_json}
    for option, given in kept.items():
        if given is not None:
            raise UsageError(f"{option} cannot be combined with --cluster: the programs are made by its workers")
    if request.way.chain.families == ["specification"]:
        raise UsageError("--cluster is not for specifications: the workers have none of your modules")


_ALONE = ("tile", "simulate", "tla", "resume", "cluster", "compile", "built")
"""Parameters that a list of jobs leaves no sense to."""


def _check_job_list(request: Request, name: str) -> None:
    """Raise UsageError for what cannot be combined with a list of jobs, which runs nothing."""
    printed, written = request.printed, request.written
    reports = {**vars(printed), **{what: value for what, value in vars(written).items() if what != "tiles"}}
    own = [what for what, wanted in reports.items() if wanted and what not in ("job_list", "json")]
    own += [what for what in _ALONE if request.values.get(what) and what in request.given]
    own += ["chain"] if "--chain" in request.words or any(word.startswith("--chain=") for word in request.words) else []
    if own:
        raise UsageError(f"--job-list and --{own[0].replace('_', '-')} cannot be combined")
    if request.way.chain.families == ["compiled"]:
        raise UsageError("--job-list is not for programs that are run as they are compiled")
    for file in request.files:
        if not Path(file).is_file():
            raise UsageError(f"{file}: no such file")
    _check_file(request, "--job-list", name)


def _check_stages(request: Request) -> None:
    """Raise UsageError if the chain does not have the stage whose program is to be printed."""
    chain, printed = request.way.chain, request.printed
    for option, stage in (
        ("--dump-after", printed.dump_after),
        ("--seq-only", request.last if printed.seq_only else None),
    ):
        if stage is not None and stage not in chain.names:
            known = ", ".join(chain.names)
            raise UsageError(f"{option}: the chain {chain.path.stem} has no stage `{stage}` (it has {known})")


def _check_witnesses(request: Request) -> None:
    """Raise UsageError for witnesses that are impossible, and for those that would overwrite an input file."""
    printing = request.printed.program
    if request.written.witness and printing:
        raise UsageError(f"{printing[0]} and --witness cannot be combined")
    for name in request.written.witness:
        for file in request.reads:
            with contextlib.suppress(OSError):
                if Path(name).samefile(file):
                    raise UsageError(f"--witness: {name}: is an input file, which is not overwritten")
        if is_graphml(name) and len(request.files) > 1:
            raise UsageError(f"--witness: {name}: GraphML is for a program in one file; YAML can have several")


def _check_file(request: Request, option: str, name: str) -> None:
    """Raise UsageError if *option* cannot write the file *name*, or would overwrite another file."""
    printing, written = request.printed.program, request.written
    if printing:
        raise UsageError(f"{printing[0]} and {option} cannot be combined")
    before = [("--linemap-json", written.linemap_json), ("--html", written.html)]
    for other, file in [*before, *(("--witness", witness) for witness in written.witness)]:
        if other != option and file is not None and Path(file).absolute() == Path(name).absolute():
            raise UsageError(f"{other} and {option} name the same file")
    _check_writable(request, option, Path(name))


def _check_writable(request: Request, option: str, path: Path) -> None:
    """Raise UsageError if *option* cannot write to *path*, as far as that can be known in advance."""
    for file in request.reads:
        with contextlib.suppress(OSError):
            if path.samefile(file):
                raise UsageError(f"{option}: {path}: is an input file, which is not overwritten")
    is_ours = option == "--reproducer" and _is_reproducer(path)
    if path.suffix in _SOURCES and path.is_file() and not is_ours:
        raise UsageError(f"{option}: {path}: looks like a file of a program, which is not overwritten")
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError(f"{option}: {path} cannot be written")


def _is_reproducer(path: Path) -> bool:
    """Whether the file *path*, if there is one, is empty or was made by `--reproducer`."""
    try:
        with path.open("rb") as file:
            text = file.read(1 << 16)
    except OSError:
        return False
    return not text or b"\n#define CSEQ_THREADS " in text
