"""Coverage in the format of lcov (geninfo(1)), which genhtml and editors read."""

from pathlib import Path

from cseq.model.coverage import Coverage, Kind


def render(coverage: Coverage) -> str:
    """The lines with statements of each file: 1 for a line that some execution reaches, else 0."""
    reached = {point.place[:2] for point in coverage.reached if point.kind is Kind.LINE}
    files: dict[str, set[int]] = {}
    for point in coverage.all(Kind.LINE):
        files.setdefault(point.place.file, set()).add(point.place.line)
    out = ["TN:"]
    for file, lines in sorted(files.items()):
        hits = {line: int((file, line) in reached) for line in sorted(lines)}
        out += [f"SF:{Path(file).absolute()}", *(f"DA:{line},{hit}" for line, hit in hits.items())]
        out += [f"LF:{len(hits)}", f"LH:{sum(hits.values())}", "end_of_record"]
    return "".join(f"{line}\n" for line in out)
