"""The command line. Each command is thin: it picks parts, runs them, prints what they found."""

from statecrawl.cli import (
    calibrate,
    calibrate_tasks,
    compare,
    crawl,
    demo,
    diff,
    label,
    login,
    look,
    page,
    precrawl,
    search,
    simulate,
    sites,
    star,
)
from statecrawl.cli.app import main

__all__ = [
    "calibrate",
    "calibrate_tasks",
    "compare",
    "crawl",
    "demo",
    "diff",
    "label",
    "login",
    "look",
    "main",
    "page",
    "precrawl",
    "search",
    "simulate",
    "sites",
    "star",
]
