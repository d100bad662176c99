"""What is installed on the workers of a cluster, as a table."""

from collections.abc import Mapping

from cseq.portfolio.cluster.versions import MISSING, Versions, core


def compared(workers: Mapping[str, Versions | str]) -> tuple[str, bool]:
    """A table of what is installed on the *workers*, by name, and whether all of them can work together.

    A worker that has no answer has the reason in its place. What all workers have comes first, and then what differs.
    """
    here = core().core()
    known = {name: each for name, each in workers.items() if isinstance(each, Versions)}
    rows = {name: {**each.core(), **dict(each.tools)} for name, each in known.items()}
    names = list(dict.fromkeys(what for row in rows.values() for what in row))
    same, differing = [], []
    for what in names:
        versions = {row.get(what, MISSING) for row in rows.values()}
        if len(versions) > 1 or (what in here and versions != {here[what]}):
            differing.append(what)
        elif versions != {MISSING}:
            same.append(f"{what} {versions.pop()}")
    lines = [f"{len(workers)} worker{'' if len(workers) == 1 else 's'}"]
    lines += [f"  {name}" for name in rows if not differing]
    if same:
        lines.append(f"{'each' if len(rows) > 1 else 'it'} has {', '.join(same)}")
    if differing:
        lines += ["", *_table(["", *differing], [["here", *(here.get(what, "") for what in differing)], *(
            [name, *(row.get(what, MISSING) for what in differing)] for name, row in rows.items())])]  # fmt: skip
    lines += [f"{name} {why}" for name, why in workers.items() if isinstance(why, str)]
    return "\n".join(lines) + "\n", not differing and len(known) == len(workers)


def _table(heads: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    cells = ((cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (heads, *rows))
    return ["  ".join(row).rstrip() for row in cells]
