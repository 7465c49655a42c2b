"""The command line. Each command is thin: it picks parts, runs them, prints what they found."""

from statecrawl.cli import compare, crawl, demo, diff, login, look, page, simulate, sites
from statecrawl.cli.app import main

__all__ = ["compare", "crawl", "demo", "diff", "login", "look", "main", "page", "simulate", "sites"]
