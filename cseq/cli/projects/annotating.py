"""Write what protects the shared data into the source: attributes of Clang's thread safety analysis, as a patch.

In C, clang 14 accepts the types and functions of POSIX as capabilities if they are declared once more with attributes,
and attributes behind a declarator also in definitions of functions. An attribute cannot name another member of its
record (before clang 20, with an option), so such an attribute is a macro that is empty in C.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cseq.c.patches import patch
from cseq.c.scanner import Lexeme, Lines, lexemes
from cseq.model.sharing import Annotation, AnnotationKind

_ACQUIRE, _SHARED = "acquire_capability(*m)", "acquire_shared_capability(*m)"
_RELEASE = "release_capability(*m)"
_SUCCESS, _SUCCESS_SHARED = "try_acquire_capability(0, *m)", "try_acquire_shared_capability(0, *m)"
_TYPES: dict[str, tuple[str, str, dict[str, tuple[str, str]]]] = {
    "pthread_mutex_t": ("mutex", "pthread.h", {
        "pthread_mutex_lock": ("", _ACQUIRE), "pthread_mutex_trylock": ("", _SUCCESS),
        "pthread_mutex_timedlock": (", const struct timespec *", _SUCCESS), "pthread_mutex_unlock": ("", _RELEASE),
    }),
    "pthread_rwlock_t": ("rwlock", "pthread.h", {
        "pthread_rwlock_rdlock": ("", _SHARED), "pthread_rwlock_wrlock": ("", _ACQUIRE),
        "pthread_rwlock_tryrdlock": ("", _SUCCESS_SHARED), "pthread_rwlock_trywrlock": ("", _SUCCESS),
        "pthread_rwlock_unlock": ("", "release_generic_capability(*m)"),
    }),
    "pthread_spinlock_t": ("spinlock", "pthread.h", {
        "pthread_spin_lock": ("", _ACQUIRE), "pthread_spin_trylock": ("", _SUCCESS),
        "pthread_spin_unlock": ("", _RELEASE),
    }),
    "mtx_t": ("mutex", "threads.h", {
        "mtx_lock": ("", _ACQUIRE), "mtx_trylock": ("", _SUCCESS), "mtx_unlock": ("", _RELEASE),
    }),
}  # fmt: skip
"""By the types of locks: what clang calls them, their header, and their functions with further parameters."""

_MACROS = """\
#ifndef GUARDED_BY
#ifdef __clang__
#define GUARDED_BY(lock) __attribute__((guarded_by(lock)))
#define REQUIRES(lock) __attribute__((requires_capability(lock)))
#define REQUIRES_SHARED(lock) __attribute__((requires_shared_capability(lock)))
#else
#define GUARDED_BY(lock)
#define REQUIRES(lock)
#define REQUIRES_SHARED(lock)
#endif
#endif
"""
_MEMBERS = """\
#ifndef GUARDED_BY_MEMBER /* the lock is a member of the same record, which clang does not find in C */
#ifdef __cplusplus
#define GUARDED_BY_MEMBER(lock) GUARDED_BY(lock)
#else
#define GUARDED_BY_MEMBER(lock)
#endif
#endif
"""


class LeftOut(NamedTuple):
    """An annotation that is not written, and why not."""

    annotation: Annotation
    why: str


@dataclass(frozen=True)
class Annotated:
    """The patch, how many annotations are in it, and the others."""

    patch: str
    written: int
    left_out: tuple[LeftOut, ...] = ()


def annotated(annotations: Sequence[Annotation], texts: Mapping[str, str]) -> Annotated:
    """The annotations as a patch. texts: of the files, by the names in the origins."""
    after: dict[str, str] = {}
    left: list[LeftOut] = []
    written = 0
    for file, text in texts.items():
        own = list(dict.fromkeys(each for each in annotations if each.origin.file == file))
        source = _Source(file, text)
        for each in own:
            why = source.add(each)
            if why:
                left.append(LeftOut(each, why))
            else:
                written += 1
        after[file] = source.text()
    left += [LeftOut(each, "its file cannot be read") for each in annotations if each.origin.file not in texts]
    return Annotated(patch(texts, after), written, tuple(left))


class _Source:
    """A file that is annotated."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self._text = file, text
        lines = Lines(text)
        every = list(lexemes(text))
        self._directives = [each for each in every if each.kind == "directive"]
        self._tokens = [each for each in every if each.kind not in ("comment", "directive")]
        self._lines = [lines.line(each.start) for each in self._tokens]
        self._inserts: dict[int, str] = {}
        self._types: dict[str, None] = {}
        self._forward: dict[str, None] = {}
        self._has_members = False

    def add(self, annotation: Annotation) -> str:
        """Annotate a declaration; returns why that is not possible, or nothing."""
        if annotation.is_static and annotation.declared is not None and annotation.declared.file != self._file:
            return f"`{annotation.base}` is known in {annotation.declared.file} only"
        is_function = annotation.kind is AnnotationKind.FUNCTION
        places = [*(self._prototypes(annotation.name) if is_function else ()), self._place(annotation)]
        found = [each for each in places if each is not None]
        if len(found) < len(places):
            return "its declaration is not found in the text"
        is_hidden = self._is_later(annotation, min(found))
        if is_hidden and annotation.lock != annotation.base:
            return f"it is declared before `{annotation.base}`"
        if is_hidden:
            storage = "static" if annotation.is_static else "extern"
            self._forward[f"{storage} {annotation.type} {annotation.base};"] = None
        self._types[annotation.type] = None
        for each in found:
            self._inserts[each] = f" {self._attribute(annotation)}"
        return ""

    def _attribute(self, annotation: Annotation) -> str:
        name = "GUARDED_BY"
        if annotation.kind is AnnotationKind.FUNCTION:
            name = "REQUIRES_SHARED" if annotation.shared else "REQUIRES"
        elif not annotation.base:
            name, self._has_members = "GUARDED_BY_MEMBER", True
        return f"{name}({annotation.lock})"

    def _is_later(self, annotation: Annotation, offset: int) -> bool:
        """Whether the lock of an annotation is not known yet where it is used."""
        declared = annotation.declared
        if declared is None:
            return False
        return declared.file != self._file or declared.line > self._text.count("\n", 0, offset) + 1

    # Where

    def _place(self, annotation: Annotation) -> int | None:
        """The offset behind the declarator."""
        for number, token in enumerate(self._tokens):
            if token.text != annotation.name or not 0 <= self._lines[number] - annotation.origin.line < _NEAR:
                continue
            is_function = annotation.kind is AnnotationKind.FUNCTION
            end = self._behind(number + 1, "(" if is_function else "[")
            while not is_function and self._text_of(end) == ")":  # a pointer to an array, or to a function
                end = self._behind(self._behind(end + 1, "("), "[")
            if self._text_of(end) in (("{",) if is_function else (",", ";", "=")) and end > number + is_function:
                return self._end(end - 1)
        return None

    def _prototypes(self, name: str) -> Iterator[int]:
        """The offsets behind the other declarations of a function."""
        depth = 0
        for number, token in enumerate(self._tokens):
            depth += (token.text == "{") - (token.text == "}")
            if depth == 0 and token.text == name and self._text_of(number + 1) == "(":
                end = self._behind(number + 1, "(")
                if self._text_of(end) == ";":
                    yield self._end(end - 1)

    def _behind(self, number: int, opening: str) -> int:
        """The number of the token behind brackets, or behind a list of parameters."""
        while self._text_of(number) == opening:
            depth = 0
            while number < len(self._tokens):
                depth += (self._text_of(number) in _OPENING) - (self._text_of(number) in _CLOSING)
                number += 1
                if not depth:
                    break
            if opening == "(":
                break
        return number

    def _text_of(self, number: int) -> str:
        return self._tokens[number].text if number < len(self._tokens) else ""

    def _end(self, number: int) -> int:
        return self._tokens[number].start + len(self._tokens[number].text)

    # The result

    def text(self) -> str:
        """The text with the annotations."""
        if not self._inserts:
            return self._text
        first = min(self._inserts)
        pieces: list[str] = []
        at = self._head(first)
        pieces += [self._text[:at], self._block()]
        for offset, words in sorted(self._inserts.items()):
            pieces += [self._text[at:offset], words]
            at = offset
        return "".join([*pieces, self._text[at:]])

    def _head(self, first: int) -> int:
        """The offset where macros can be defined: behind the includes before *first* that are not in a condition."""
        level, base, at = 0, 0, 0
        for number, each in enumerate(self._directives):
            if each.start > first:
                break
            word = _directive(each)
            level += (word in _IFS) - (word == "endif")
            if number == 1 and word == "define" and _directive(self._directives[0]) == "ifndef":
                base = 1  # what keeps a header from being read twice
                at = self._line_end(each)
            if level <= base and word in ("include", "endif"):
                at = self._line_end(each)
        return at

    def _line_end(self, directive: Lexeme) -> int:
        end = self._text.find("\n", directive.start + len(directive.text))
        return len(self._text) if end < 0 else end + 1

    def _block(self) -> str:
        lines = ["", "/* For clang -Wthread-safety, which warns of accesses without the lock. */"]
        for type_ in self._types:
            kind, header, functions = _TYPES[type_]
            if header not in self._text[: self._head(min(self._inserts))]:
                lines.append(f"#include <{header}>")
            guard = f"CAPABILITY_{type_.removesuffix('_t').upper()}"
            lines += ["#ifdef __clang__", f"#ifndef {guard}", f"#define {guard}"]
            lines += [f'typedef {type_} {type_} __attribute__((capability("{kind}")));', "#endif"]
            used = {token.text for token in self._tokens if token.kind == "name"}
            lines += [
                f"int {name}({type_} *m{more}) __attribute__(({effect}));"
                for name, (more, effect) in functions.items()
                if name in used
            ]
            lines.append("#endif")
        macros = _MACROS + (_MEMBERS if self._has_members else "")
        return "\n".join([*lines, macros, *self._forward, *([""] if self._forward else [])])


_NEAR = 4
"""The lines from that of a declaration on in which its name is looked for."""

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_IFS = frozenset({"if", "ifdef", "ifndef"})


def _directive(lexeme: Lexeme) -> str:
    """The name of a directive."""
    words = lexeme.text.strip().removeprefix("#").split()
    return words[0].split("<")[0].split('"')[0] if words else ""
