"""The engines and tools that CSeq can use: which are on this machine, and how to get the others."""

import contextlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cseq.model.errors import CSeqError
from cseq.process.tools import FROM_SOURCE, PATIENCE, TOOLS, Tool, apt_command, ask, known_to_apt, way_to_get

FOUND = "found"
"""In place of the version of a tool that prints none."""

_OURS = Path(sys.executable).parent.absolute()


@dataclass(frozen=True)
class ToolCopy:
    """One copy of a tool.

    where:   how it was found, e.g. "PATH".
    version: the version that the tool prints; None if it prints none.
    problem: why this copy cannot be used, in a few words; None if nothing is wrong with it.
    """

    path: Path
    where: str
    version: str | None = None
    problem: str | None = None


@dataclass(frozen=True)
class ToolReport:
    """What is known about one tool.

    purpose: what CSeq uses it for, in one line.
    places:  all copies found, in search order; empty if there is none.
    chosen:  the copy that CSeq uses.
    install: the command (or advice) to install the tool; None if it is installed already.
    """

    name: str
    purpose: str
    places: tuple[ToolCopy, ...] = ()
    chosen: ToolCopy | None = None
    install: str | None = None

    @property
    def found(self) -> bool:
        return self.chosen is not None


def doctor() -> list[ToolReport]:
    """Look for every tool that CSeq knows.

    Runs each program found, for at most PATIENCE seconds, to ask for its version. A tool that hangs or crashes raises
    nothing: it is reported as such.
    """
    packages = known_to_apt(
        ["cbmc", "g++", *(tool.package for tool in TOOLS if tool.package and not _on_path(tool.names))],
    )
    on_path = {tool.name: _report(tool, packages) for tool in TOOLS}
    return [
        on_path.pop("cc"),
        _cbmc(packages),
        _esbmc(),
        _klee(),
        _horn(),
        *on_path.values(),
        _tlc(on_path["java"]),
        _compiled(packages),
        *_declared(),
        _dask(),
    ]


def versions(names: Collection[str]) -> dict[str, str | None]:
    """The versions of the tools with these *names*, `FOUND` where one prints none; None for those that cannot be used.

    Only these are looked for. Raises KeyError for a name that `doctor` does not have.
    """
    nothing: frozenset[str] = frozenset()
    ways: dict[str, Callable[[], ToolReport]] = {tool.name: partial(_report, tool, nothing) for tool in TOOLS}
    ways.update(cbmc=lambda: _cbmc(nothing), esbmc=_esbmc, klee=_klee, horn=_horn)
    ways.update(tlc=lambda: _tlc(ways["java"]()), compiled=lambda: _compiled(nothing), dask=_dask)
    if not ways.keys() >= set(names):
        ways.update((report.name, partial(_same, report)) for report in _declared())
    reports = {name: ways[name]() for name in names}
    chosen = {name: report.chosen for name, report in reports.items()}
    return {name: None if place is None else place.version or FOUND for name, place in chosen.items()}


def _same(report: ToolReport) -> ToolReport:
    return report


def render(reports: Iterable[ToolReport]) -> str:
    """Lay out the reports for a terminal: one block per tool, without a newline at the end."""
    reports = list(reports)
    names = max((len(report.name) for report in reports), default=0)
    states = max((len(_state(report)) for report in reports), default=0)
    indent = " " * (names + states + 4)
    lines = []
    for report in reports:
        lines.append(f"{report.name:{names}}  {_state(report):{states}}  {report.purpose}")
        lines += [f"{indent}{_place(place, report)}" for place in report.places]
        if report.install:
            lines.append(f"{indent}to install: {report.install}")
    return "\n".join(lines)


def _state(report: ToolReport) -> str:
    if report.chosen:
        return report.chosen.version or FOUND
    return "unusable" if report.places else "missing"


def _place(place: ToolCopy, report: ToolReport) -> str:
    details = [place.where]
    if place.version and place is not report.chosen:
        details.append(place.version)
    if place.problem:
        details.append(place.problem)
    return f"{place.path} ({', '.join(details)})"


def _report(tool: Tool, packages: frozenset[str]) -> ToolReport:
    advice = way_to_get(tool, packages)
    named = os.environ.get(tool.variable) if tool.variable else None
    path = Path(named) if named else _on_path(tool.names)
    if path is None:
        return ToolReport(tool.name, tool.purpose, install=advice)
    place = ToolCopy(path, tool.variable if named and tool.variable else "PATH")
    if tool.ask is not None:
        place = _ask([str(path), *tool.ask], tool.answer, place)
    return _single(tool.name, tool.purpose, place, advice)


def _single(name: str, purpose: str, place: ToolCopy, advice: str) -> ToolReport:
    """The report on a tool with one copy, which is chosen unless it has a problem."""
    if place.problem:
        return ToolReport(name, purpose, (place,), install=advice)
    return ToolReport(name, purpose, (place,), chosen=place)


def _cbmc(packages: frozenset[str]) -> ToolReport:
    """The report on CBMC, which can be in several places; its backend decides which copy is used."""
    from cseq.backends import cbmc

    places = tuple(
        _ask([str(path), "--version"], r"^(\d+(?:\.\d+)+)", ToolCopy(path, where)) for path, where in _cbmc_places()
    )
    choice = None
    with contextlib.suppress(CSeqError):  # CSEQ_CBMC cannot be used; the places say what is wrong with it
        choice = cbmc.find()
    chosen = next((place for place in places if choice and place.path.resolve() == choice.resolve()), None)
    purpose = "symbolic engine: checks the sequential program"
    return ToolReport("cbmc", purpose, places, chosen, None if chosen else _cbmc_advice(packages))


def _cbmc_places() -> Iterator[tuple[Path, str]]:
    if named := os.environ.get("CSEQ_CBMC"):
        yield Path(named), "CSEQ_CBMC"
    if path := _on_path(["cbmc"]):
        yield path, "PATH"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for version in ("6.6", "5.12"):
        path = cache / "cseq" / "engines" / f"cbmc-{version}" / "bin" / "cbmc"
        if path.exists():
            yield path, "private copy"


def _cbmc_advice(packages: frozenset[str]) -> str:
    """How to get CBMC: in a checkout, with the project's set-up; for an installed copy of CSeq, from the system."""
    otherwise = apt_command("cbmc") if "cbmc" in packages else "set CSEQ_CBMC to the path of a cbmc"
    return _set_up("provide-cbmc") or otherwise


def _set_up(name: str, short: str = "make setup") -> str | None:
    """The command of a checkout that runs its set-up script *name*; None for an installed copy.

    short: the command in the folder of the checkout.
    """
    checkout = Path(__file__).resolve().parents[2]
    script = checkout / "setup" / name
    if not script.exists():
        return None
    return short if Path.cwd() == checkout else str(script)


def _esbmc() -> ToolReport:
    """The report on ESBMC, which can be in several places too."""
    from cseq.backends import esbmc

    named, on_path = os.environ.get("CSEQ_ESBMC"), _on_path(["esbmc"])
    found = [(Path(named), "CSEQ_ESBMC")] if named else []
    found += [(on_path, "PATH")] if on_path else []
    found += [(esbmc.private(), "private copy")] if esbmc.private().exists() else []
    answer = r"^ESBMC version (\d+(?:\.\d+)+)"
    places = tuple(_ask([str(path), "--version"], answer, ToolCopy(path, where)) for path, where in found)
    choice = esbmc.BACKEND.find()
    fit = (place for place in places if choice and place.path.resolve() == choice.resolve())
    chosen = next((place for place in fit if not place.problem), None)
    advice = _set_up("provide-esbmc", "make esbmc") or f"{FROM_SOURCE}, or set CSEQ_ESBMC to the path of an esbmc"
    purpose = "symbolic engine: checks the sequential program by SMT"
    return ToolReport("esbmc", purpose, places, chosen, None if chosen else advice)


def _klee() -> ToolReport:
    """The report on KLEE, which can be in several places too, and needs the compiler that it was built for."""
    from cseq.backends import klee

    named, on_path = os.environ.get("CSEQ_KLEE"), _on_path(["klee"])
    found = [(Path(named), "CSEQ_KLEE")] if named else []
    found += [(on_path, "PATH")] if on_path else []
    found += [(path, "private copy") for path in klee.private() if path.exists()]
    asked = (_ask([str(path), "--version"], klee.ANSWER, ToolCopy(path, where)) for path, where in found)
    places = tuple(_with_clang(place) for place in asked)
    choice = klee.BACKEND.find()
    fit = (place for place in places if choice and place.path.resolve() == choice.resolve())
    chosen = next((place for place in fit if not place.problem), None)
    checkout = Path(__file__).resolve().parents[2]
    script = checkout / "setup" / "provide-klee"
    command = script.relative_to(checkout) if Path.cwd() == checkout else script
    advice = f"{FROM_SOURCE} ({command} --help says how)" if script.exists() else FROM_SOURCE
    if any(place.problem and "clang" in place.problem for place in places):
        advice = "install that compiler"
    purpose = "symbolic engine: executes the sequential program"
    return ToolReport("klee", purpose, places, chosen, None if chosen else advice)


def _horn() -> ToolReport:
    """The report on what proofs without bounds need: a solver of Horn clauses, and two solvers that check proofs."""
    from cseq.modules.deductive.certificate.discharging import SOLVERS
    from cseq.modules.deductive.horn import solvers

    purpose = "deductive engine: proofs without bounds, by Z3; checked by Z3 and cvc5"
    advice = "pip install z3-solver cvc5"
    path = solvers.load("z3").find()
    if path is None:
        return ToolReport("horn", purpose, install=advice)
    where = "CSEQ_Z3" if os.environ.get("CSEQ_Z3") else "beside Python" if path.parent == _OURS else "PATH"
    place = _ask([str(path), "--version"], r"version (\d+(?:\.\d+)+)", ToolCopy(path, where))
    missing = [name for name in SOLVERS if importlib.util.find_spec(name) is None]
    if place.problem is None and missing:
        place = ToolCopy(path, where, place.version, f"the Python package {missing[0]} is missing")
    return _single("horn", purpose, place, advice)


def _dask() -> ToolReport:
    """The report on the package that divides the work of a run among machines."""
    purpose = "divides the work of a run among machines (--cluster)"
    try:
        found = importlib.metadata.distribution("distributed")
    except importlib.metadata.PackageNotFoundError:
        return ToolReport("dask", purpose, install="pip install 'lazy-cseq[cluster]'")
    place = ToolCopy(Path(str(found.locate_file("distributed"))), "Python package", found.version)
    return ToolReport("dask", purpose, (place,), place)


def _with_clang(place: ToolCopy) -> ToolCopy:
    """The copy *place* of KLEE, with a problem if its compiler is missing."""
    from cseq.backends import klee

    if place.problem is None:
        try:
            klee.clang(place.path)
        except CSeqError as error:
            return ToolCopy(place.path, place.where, place.version, error.message)
    return place


def _declared() -> Iterator[ToolReport]:
    """The reports on declared verifiers, each with what is known about how well it works."""
    from cseq.backends import declared

    for name in declared.names():
        engine = declared.load(declared.FOLDER / f"{name}.toml")
        known = engine.declaration
        ran = f"run with CSeq: {known.tested}" if known.tested else "never run by us: declared from its manual"
        purpose = f"{known.about} ({ran})"
        path = engine.find()
        if path is None:
            yield ToolReport(name, purpose, install=known.install or "see its manual")
            continue
        place = ToolCopy(path, engine.variable if os.environ.get(engine.variable) else "PATH")
        if known.version is not None:
            arguments, pattern = known.version
            place = _ask([str(path), *arguments], pattern.pattern, place)
        yield _single(name, purpose, place, known.install)


def _tlc(java: ToolReport) -> ToolReport:
    """The report on TLC: a jar, which takes Java, or a command that the user names."""
    from cseq.backends import tlc

    purpose = "specification engine: checks programs as specifications in TLA+"
    advice = _set_up("provide-tlc", "make tlc") or f"set CSEQ_TLC to the path of a {tlc.JAR}"
    places = []
    for path, where in tlc.places():
        place = ToolCopy(path, where)
        if path.suffix != ".jar":
            place = _ask([str(path), "-h"], _TLC_VERSION, place, any_status=True)
        elif java.chosen is None:
            place = ToolCopy(path, where, problem="needs java")
            advice = java.install or advice
        else:
            command = [str(tlc.java() or "java"), "-cp", str(path), "tlc2.TLC", "-h"]
            place = _ask(command, _TLC_VERSION, place, any_status=True)
        if place.version is None and place.problem is None:
            place = ToolCopy(path, where, problem="is no TLC")
        places.append(place)
    chosen = places[0] if places and not places[0].problem else None
    return ToolReport("tlc", purpose, tuple(places), chosen, None if chosen else advice)


def _compiled(packages: frozenset[str]) -> ToolReport:
    """The report on the compiler that `cseq-c++` calls, which has to have the hooks of ThreadSanitizer."""
    from cseq.modules.compiled.cc import compilers

    purpose = "compiled programs: cseq-cc and cseq-c++ compile with -fsanitize=thread"
    advice = apt_command("g++") if "g++" in packages else "see your distribution's packages"
    variable = compilers.VARIABLES[True]
    where = variable if os.environ.get(variable) else "PATH"
    try:
        words = compilers.command(cxx=True)
    except compilers.CompilerError:
        named = os.environ.get(variable)
        places = (ToolCopy(Path(named), variable, problem="cannot be called by cseq-c++"),) if named else ()
        return ToolReport("compiled", purpose, places, install=advice)
    path = Path(words[0])
    try:
        compiler = compilers.known(words)
    except compilers.CompilerError:
        return _single("compiled", purpose, ToolCopy(path, where, problem="no -fsanitize=thread"), advice)
    return _single("compiled", purpose, ToolCopy(path, where, f"{compiler.kind} {compiler.version}"), advice)


_TLC_VERSION = r"[Vv]ersion (\d[\w.]*)"


def _on_path(names: Iterable[str]) -> Path | None:
    """The first of *names* that is a program on the PATH."""
    return next((Path(path) for name in names if (path := shutil.which(name))), None)


def _ask(command: Sequence[str], answer: str, place: ToolCopy, any_status: bool = False) -> ToolCopy:
    """The place with the version that the command prints, or with the reason why it prints none.

    any_status: the tool has no option to print its version, so its exit status means nothing.
    """
    try:
        status, output = ask(command)
    except subprocess.TimeoutExpired:
        return ToolCopy(place.path, place.where, problem=f"no answer within {PATIENCE:g} s")
    except OSError as error:
        return ToolCopy(place.path, place.where, problem=(error.strerror or str(error)).lower())
    match = re.search(answer, output, re.MULTILINE)
    if status != 0 and not (any_status and match):
        return ToolCopy(place.path, place.where, problem=f"does not run: exit status {status}")
    return ToolCopy(place.path, place.where, version=match.group(1) if match else None)
