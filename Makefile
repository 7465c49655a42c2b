# Both commands need nothing but Python 3.11 or newer; they make their own environment, and
# install a browser where there is none and they may.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BROWSER := $(VENV)/.browser
WORKERS ?= 3

.PHONY: demo test check clean

demo: $(READY) $(BROWSER)  ## crawl a built-in application in Chromium, and show what was found
	$(BIN)/statecrawl demo

test: $(READY) $(BROWSER) check  ## everything that has to hold
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

PAGE := $(shell find frontend -path frontend/node_modules -prune -o -type f -print)

$(READY): pyproject.toml constraints.txt hatch_build.py $(PAGE)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt --editable '.[lab,dev]'
	touch $(READY)

$(BROWSER): $(READY)
	$(BIN)/statecrawl browser --install
	touch $(BROWSER)

clean:
	rm -rf $(VENV)
