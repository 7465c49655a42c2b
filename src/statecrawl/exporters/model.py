"""The model file, to simulate other strategies on what was crawled."""

import json
from typing import TextIO

from statecrawl.core.crawled import Crawled
from statecrawl.errors import InputError


def export_model(crawled: Crawled, stream: TextIO) -> None:
    """Write the model: each state, its enabled events, and where each leads."""
    application = crawled.application()
    if application is None:
        raise InputError("the crawl has found no state yet: go on with it with --resume")
    json.dump(application.to_json(), stream, indent=1)
    stream.write("\n")
