# One definition of "check": what a commit, a reviewer and CI all run.
PYTHON ?= python

.PHONY: check format lint types imports test schemas

check: lint types imports test

lint:
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .

types:
	$(PYTHON) -m pyright --pythonpath $(PYTHON)

imports:
	$(dir $(PYTHON))lint-imports --no-cache

test:
	$(PYTHON) -m pytest

format:
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

schemas:
	$(PYTHON) -c "from pathlib import Path; from orchestrator.agents.registry import BUILT_IN, agent_type; \
	from orchestrator.workspace.schema import write_schemas; \
	write_schemas(Path('schemas'), {name: agent_type(name) for name in BUILT_IN})"
