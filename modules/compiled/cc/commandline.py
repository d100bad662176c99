"""Reads the command lines of gcc and clang: what is compiled, what is linked, and to what."""

import os

SEPARATE = frozenset({
    "-o", "-x", "-I", "-L", "-l", "-D", "-U", "-B", "-F", "-T", "-u", "-z", "-e", "-A", "-b", "-V", "-G", "-R",
    "-h", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix",
    "-iwithprefixbefore", "-isysroot", "-imultilib", "-imultiarch", "-cxx-isystem", "-ivfsoverlay",
    "-iframework", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang",
    "-Xanalyzer", "-Xopenmp-target", "-mllvm", "-mthread-model", "-aux-info", "--param", "-arch", "-target",
    "-gcc-toolchain", "-framework", "-wrapper", "-dumpbase", "-dumpbase-ext", "-dumpdir", "--sysroot",
    "--entry", "--serialize-diagnostics", "-serialize-diagnostics", "-working-directory", "-Tbss", "-Tdata",
    "-Ttext", "-fplugin-arg", "-specs", "--specs", "--include", "--imacros", "--output", "--language",
    "--undefined", "--define-macro", "--undefine-macro", "--include-directory", "--library-directory", "-rpath",
    "-install_name", "-weak_framework", "-current_version", "-compatibility_version",
})  # fmt: skip
"""The options whose argument may be the next word."""

_NO_OUTPUT = frozenset({"-E", "-M", "-MM", "--preprocess", "--dependencies", "--user-dependencies"})
_NO_LINK = frozenset({"-c", "-S", "-fsyntax-only", "--compile", "--assemble", "-emit-pch", "-emit-ast"}) | _NO_OUTPUT

_QUESTIONS = frozenset({
    "--version", "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs", "--help", "--target-help",
    "-help", "-print-targets", "--print-targets",
})  # fmt: skip

_ASSEMBLER = (".s", ".S", ".sx", ".asm")
_HEADERS = (".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc")
_CXX = (".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++")
_PREPROCESSED = (".i", ".ii", ".mi", ".mii")
_SOURCES = (*_CXX, ".c", ".i", ".m", ".mi", ".mm", ".M", ".mii")


class CommandLine:
    """A command line of a compiler.

    options: the words in their order, each option with its argument: ``[["-O2"], ["-o", "x"], ["x.c"]]``.
    sources: the inputs that are compiled; assembled: those in assembler; headers: those that are precompiled;
    objects: all other inputs, which the linker takes, with libraries as ``-lNAME``.
    output: what ``-o`` names, or "".
    asks: whether the compiler is only asked about itself, or has nothing to do. links: whether it calls the linker.
    shared, static, relocatable: what is linked is a shared library, a static program, another object file.
    bare: linked without the C library. cxx: whether some input is C++.
    preprocesses: whether some source is not preprocessed yet.
    """

    def __init__(self, words: list[str], cxx: bool = False) -> None:
        self.options = grouped(words)
        self.sources: list[str] = []
        self.assembled: list[str] = []
        self.headers: list[str] = []
        self.objects: list[str] = []
        self.output = ""
        self.cxx = cxx
        self.preprocesses = False
        self.asks = self.shared = self.static = self.relocatable = self.bare = False
        no_link = False
        language = "none"
        for option in self.options:
            name = option[0]
            if not is_option(name):
                self._add_input(name, language)
            elif name in _NO_LINK:
                no_link = True
            elif name in _QUESTIONS or name.startswith(("-print-", "--print-", "--help=")):
                self.asks = True
            elif name in ("-o", "--output") or (name.startswith("-o") and not name.startswith("-obj")):
                self.output = option[-1].removeprefix("-o") if len(option) == 1 else option[1]
            elif name.startswith("--output="):
                self.output = name.removeprefix("--output=")
            elif name in ("-x", "--language") or name.startswith("-x"):
                language = option[1] if len(option) == 2 else name[2:]
            elif name in ("-shared", "--shared"):
                self.shared = True
            elif name in ("-static", "--static", "-static-pie"):
                self.static = True
            elif name == "-r":
                self.relocatable = True
            elif name in ("-nostdlib", "-nodefaultlibs", "-nolibc"):
                self.bare = True
            elif name.startswith("-l"):
                self.objects.append("".join(option))
            elif name.startswith("-Wl,"):
                self._see_linker_options(name.split(",")[1:])
            elif name == "-Xlinker":
                self._see_linker_options(option[1:])
        named = any(option[0] == "-lc" or option == ["-l", "c"] for option in self.options)
        self.bare = self.bare and not named
        self.asks = self.asks or not (self.sources or self.assembled or self.headers or self.objects)
        self.links = not (self.asks or no_link) and bool(self.sources or self.assembled or self.objects)

    @property
    def compiles(self) -> bool:
        """Whether C or C++ is compiled, or only preprocessed."""
        return bool(self.sources or self.headers)

    def _add_input(self, name: str, language: str) -> None:
        suffix = os.path.splitext(name)[1]  # noqa: PTH122  # pathlib costs as much as the rest of this program
        self.cxx = self.cxx or language.startswith("c++") or (language == "none" and suffix in _CXX)
        if language != "none":
            assembler, header = language.startswith("assembler"), language.endswith("-header")
        else:
            assembler, header = suffix in _ASSEMBLER, suffix in _HEADERS
            if not (assembler or header or suffix in _SOURCES):
                self.objects.append(name)
                return
        done = language.endswith("cpp-output") or (language == "none" and suffix in _PREPROCESSED)
        self.preprocesses = self.preprocesses or not (assembler or done)
        (self.assembled if assembler else self.headers if header else self.sources).append(name)

    def _see_linker_options(self, words: list[str]) -> None:
        for word in words:
            if word in ("-shared", "--shared", "-Bshareable"):
                self.shared = True
            elif word in ("-r", "-i", "--relocatable"):
                self.relocatable = True


def is_option(word: str) -> bool:
    """Whether a word is an option; ``-`` alone is the standard input."""
    return word.startswith("-") and word != "-"


def grouped(words: list[str]) -> list[list[str]]:
    """The words, each option with its argument."""
    options: list[list[str]] = []
    position = 0
    while position < len(words):
        word = words[position]
        size = 2 if word in SEPARATE and position + 1 < len(words) else 1
        options.append(words[position : position + size])
        position += size
    return options


def expanded(words: list[str], depth: int = 10) -> list[str]:
    """The words with the contents of response files for ``@FILE``; one that cannot be read is a word, as in gcc."""
    if not any(word.startswith("@") for word in words) or depth == 0:
        return words
    result: list[str] = []
    for word in words:
        if word.startswith("@") and len(word) > 1:
            try:
                with open(word[1:], encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
                    result += expanded(split(file.read()), depth - 1)
                continue
            except OSError:
                result.append(word)
        else:
            result.append(word)
    return result


def split(text: str) -> list[str]:
    """The words of a response file: apart by white space, in quotes or not; a backslash takes the next character."""
    words: list[str] = []
    word, begun, quote = "", False, ""
    characters = iter(text)
    for character in characters:
        if character == "\\":
            word, begun = word + next(characters, ""), True
        elif quote:
            if character == quote:
                quote = ""
            else:
                word += character
        elif character in "\"'":
            quote, begun = character, True
        elif character.isspace():
            if begun:
                words.append(word)
            word, begun = "", False
        else:
            word, begun = word + character, True
    return [*words, word] if begun else words


def joined(words: list[str]) -> str:
    """The text of a response file with these words."""
    return "".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for word in words)
