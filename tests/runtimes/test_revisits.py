"""When pages are gone to again to find out what varies, and which of them first."""

from statecrawl.runtimes.revisits import FREE, MAX_DOUBTS, SHARE, Revisits


def test_the_first_doubts_are_settled_at_once_whatever_it_costs() -> None:
    revisits = Revisits([])
    assert all(revisits.is_due(visits, spent=1000.0, cost=1.0) for visits in range(FREE))


def test_later_ones_wait_until_the_crawl_itself_has_cost_enough() -> None:
    revisits = Revisits([])
    assert not revisits.is_due(FREE, spent=100.0, cost=99.0 / SHARE)
    assert revisits.is_due(FREE, spent=100.0, cost=100.0 / SHARE)


def test_the_last_doubt_comes_first() -> None:
    revisits = Revisits(["before"])
    revisits.doubt("one")
    revisits.doubt("two")
    assert revisits.doubtful == ["before", "one", "two"]
    assert [revisits.take()[0] for _ in range(3)] == ["two", "one", "before"]


def test_what_lay_on_a_way_is_in_doubt_no_more() -> None:
    revisits = Revisits([])
    for state in ("one", "two", "three"):
        revisits.doubt(state)
    revisits.looked(["start", "two"])
    assert revisits.doubtful == ["one", "three"]
    assert "two" not in revisits
    assert None not in revisits


def test_a_doubt_that_waited_may_have_been_settled_elsewhere() -> None:
    revisits = Revisits(["of an earlier run"])
    revisits.doubt("old")
    revisits.looked([])
    revisits.doubt("new")
    assert revisits.take() == ("new", False)
    assert revisits.take() == ("old", True)
    assert revisits.take() == ("of an earlier run", True)


def test_states_that_became_one_are_one_doubt() -> None:
    revisits = Revisits(["one", "two", "three"])
    revisits.rename({"one": "four", "two": "four"})
    assert revisits.doubtful == ["four", "three"]


def test_of_pages_without_end_the_last_ones_are_kept() -> None:
    revisits = Revisits([])
    for number in range(MAX_DOUBTS + 5):
        revisits.doubt(str(number))
    assert len(revisits.doubtful) == MAX_DOUBTS
    assert revisits.doubtful[0] == "5"
