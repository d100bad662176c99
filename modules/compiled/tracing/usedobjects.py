"""What a line of C or C++ calls an object of the thread library that it uses."""

import re

from cseq.c.scanner import arguments

_GUARDED = re.compile(r"\b(?:lock_guard|unique_lock|scoped_lock|shared_lock)\b\s*(?:<[^;(){}]*>)?\s*\w*\s*([({])")
_METHOD = re.compile(
    r"((?:\w+(?:\(\))?(?:\[[^][]*\])?(?:\.|->|::))*\w+(?:\[[^][]*\])?)(?:\.|->)"
    r"(?:lock|unlock|try_lock\w*|lock_shared|unlock_shared|acquire|release|arrive\w*|wait\w*|notify_\w+|count_down)\s*\("
)
_FUNCTION = re.compile(
    r"\b(?:pthread_(?:mutex|rwlock|spin|cond|barrier|once)\w*|sem_\w+|mtx_\w+|cnd_\w+|call_once|std::call_once)\s*\("
)
_CLOSING = {"(": ")", "{": "}"}
_NAME = re.compile(r"[\w.\[\]>\-:()*&]+")


def used(source: str, kind: str = "") -> str:
    """The object that a line uses: ``m`` for ``pthread_mutex_lock(&m)``; "" where there is none, or more than one.

    kind: of the object, a value of `ObjectKind`; of a wait on a condition variable, the second argument is the mutex.
    """
    found = list(dict.fromkeys(_used(source, kind)))
    return found[0] if len(found) == 1 else ""


def _used(source: str, kind: str) -> list[str]:
    found = []
    for match in _FUNCTION.finditer(source):
        given = [source[begin:end].strip() for begin, end in arguments(source, match.end())]
        number = 1 if kind == "mutex" and "cond" in match[0] and len(given) > 1 else 0
        if given:
            found.append(given[number])
    for match in _GUARDED.finditer(source):
        end = source.find(_CLOSING[match[1]], match.end())
        inside = source[match.end() : end] if end > 0 else ""
        found.append(inside.split(",")[0].strip() if "scoped" not in match[0] or "," not in inside else "")
    if not found and not (kind == "mutex" and ".wait" in source):
        found = [match[1] for match in _METHOD.finditer(source)]
    return [bare for text in found if (bare := _bare(text))]


def _bare(text: str) -> str:
    """The object that an argument points to, if it is a name that may be shown."""
    text = text.removeprefix("&").strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    return text.removeprefix("this->") if _NAME.fullmatch(text) else ""
