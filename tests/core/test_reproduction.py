"""Tests to copy are Python, whatever a page says."""

import ast
from pathlib import Path

import pytest

from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import Executed, Found
from statecrawl.core.findings import Finding
from statecrawl.core.gathering import Gathering
from statecrawl.core.problems import FindingKind
from statecrawl.core.reproduction import reproduction
from statecrawl.core.snapshot import Event, Filling, Snapshot
from statecrawl.storage import SqliteStore
from tests.web.crawls import attacking, generate


@pytest.mark.parametrize("said", [str, attacking])
def test_a_finding_is_a_test_that_only_walks(tmp_path: Path, said: type[str]) -> None:
    with SqliteStore.open(generate(tmp_path / "c", 20, said=said, pictures=0)) as store:
        crawled = store.crawled()
    assert crawled.findings
    for finding in crawled.findings:
        tree = ast.parse(reproduction(crawled, finding))
        ((test),) = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert test.name == f"test_{finding.kind}"
        literals = [node.value for node in ast.walk(test) if isinstance(node, ast.Constant)]
        assert finding.text in literals
        assert said(f"a.{finding.path[-1]}") in literals
        called = {ast.unparse(n.func) for n in ast.walk(test) if isinstance(n, ast.Call)}
        assert {name.rpartition(".")[2] for name in called} <= {
            "on", "append", "str", "goto", "locator", "click", "wait_for_load_state",
        }  # fmt: skip


def test_a_form_is_filled_before_it_is_sent() -> None:
    put = (
        Filling("#who", "input", "Ann", "Name"),
        Filling("#size", "change", "large", "Size"),
        Filling("#terms", "click", "", "Terms"),
    )
    sent = Event('submit "filled" form', kind="submit", locator="form", fillings=put)
    shop = Snapshot("<html></html>", (sent,), "/")
    gathering = Gathering()
    for fact in (
        Found("shop", shop, 0, 1),
        Executed("", "load /", "shop"),
        Executed("shop", sent.identity, "shop"),
    ):
        gathering.tell(fact)
    crawled = Crawled({"url": "/"}, states=gathering.states, transitions=gathering.transitions)
    path = ("load /", sent.identity)
    finding = Finding(FindingKind.EXCEPTION, "boom", "", "shop", sent.identity, "shop", path)
    assert [line.strip() for line in reproduction(crawled, finding).splitlines()][7:12] == [
        "page.goto('/')",
        "page.locator('#who').fill('Ann')",
        "page.locator('#size').select_option(label='large')",
        "page.locator('#terms').click()",
        """page.locator('form').evaluate("form => form.requestSubmit()")""",
    ]
