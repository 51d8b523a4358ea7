# The two commands of the README are `make demo` and `make test`; `make help` lists all.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
UV := $(VENV)/bin/uv
EXTRAS := --extra eval --extra local --extra rag --extra report --extra serve

.PHONY: help install install-dev install-adapt bubblewrap demo test adapt-test adapt-study slow battery lint format check \
	bench soak steady pipeline build-group smoke labels clean

install: bubblewrap $(VENV)/.installed ## make .venv with all that a user needs

install-dev: bubblewrap $(VENV)/.installed-dev ## the same with what tests and checks need

$(UV):
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "apigap needs Python 3.11 or later; set PYTHON=/path/to/python3.11" >&2; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check "uv>=0.9"

$(VENV)/.installed: $(UV) pyproject.toml uv.lock
	UV_PYTHON_DOWNLOADS=never $(UV) sync --quiet --locked --inexact --no-default-groups $(EXTRAS)
	@touch $@

$(VENV)/.installed-dev: $(UV) pyproject.toml uv.lock
	UV_PYTHON_DOWNLOADS=never $(UV) sync --quiet --locked --inexact $(EXTRAS) --extra mcp
	@touch $(VENV)/.installed $@

# Tuning and editing models: the locked extra `adapt` over a CPU build of torch, 1.1 GB.
install-adapt: install-dev ## the same with torch, for tuning and editing
	@sh scripts/install-adapt.sh $(VENV)

bubblewrap: ## install bubblewrap where it is missing
	@sh scripts/ensure-bubblewrap.sh

demo: install ## audit pydantic and httpx with a model that runs here
	$(VENV)/bin/apigap demo

test: install-dev ## run the tests
	$(VENV)/bin/pytest -n 2 --dist worksteal

# What takes minutes by itself: the stages of a whole library.
slow: install-dev ## run what takes minutes by itself
	APIGAP_SLOW=1 $(VENV)/bin/pytest tests/stages

# Tuning and editing; `make test` leaves them out where the extra is not installed, and never teaches a real model.
adapt-test: install-adapt ## run the tests of tuning and editing
	APIGAP_SLOW=1 $(VENV)/bin/pytest tests/adaptation

# The adaptation matrix (docs/adaptation.md), hours; `make adapt-study APIS=2 LIMIT=2 SEEDS=1` is a small one.
adapt-study: install-adapt ## run the adaptation matrix: hours
	sh scripts/adaptation_study.sh

# Every case of the battery on every task that is written for it, with a summary; about ten minutes.
battery: install-dev ## run every cheat and unusual form on the tasks written for it
	APIGAP_BATTERY=full $(VENV)/bin/pytest -s tests/gates/battery

# The classifier of failures against the hand-labelled answers; minutes at first, later from the cache of verdicts.
labels: install-dev ## measure the classifier of failures against the hand-labelled answers
	$(VENV)/bin/python -m tools.diagnosis.labels measure $(ARGS)

lint: install-dev ## the quick part of check: style and imports, in seconds
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports

format: install-dev ## put the code into its form, and mend what can be mended
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

check: install-adapt ## lint, types, imports, dead code: what a change must pass
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/pyright
	$(VENV)/bin/lint-imports
	$(VENV)/bin/vulture

# Minutes each, and only worth reading on a machine that does nothing else; `make bench ARGS="--heavy"`.
bench: install ## compare performance, side by side
	$(VENV)/bin/python -m bench $(ARGS)

soak: install ## judge ten thousand samples and look for leaks
	$(VENV)/bin/python -m bench.soak $(ARGS)

# The same verdicts warm and cold, idle and at full load: `make steady TASKS=FILE`.
steady: install ## judge a file warm and cold, idle and busy: TASKS=FILE
	$(VENV)/bin/python -m bench.steady $(TASKS) $(ARGS)

# Stages 1 to 4 for a model: `make pipeline LIBRARY=flask MODEL=gguf/qwen2.5-coder-1.5b`; without LIBRARY all of them.
MODEL ?= gguf/qwen2.5-coder-0.5b
pipeline: install ## run stages 1 to 4: LIBRARY=NAME MODEL=NAME
	$(VENV)/bin/apigap pipeline $(if $(LIBRARY),--library $(LIBRARY),--all-libraries) --model $(MODEL) $(ARGS)

# A group's tasks out of its libraries' files: `make build-group GROUP=swe`; without GROUP the published grid.
build-group: install ## build a group out of its libraries: GROUP=NAME
	$(VENV)/bin/apigap group build $(if $(GROUP),$(GROUP) --model $(MODEL),--paper-grid) $(ARGS)

# Everything once, with made-up answers: neither a GPU nor a key nor a model file.
smoke: install ## run everything once with made-up answers
	$(VENV)/bin/apigap pipeline --library httpx --debug --mock-llm --data data/smoke
	$(VENV)/bin/apigap starter bundles --library flask
	$(VENV)/bin/apigap run --experiment smoke --tasks starter/flask --debug --mock-llm --data data/smoke \
		--cells baseline,s,full,rag.s --set retrieval.embedder=lexical --steps run,eval,analysis

clean: ## remove .venv and caches
	rm -rf $(VENV) .pytest_cache .ruff_cache

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1@\2/p' $(MAKEFILE_LIST) | awk -F@ '{ printf "%-14s %s\n", $$1, $$2 }'
