"""The star in virtual time."""

from random import Random

import pytest

from statecrawl.compose.choices import load_application
from statecrawl.coordination.assign import ASSIGNMENTS
from statecrawl.coordination.machine import BROWSER, NEVER
from statecrawl.coordination.ownership import Ownership
from statecrawl.coordination.pick import PICKS
from statecrawl.coordination.star_coordinator import StarCoordinator
from statecrawl.coordination.star_messages import (
    Credentials,
    Expelled,
    GetCredentials,
    GetNewStates,
    NodeStatus,
    SendNodeStatus,
)
from statecrawl.coordination.star_node import StarNode
from statecrawl.coordination.star_settings import StarSettings
from statecrawl.core.facts import Executed, Found
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser
from statecrawl.simulation.network import USUAL, Network
from statecrawl.simulation.outcome import Tally
from statecrawl.simulation.star import HUB, new_session, simulate_star
from statecrawl.strategies import STRATEGIES

BANK = load_application("bank")
COMPANY = load_application("company")


@pytest.mark.parametrize("name", [*STRATEGIES, *PICKS])
@pytest.mark.parametrize("passes_all", [True, False])
def test_any_strategy_finds_the_true_model(name: str, passes_all: bool) -> None:
    strategy = {**STRATEGIES, **PICKS}[name]
    outcome = simulate_star(COMPANY, strategy, 4, passes_all=passes_all)
    assert outcome.is_complete
    found = {
        (fact.source, fact.event): fact.target
        for fact in outcome.tally.facts
        if isinstance(fact, Executed) and fact.source
    }
    assert found == {
        (state, event): target
        for state, events in COMPANY.states.items()
        for event, target in events.items()
    }


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.parametrize("balances", [True, False])
def test_no_event_is_explored_twice(assignment: str, balances: bool) -> None:
    outcome = simulate_star(BANK, STRATEGIES["greedy"], 7, assignment=assignment, balances=balances)
    facts = [(f.source, f.event) for f in outcome.tally.facts if isinstance(f, Executed)]
    assert outcome.is_complete
    assert len(facts) == len(set(facts))


@pytest.mark.parametrize("assignment", ["stride", "hash"])
@pytest.mark.parametrize(
    ("model", "nodes", "strategy"),
    [
        ("company", 20, PICKS["fifo"]),
        ("company", 40, STRATEGIES["greedy"]),
        ("bank", 40, PICKS["fifo"]),
        ("hypercube:dimensions=5", 8, PICKS["fifo"]),
    ],
)
def test_balancing_saves_time_and_events_with_more_nodes_than_events_a_state(
    model: str, nodes: int, strategy: StrategyFactory, assignment: str
) -> None:
    application = load_application(model)
    assert max(len(events) for events in application.states.values()) < nodes
    strict, balanced = (
        simulate_star(
            application,
            strategy,
            nodes,
            assignment=assignment,
            passes_all=False,
            balances=balances,
        )
        for balances in (False, True)
    )
    assert balanced.simulated_seconds < 0.85 * strict.simulated_seconds
    assert balanced.tally.spent()[0] <= strict.tally.spent()[0]
    assert balanced.idle_share < 0.75 * strict.idle_share
    if assignment == "stride":  # which is uneven to begin with
        assert balanced.idle_share <= strict.idle_share / 2


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.parametrize("name", ["fifo", "greedy"])
@pytest.mark.parametrize("model", ["hypercube:dimensions=5", "company", "modern"])
def test_balancing_halves_the_idle_share_with_more_nodes_than_events_a_state(
    model: str, name: str, assignment: str
) -> None:
    application = load_application(model)
    least = 1 + max(len(events) for events in application.states.values())
    strategy = {**STRATEGIES, **PICKS}[name]
    strict, balanced = (
        sum(
            simulate_star(
                application,
                strategy,
                nodes,
                assignment=assignment,
                passes_all=name not in PICKS,
                balances=balances,
            ).idle_share
            for nodes in range(least, least + 4)  # when one crawl ends is chance
        )
        for balances in (False, True)
    )
    assert balanced <= strict / 2


def test_a_node_loads_the_first_entry_as_soon_as_it_is_let_in() -> None:
    node = StarNode(HUB, lambda credentials: new_session(credentials, PICKS["fifo"]))
    node.begin(0.0)
    plans = [message for to, message in node.on(HUB, credentials(1, 7), 0.0) if to == BROWSER]
    assert [plan.entry for plan in plans] == ["start"]


def test_a_node_that_has_asked_again_takes_no_answer_for_that_to_what_it_asked_before() -> None:
    node = StarNode(HUB, lambda credentials: new_session(credentials, PICKS["fifo"]))
    assert node.begin(0.0) == [(HUB, GetCredentials(1))]
    node.on(HUB, credentials(1, 7), 0.0)
    assert node.on(HUB, Expelled(6), 0.0) == []
    assert node.on(HUB, Expelled(7), 0.0) == [(HUB, GetCredentials(2))]
    assert node.on(HUB, credentials(1, 8), 0.0) == []
    sign = SendNodeStatus(9, NodeStatus.ACTIVE, 0, 0.0)
    assert node.on(HUB, credentials(2, 9), 0.0) == [(HUB, sign)]  # its plan is under way yet


def credentials(attempt: int, token: int) -> Credentials:
    return Credentials(attempt, token, 3, 5, ("start", "other"), 2.0, "hash", NEVER)


def test_a_state_of_few_events_goes_to_who_found_it_and_to_who_has_least_to_do() -> None:
    ownership = Ownership("hash", balances=True)
    ownership.roster = tuple(range(1, 41))
    for finder in ownership.roster:
        state = f"state {finder}"
        found = Found(state, Snapshot(state, (Event("a"), Event("b"))), 0, 0)
        loads = {token: ownership.load(token) for token in ownership.roster if token != finder}
        ownership.learn(found, finder)
        (other,) = ownership.owners(state) - {finder}
        assert ownership.owners(state) == {finder, other}
        assert loads[other] == min(loads.values())


def test_more_nodes_are_faster_and_the_breakdown_is_all_of_the_time() -> None:
    times = []
    for nodes in (1, 5, 15):
        outcome = simulate_star(BANK, PICKS["fifo"], nodes, passes_all=False)
        times.append(outcome.simulated_seconds)
        assert sum(outcome.breakdown.values()) == pytest.approx(1)
    assert times[0] / times[1] > 4
    assert times[1] / times[2] > 2


def test_nodes_with_other_events_in_each_state_walk_less() -> None:
    walked = {
        assignment: simulate_star(
            BANK, STRATEGIES["adaptive"], 8, assignment=assignment
        ).tally.spent()[0]
        for assignment in ("stride", "hash")
    }
    assert walked["hash"] - BANK.transition_count < (walked["stride"] - BANK.transition_count) / 1.5


def network_of(nodes: int) -> tuple[Network, Tally]:
    """Return a star over the company's site that has not begun."""
    network = Network(USUAL, COMPANY.reset_cost)
    tally = Tally(network)
    network.on_fact = lambda _, fact: tally.take(fact)
    settings = StarSettings(COMPANY.all_entries, nodes, COMPANY.reset_cost)
    network.add_coordinator(HUB, StarCoordinator(settings))
    for number in range(nodes):
        add_node(network, f"node {number}")
    return network, tally


def add_node(network: Network, name: str) -> StarNode:
    node = StarNode(HUB, lambda credentials: new_session(credentials, STRATEGIES["greedy"]))
    network.begin(network.add_crawler(name, node, SimulatedBrowser(COMPANY, Random(0))))
    return node


def test_nodes_join_and_leave_while_it_runs() -> None:
    network, tally = network_of(3)
    leaver = network.processes["node 1"]

    def leave() -> None:
        assert isinstance(leaver.machine, StarNode)
        network.emit(leaver, leaver.machine.leave(network.now))

    late: list[StarNode] = []
    network.call(2.0, lambda: late.append(add_node(network, "late")))
    network.call(5.0, leave)
    network.run()
    assert tally.states == len(COMPANY.states)
    assert tally.transitions == COMPANY.transition_count
    assert late[0].status is NodeStatus.TERMINATED
    assert network.processes["late"].events > 0
    facts = [(f.source, f.event) for f in tally.facts if isinstance(f, Executed)]
    assert len(facts) == len(set(facts))


def test_nobody_starts_before_all_have_come() -> None:
    network, tally = network_of(2)
    network.processes[HUB].machine = StarCoordinator(StarSettings(COMPANY.all_entries, 3))
    network.run()
    assert not tally.facts
    add_node(network, "last")
    network.run()
    assert tally.states == len(COMPANY.states)


def test_a_coordinator_goes_on_with_the_facts_of_another() -> None:
    network, tally = network_of(2)
    network.run(until=6.0)
    known = list(tally.facts)
    assert tally.states > 1
    assert tally.transitions < COMPANY.transition_count
    again, rest = network_of(2)
    settings = StarSettings(COMPANY.all_entries, 2, COMPANY.reset_cost)
    again.processes[HUB].machine = StarCoordinator(settings, known, incarnation=2)
    again.run()
    assert tally.states + rest.states == len(COMPANY.states)
    assert tally.transitions + rest.transitions == COMPANY.transition_count


def test_a_stranger_is_refused() -> None:
    hub = StarCoordinator(StarSettings(("start",), 1))
    assert hub.on("stranger", GetNewStates(7, (), 0), 0.0) == [("stranger", Expelled(7))]


def test_nodes_are_told_no_content_of_pages() -> None:
    outcome = simulate_star(COMPANY, STRATEGIES["greedy"], 2)
    stored = [fact for fact in outcome.tally.facts if isinstance(fact, Found)]
    assert all(fact.snapshot.dom for fact in stored)
    assert BROWSER not in outcome.network.processes
