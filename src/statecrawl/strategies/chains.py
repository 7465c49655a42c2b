"""Minimum chain decomposition of a hypercube, worked out on the fly (section 6.1.1).

A state of a hypercube of dimension n is a bit string: bit i (from the left, counted from 0)
is 1 if event i has been executed. Read each 0 as a left and each 1 as a right parenthesis
and match them (Greene and Kleitman 1976): the successor of a state in its chain executes the
leftmost unmatched 0, and the states without an unmatched 1 are those where chains start.
A bit string is an integer here whose bit number i is bit i of the string.
"""


def successor(dimension: int, bits: int) -> int | None:
    """Return the event to execute next in the chain of this state; None at its end."""
    if bits == 0:
        return 0 if dimension else None
    unmatched = []
    for i in range(dimension):
        if not bits >> i & 1:
            unmatched.append(i)
        elif unmatched:
            unmatched.pop()
    return unmatched[0] if unmatched else None


def is_starter(dimension: int, bits: int) -> bool:
    """Tell whether a chain starts here: whether no 1 is unmatched."""
    balance = 0
    for i in range(dimension):
        balance += -1 if bits >> i & 1 else 1
        if balance < 0:
            return False
    return True


def starters_above(dimension: int, bits: int) -> list[int]:
    """Return the events that lead from this state to one where a chain starts.

    Executing event i turns a 0 into a 1, which lowers every balance from there on by 2; so
    all of them must be at least 2, and the state must be a starter itself.
    """
    if bits == 0:
        return list(range(1, dimension))
    balances = []
    balance = 0
    for i in range(dimension):
        balance += -1 if bits >> i & 1 else 1
        if balance < 0:
            return []
        balances.append(balance)
    events = []
    lowest = dimension
    for i in reversed(range(dimension)):
        lowest = min(lowest, balances[i])
        if lowest < 2:
            break
        if not bits >> i & 1:
            events.append(i)
    return events[::-1]
