"""Tests to copy are Python, whatever a page says."""

import ast
from pathlib import Path

import pytest

from statecrawl.core.reproduction import reproduction
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
