# Both commands need nothing but Python 3.11 or newer; they make their own environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WORKERS ?= 2

.PHONY: demo test check clean

demo: $(READY)  ## crawl a built-in application with every strategy, and show what each cost
	$(BIN)/statecrawl simulate filetree --plot demo.png

test: $(READY) check  ## everything that has to hold
	$(BIN)/python -m pytest -q -n $(WORKERS)

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt --editable '.[lab,dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) demo.png
