"""Signatures of states, against a dictionary."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from statecrawl.core import signatures
from statecrawl.core.shelf import InMemory
from statecrawl.core.signatures import Signatures

# Of these many fall on the same place in the table.
numbers = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 40).map(lambda n: n << 32))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(numbers, unique=True, max_size=120), numbers)
def test_the_state_of_a_signature_is_found_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch, given_: list[int], other: int
) -> None:
    monkeypatch.setattr(signatures, "QUICK", 4)
    known = Signatures(InMemory())
    for state, signature in enumerate(given_):
        assert known.state(signature) is None
        known.append(signature)
        assert known.state(signature) == state
    assert [known[state] for state in range(len(known))] == given_
    assert [known.state(signature) for signature in given_] == list(range(len(given_)))
    assert (known.state(other) is not None) == (other in given_)
