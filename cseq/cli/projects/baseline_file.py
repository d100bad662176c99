"""The file of known findings: what is in it does not fail a run."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path

from cseq.cli.projects.whole_files import write_whole
from cseq.model.errors import InputError, UsageError
from cseq.model.findings import Finding
from cseq.model.origin import Origin

_FORMAT = 1


def known_findings(path: Path) -> Collection[str]:
    """The fingerprints in the baseline *path*. Raises InputError, with the place, where it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"--baseline: {path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("not a text file", Origin(str(path), 1)) from None
    try:
        told = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", Origin(str(path), error.lineno)) from None
    wrong = InputError("not a baseline, as --write-baseline writes it", Origin(str(path), 1))
    if not isinstance(told, dict) or told.get("cseq_baseline") != _FORMAT or not isinstance(told.get("findings"), list):
        raise wrong
    found = [one.get("fingerprint") if isinstance(one, dict) else None for one in told["findings"]]
    if not all(isinstance(each, str) and each for each in found):
        raise wrong
    return frozenset(map(str, found))


def check_baseline(path: Path) -> None:
    """Raise UsageError if *path* cannot become a baseline, or is another file."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        raise UsageError(f"--write-baseline: {path} cannot be written")
    if path.is_file() and path.stat().st_size:
        try:
            known_findings(path)
        except InputError:
            raise UsageError(f"--write-baseline: {path}: is not a baseline, and is not overwritten") from None


def write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    """Write the *findings* to the baseline *path*, whole or not at all. Raises UsageError if that is not possible."""
    listed = {one.fingerprint: {"fingerprint": one.fingerprint, "rule": one.rule, "said": one.said} for one in findings}
    told = {"cseq_baseline": _FORMAT, "findings": sorted(listed.values(), key=lambda one: (one["rule"], one["said"]))}
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        write_whole(path, f"{json.dumps(told, indent=2)}\n".encode(), mode)
    except OSError as error:
        raise UsageError(f"--write-baseline: {path}: cannot be written: {error.strerror}") from None
