"""Preprocess and parse one file of the user's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pycparser import c_ast

from cseq.c.parser import parse
from cseq.c.preprocess import Source, is_preprocessed
from cseq.model.errors import InputError, UnsupportedError
from cseq.pthread_stubs import INCLUDE


@dataclass(frozen=True)
class File:
    """A file with what its preprocessor needs. The arguments are those of `Source`."""

    path: Path
    folders: Sequence[str] = ()
    defines: Sequence[str] = ()
    bits: int = 64
    numbered: Path | None = None
    flags: Sequence[str] = ()

    def parsed(
        self,
        prepared: Callable[[str], str] = lambda text: text,
        wants_more: Callable[[c_ast.FileAST], bool] = lambda tree: False,
    ) -> c_ast.FileAST:
        """The tree of the file, with more of the system's headers if ours are not enough for it.

        prepared: called with the preprocessed text; what it returns is parsed. wants_more: whether the headers are not
        enough for a tree, although there is one. Raises InputError; errors of the compiler take precedence over ours.
        """
        try:
            tree = self._parsed(False, prepared)
        except UnsupportedError:
            raise
        except InputError as error:
            if is_preprocessed(self.path):
                raise
            try:
                return self._parsed(True, prepared)
            except InputError as other:
                missing = "No such file" in other.message  # the system may have no headers for 32 bits
                raise (error if missing else other) from None
        if not wants_more(tree):
            return tree
        try:
            return self._parsed(True, prepared)
        except InputError:
            return tree

    def _parsed(self, system: bool, prepared: Callable[[str], str]) -> c_ast.FileAST:
        source = Source(
            self.path, INCLUDE, self.folders, self.defines, self.bits, system, self.numbered, self.flags
        )  # fmt: skip
        try:
            text = prepared(source.text())
            try:
                tree = parse(text, str(self.path))
            except InputError as error:
                source.check()
                if isinstance(error, UnsupportedError):
                    raise
                raise UnsupportedError(f"something here ({error.message}) is not supported", error.origin) from None
            source.check()
            return tree
        finally:
            source.close()
