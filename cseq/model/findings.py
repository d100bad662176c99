"""What a run finds, one by one, and why some of it does not count."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Finding:
    """A violation. rule: its kind, as in SARIF. claim: the kind of its claim. places: files and lines, the first first.

    fingerprint: what stays the same when lines move. said: what is wrong, in words.
    """

    rule: str
    claim: str
    places: tuple[tuple[str, int], ...]
    fingerprint: str
    said: str


class SuppressionKind(StrEnum):
    """Why a finding does not count. The values are those of the JSON report."""

    EXPECTED = "expected"  # a comment in the source says that it is there
    IGNORED = "ignored"  # a comment says that it does not matter, and why
    KNOWN = "known"  # it is in the baseline


@dataclass(frozen=True)
class Suppression:
    """Why *finding* does not count. reason: in the words of the user, where there are any."""

    finding: Finding
    why: SuppressionKind
    reason: str = ""
