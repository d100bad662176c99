"""The tasks for the programs of a project: each a request of its own, with the flags of each file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from cseq.c.reading import File
from cseq.c.symbols import ILP32, LP64, Symbols
from cseq.cli.options import Arguments, asked
from cseq.cli.outputs import FileOptions
from cseq.cli.projects.compiler_flags import shown
from cseq.cli.projects.object_symbols import complaint
from cseq.cli.projects.project_programs import ProjectProgram
from cseq.cli.tasks.task import Task
from cseq.cli.tasks.written_files import make_folders
from cseq.cli.validation import check
from cseq.model.errors import UsageError
from cseq.modules.frontend.merger.merger import UNIT_FLAGS, UnitFlags

# The arguments with which a function is called that is the entry of a program: inputs, of any value.

INPUTS = {
    "_Bool": "bool", "char": "char", "signed char": "char", "unsigned char": "uchar", "short": "short",
    "unsigned short": "ushort", "int": "int", "unsigned int": "uint", "unsigned": "uint", "long": "long",
    "unsigned long": "ulong", "long long": "longlong", "unsigned long long": "ulonglong", "float": "float",
    "double": "double",
}  # fmt: skip
"""The functions of SV-COMP that return inputs, `__VERIFIER_nondet_…`, by the types of their results."""

_RESULTS = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned", "ulong": "unsigned long",
            "longlong": "long long", "ulonglong": "unsigned long long", "bool": "_Bool"}  # fmt: skip


def inputs_of(function: str, file: str, bits: int, words: Sequence[str]) -> list[str]:
    """The ends of the names of the functions whose results are the arguments of *function*, which *file* defines.

    words: flags of the preprocessor. Raises UsageError for a parameter that is no number, and for a function with any
    number of arguments.
    """
    symbols = Symbols(File(Path(file), bits=bits, flags=words).parsed(), ILP32 if bits == 32 else LP64)
    defined = symbols.functions.get(function)
    if defined is None:
        raise UsageError(f"--entry: `{function}` is not defined in the text of {file}")
    found = []
    for number, item in enumerate(defined.decl.type.args.params if defined.decl.type.args is not None else (), 1):
        type_, name = getattr(item, "type", None), getattr(item, "name", None) or f"number {number}"
        kind = symbols.arithmetic(type_) if type_ is not None else None
        if kind == "void":
            continue
        if kind not in INPUTS:
            how = f"write a function that calls it, and name that one ({defined.decl.coord})"
            raise UsageError(f"--entry: the parameter `{name}` of `{function}` is not a number: {how}")
        found.append(INPUTS[kind])
    return found


def declarations(inputs: Sequence[str]) -> list[str]:
    """The declarations of the functions that return the *inputs*."""
    return [f"extern {_RESULTS.get(each, each)} {call(each)}(void);" for each in dict.fromkeys(inputs)]


def call(end: str) -> str:
    """The name of the function that returns an input. end: what it ends with."""
    return f"__VERIFIER_nondet_{end}"


_WRITTEN = frozenset({"keep", "html", "witness"})
_REFUSED = ("cluster", "resume", "tla", "save", "simulate", "compile")
"""Parameters that are about one program, or for programs that are not read here."""


def asked_for(words: Sequence[str], all_words: Sequence[str]) -> Arguments:
    """What the *words* for the checker ask for. all_words: of the command line, for reports.

    Raises UsageError for words that are not for projects.
    """
    found = asked(None, list(words))
    assert not isinstance(found, str)  # the help was asked for before
    if found.files:
        raise UsageError(f"`cseq check` takes no files, such as {found.files[0]}: the database names them")
    written = [name for name, value in vars(found.written).items() if value and name not in _WRITTEN]
    others = [f"--{name.replace('_', '-')}" for name in written]
    single = [f"--{name.replace('_', '-')}" for name in _REFUSED if found.values.get(name)]
    chain = ["--chain"] if any(word.partition("=")[0] == "--chain" for word in words) else []
    if refused := [*found.printed.program, *others, *single, *chain]:
        raise UsageError(f"{refused[0]} is not for the programs of a project")
    if found.values.get("backend") == "compiled":
        raise UsageError("the backend `compiled` runs what cseq-cc has built: cseq run -- ctest --test-dir …")
    make_folders(found.written, [])
    return replace(found, words=("check", *all_words))


def task_of(
    given: Arguments, program: ProjectProgram, place: PurePath, folder: Path, bounds: Mapping[str, int]
) -> Task:
    """The task of *program*.

    place: for what is kept of it. folder: for temporary files. bounds: of comments, which options replace. Raises
    UsageError where the options do not fit, or the function that is to be called cannot be.
    """
    paths = [shown(unit.path) for unit in program.units]
    words = [unit.words for unit in program.units]
    if program.calls:
        beside = str(Path(paths[0]).parent)  # what the file includes is looked for where it is
        words[0] = ("-iquote", beside, *words[0])
        paths[0] = str(_driver(program, folder, [*_words(given, program), *words[0]]))
    flags = tuple(UnitFlags(path, each) for path, each in zip(paths, words, strict=True))
    more: dict[str, object] = {UNIT_FLAGS.name: flags}
    if given.values.get("bits", program.bits) != program.bits:
        raise UsageError(f"--{given.values['bits']}: the compilation database is for {program.bits} bits")
    more["bits"] = program.bits
    if program.arguments is not None and not {"args", "args_any", "args_count_any"} & given.values.keys():
        more["args"] = program.arguments
    more.update({name: value for name, value in bounds.items() if name not in given.values})
    request = given.request(paths, **more)
    printed = replace(request.printed, stop_on_violation=False)
    request = replace(request, printed=printed, written=FileOptions(), named=program.name)
    check(request)
    return Task(program.name, place, request)


def _words(given: Arguments, program: ProjectProgram) -> list[str]:
    folders = [f"-I{folder}" for folder in given.values.get("include", ())]
    macros = [f"-D{macro}" for macro in given.values.get("define", ())]
    return [*folders, *macros, f"-m{program.bits}"]


def _driver(program: ProjectProgram, folder: Path, words: Sequence[str]) -> Path:
    """A file with a main that calls the function of *program*, to be read in place of the file that has it.

    The text of that file comes first, so that functions can be called that other files do not see.
    Raises UsageError for a function that cannot be called like this.
    """
    first = program.units[0]
    name = shown(first.path)
    path = folder / f"{program.calls}.c"
    text = Path(first.path).read_text(encoding="utf-8", errors="surrogateescape")
    lines = [f'#line 1 "{quoted(name)}"', text, f'#line 1 "{quoted(str(path))}"']
    if "main" in first.symbols.defined:
        lines = ["#define main cseq_other_main", *lines, "#undef main"]
    inputs = inputs_of(program.calls, name, program.bits, words)
    arguments = ", ".join(f"{call(each)}()" for each in inputs)
    lines += [*declarations(inputs), f"int main(void) {{ {program.calls}({arguments}); return 0; }}", ""]
    path.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")
    said = complaint(str(path), words)
    if said:
        raise UsageError(f"--entry: `{program.calls}` in {name} cannot be called: {said}")
    return path


def quoted(path: str) -> str:
    """A path as it is written in a line marker."""
    return path.replace("\\", "\\\\").replace('"', '\\"')
