"""The sentences of reports, each with a key, and the mode in which reports show the keys instead.

Nothing may depend on the wording of a report: `tests/end_to_end/test_sentences_are_free.py` runs programs in that mode
and compares the answers.
"""

import os
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Generic, TypeVar

_VARIABLE = "CSEQ_SENTENCES"
_KEYS = "keys"

K = TypeVar("K")


class _Mode:
    """as_keys: reports show keys instead of sentences."""

    def __init__(self) -> None:
        self.as_keys = os.environ.get(_VARIABLE) == _KEYS


_mode = _Mode()


def sentence(key: str, text: str) -> str:
    """*text*, a sentence or a part of one; its *key* if keys are shown."""
    return f"<{key}>" if text and _mode.as_keys else text


class Catalogue(Generic[K]):
    """Templates for sentences, in the syntax of `str.format`.

    name: the prefix of the keys of these sentences. templates: by what they are about, such as the members of an enum.
    """

    def __init__(self, name: str, templates: Mapping[K, str]) -> None:
        self._name = name
        self._templates = templates

    def __contains__(self, key: K) -> bool:
        return key in self._templates

    def __iter__(self) -> Iterator[K]:
        return iter(self._templates)

    def say(self, key: K, **parts: object) -> str:
        """The sentence for *key*, with its *parts* filled in. Raises KeyError if there is none."""
        return sentence(f"{self._name}.{_word(key)}", self._templates[key].format(**parts))


def _word(key: object) -> str:
    if isinstance(key, tuple):
        return ".".join(_word(part) for part in key if part is not None)
    return key.name.lower() if isinstance(key, Enum) else str(key)
