"""The manual as a web site: `make docs` finds no broken link, and the site loads nothing from elsewhere."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.support.checkout import ROOT

# What a browser loads by itself, by the element and the attribute that says so.
_LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}

_DOCUMENTS = ("CHANGELOG.md", "CONTRIBUTING.md", "DEVELOPERS.md", "SECURITY.md")
"""The pages of the site that are not in docs/, except the README."""


def _build(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    return subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does."""
    folder = tmp_path_factory.mktemp("site")
    built = _build(ROOT, folder)
    assert built.returncode == 0, built.stderr
    return folder


class _Addresses(HTMLParser):
    """What a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        address = dict(attributes).get(_LOADED.get(tag, ""))
        if address:
            self.loaded.append(address)


def _loaded(page: Path) -> list[str]:
    parser = _Addresses()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser.loaded


def test_every_document_is_a_page(site: Path) -> None:
    documents = [*ROOT.glob("docs/**/*.md"), *(ROOT / name for name in _DOCUMENTS)]
    missing = [path.name for path in documents if not (site / path.relative_to(ROOT)).with_suffix(".html").exists()]
    assert len(documents) > 20
    assert not missing


def test_the_site_loads_only_its_own_files(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    addresses = {(page, address) for page in pages for address in _loaded(page)}
    assert len(addresses) > len(pages)
    for page, address in addresses:
        assert not re.match(r"(\w+:)?//", address), (page, address)
        assert page.name == "404.html" or (page.parent / address.partition("?")[0]).exists(), (page, address)
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", text), sheet


@pytest.mark.parametrize(
    "link", ["docs/no-such-page.md", "docs/prove.md#no-such-part", "sv-benchmarks/no_such_program.c"]
)
def test_a_broken_link_is_an_error(tmp_path: Path, link: str) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("mkdocs.yml", *_DOCUMENTS):
        shutil.copy(ROOT / name, checkout)
    for name in ("docs", "benchmarks", "sv-benchmarks", "tests/programs"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).symlink_to(ROOT / name)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (checkout / "README.md").write_text(f"{readme}\n[broken]({link})\n", encoding="utf-8")
    built = _build(checkout, tmp_path / "site")
    assert built.returncode != 0
    warnings = [line for line in built.stderr.splitlines() if "WARNING" in line]
    assert len(warnings) == 1, built.stderr
    assert "README.md" in warnings[0]
    assert link.partition("#")[2] or link in warnings[0]
