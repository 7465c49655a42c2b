"""What goes wrong on a cluster is told as on one machine."""

from ray.exceptions import RayTaskError

from statecrawl.errors import InputError
from statecrawl.runtimes.cluster import plainly


def raised_by_an_actor(cause: BaseException) -> RayTaskError:
    error = RayTaskError("run", "a traceback of many lines", cause, "an actor", 1, "127.0.0.1")
    return error.as_instanceof_cause()


def test_an_error_of_ours_comes_through_all_who_asked() -> None:
    error = InputError("the disk is full: make room there")
    assert plainly(raised_by_an_actor(raised_by_an_actor(error))) is error
    assert plainly(error) is error


def test_a_fault_is_not_hidden() -> None:
    fault = raised_by_an_actor(ValueError("nobody expected this"))
    assert plainly(fault) is fault
