"""What cannot be combined with `cseq check --shared`, and annotations on which programs agree."""

from dataclasses import replace

import pytest

from cseq.cli.projects.check_words import split
from cseq.cli.projects.shared_run import SharedRun, _agreed
from cseq.model.errors import UsageError
from cseq.model.origin import Origin
from cseq.model.sharing import Annotation, AnnotationKind, SharedData, SharedObject

PLACE = Origin("a.c", 3)
UNDER_M = Annotation(AnnotationKind.VARIABLE, "x", PLACE, "m", "pthread_mutex_t", False, "m", PLACE)
X = SharedObject("x", PLACE, "", (), ())


def test_programs_agree_on_an_annotation_unless_one_of_them_has_another() -> None:
    one = SharedData((X,), annotations=(UNDER_M,))
    assert list(_agreed(one, [one, SharedData()])) == [UNDER_M]
    assert list(_agreed(one, [one, SharedData((X,))])) == []
    assert list(_agreed(one, [one, SharedData((X,), annotations=(replace(UNDER_M, lock="n"),))])) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--sarif", "a.c"), "--shared and --sarif"),
        (("--junit", "b.xml", "a.c"), "--shared and --junit"),
        (("--json", "-q", "a.c"), "--json and --quiet"),
        ((), "no input file"),
    ],
)
def test_what_cannot_be_combined(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        SharedRun(split(words), words, print, 0.0).run()
