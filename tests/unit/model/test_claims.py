"""Claims and cuts: their keys lose no information, whatever the user's program contains."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cseq.model.claims import Claim, Cut, Kind, Limit, Object, Reason, misuse

names = st.sampled_from(["", "f", "pthread_mutex_lock", "__VERIFIER_error"])
texts = st.text(alphabet=[chr(code) for code in (*range(0x250), 0x2028, 0x20AC, 0x1F512)], max_size=20)
"""Also of control characters, ends of lines, and characters beyond 16 bits."""


@given(st.sampled_from(Kind), st.one_of(st.none(), st.sampled_from(Reason)), names, texts)
def test_the_key_of_a_claim_says_all_of_it(kind: Kind, reason: Reason | None, function: str, subject: str) -> None:
    claim = Claim(kind, reason, subject, function)
    assert Claim.of(claim.key) == claim


@given(st.sampled_from(Limit), st.integers(0, 10**6), texts, names, st.integers(0, 99), st.booleans())
def test_the_key_of_a_cut_says_all_of_it(
    limit: Limit, number: int, subject: str, function: str, runs: int, is_set: bool
) -> None:
    cut = Cut(limit, number, subject, function, runs, is_set and runs > 0)
    assert Cut.of(cut.key) == cut


@given(texts)
def test_what_is_no_key_is_what_an_engine_says(text: str) -> None:
    said = f"{text} is wrong!"
    assert Claim.of(said) == Claim(Kind.REACHABILITY, Reason.SAID, said)
    assert Cut.of(said) == Cut(Limit.SAID, subject=said)


def test_keys_are_short_and_in_plain_words() -> None:
    assert Claim(Kind.ASSERTION, subject="x == 2").key == "assertion: x == 2"
    assert misuse("pthread_join", Object.THREAD, Reason.DETACHED).key == "misuse.detached pthread_join: thread"
    assert Cut(Limit.COUNTED, 2, runs=5, is_set=True).key == "cut.counted 2/5="


@pytest.mark.parametrize("reason", [Reason.NO_FUNCTION, Reason.NO_LENGTH])
def test_misuse_is_of_the_library_or_of_the_language(reason: Reason) -> None:
    assert Claim(Kind.REACHABILITY, reason).is_beyond_svcomp
    assert misuse("pthread_join", Object.THREAD, Reason.DETACHED).is_beyond_svcomp
    # No function is called where a thread is created: what is wrong then is a matter of the program's.
    assert not misuse("", Object.THREAD, Reason.MISSING).is_beyond_svcomp
    assert not Claim(Kind.REACHABILITY, Reason.CALLED, function="reach_error").is_beyond_svcomp
