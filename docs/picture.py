"""Draw `docs/page.png`, the picture of a page of `--html` in the README, with headless Chromium."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PROGRAM = "bounded_buffer_bad.c"
STEP = 21
"""Where the consumer that has been woken goes on, and finds nothing."""

WIDTH, HEIGHT, COLOURS = 1280, 1000, 200


def main() -> None:
    """Check the program, make the page, and draw it."""
    from PIL import Image

    from cseq.api import verify
    from cseq.report.page import htmlreport
    from tests.support.browser import chromium, load, missing

    if missing():
        raise SystemExit(missing())
    os.chdir(ROOT / "sv-benchmarks")  # the names in the picture are short
    outcome = verify(PROGRAM, backend="native")
    page = htmlreport.render(outcome, [PROGRAM], ["cseq", PROGRAM])
    with tempfile.TemporaryDirectory() as folder, chromium(WIDTH, HEIGHT) as driver:
        path = Path(folder) / "page.html"
        path.write_text(page, encoding="utf-8")
        load(driver, path, f"#step-{STEP}")
        picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    # Few colours, and none of them mixed of dots, make a small file.
    few = picture.quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(ROOT / "docs" / "page.png", optimize=True)


if __name__ == "__main__":
    main()
