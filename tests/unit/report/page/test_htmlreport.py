"""The page for browsers: what is in its data. tests/unit/report/page/test_htmlpage.py looks at it in a browser."""

import json
import re
from typing import Any

from cseq.model.verdict import Outcome, Reason, Verdict, summed
from cseq.report.explain.paragraph import explain
from cseq.report.page import htmlreport
from tests.support.executions import MAIN, NASTY, A, nasty, step, violation


def data(page: str) -> dict[str, Any]:
    """The data in a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    read = json.loads(found[1])
    assert isinstance(read, dict)
    return read


def test_what_went_wrong_is_explained() -> None:
    outcome = violation([step(MAIN, 1), step(A, 2)])
    assert data(htmlreport.render(outcome))["answers"][0]["explained"] == explain(outcome)
    assert explain(outcome)


def test_why_there_is_none() -> None:
    assert htmlreport.refusal(violation([step(MAIN, 1)])) is None
    assert htmlreport.refusal(Outcome(Verdict.TRUE)) == "there is none for TRUE"
    unknown = Outcome(Verdict.UNKNOWN, Reason.BOUNDED)
    assert htmlreport.refusal(unknown) == "there is none for UNKNOWN"
    lost = Outcome(Verdict.FALSE, unreplayed="it reports no inputs")
    assert htmlreport.refusal(lost) == "there is none for a violation that is not replayed"
    assert htmlreport.refusal(summed([unknown, violation([step(MAIN, 1)])])) is None


def test_nothing_of_the_users_is_markup() -> None:
    page = htmlreport.render(nasty(), [], [NASTY])
    assert page.count("<script") == page.count("</script>") == 2
    assert "<img" not in page
    assert "<!--" not in page
    assert "\u2028" not in page


def test_it_needs_nothing_beside_itself() -> None:
    page = htmlreport.render(violation([step(MAIN, 1)]))
    assert "default-src 'none'" in page
    found = re.findall(r"""(?:src|href)\s*=|url\(|@import|fetch\(|XMLHttp|https?://[^"'\s]*""", page)
    assert found == ["href=", "http://www.w3.org/2000/svg", "http://www.w3.org/2000/svg"]  # an empty icon, and a name
    assert 'href="data:,"' in page


def test_the_same_outcome_makes_the_same_page() -> None:
    assert htmlreport.render(violation([step(MAIN, 1)])) == htmlreport.render(violation([step(MAIN, 1)]))
