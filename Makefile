# `make help` lists the targets; the two commands of the README are `make demo` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
UV := $(VENV)/bin/uv
EXTRAS := --extra eval --extra local --extra rag --extra report --extra serve --extra openai --extra mcp

.PHONY: help install install-dev install-adapt bubblewrap demo view test pythons slow cluster-test docs figures lint format check adapt-test adapt-study battery bench soak steady usages pipeline build-group smoke labels dist versions clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: bubblewrap $(VENV)/.installed ## make .venv with all that the commands need

install-dev: bubblewrap $(VENV)/.installed-dev ## the same, and what the tests need

$(UV):
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "apigap needs Python 3.11 or later; set PYTHON=/path/to/python3.11" >&2; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check "uv>=0.9"

$(VENV)/.installed: $(UV) pyproject.toml uv.lock
	UV_PYTHON_DOWNLOADS=never $(UV) sync --quiet --locked --inexact --no-default-groups $(EXTRAS)
	@touch $@

$(VENV)/.installed-dev: $(UV) pyproject.toml uv.lock
	UV_PYTHON_DOWNLOADS=never $(UV) sync --quiet --locked --inexact $(EXTRAS) --extra ray
	@touch $(VENV)/.installed $@

# Tuning and editing models: the locked extra `adapt` over a CPU build of torch, 1.1 GB.
install-adapt: install-dev ## the same, and what tuning and editing need: a CPU build of torch, 1.1 GB
	@sh scripts/install-adapt.sh $(VENV)

bubblewrap: ## install bubblewrap where it is missing
	@sh scripts/ensure-bubblewrap.sh

demo: install ## audit pydantic and fastapi with a model that runs here; draws the report
	$(VENV)/bin/apigap demo

view: install ## explore the answers of the starter study in a browser on this machine
	@mkdir -p build/starter-study && tar -xf studies/starter/answers.tar.xz -C build/starter-study
	$(VENV)/bin/apigap view build/starter-study

test: install-dev ## the suite that everyone runs: minutes
	$(VENV)/bin/pytest -n 2 --dist worksteal

# Every verdict of the sandbox on the other interpreters of this machine (docs/pythons.md); half an hour each.
PYTHONS ?= 3.12 3.13
pythons: install-dev ## the sandbox's tests and the battery on other interpreters: PYTHONS="3.12 3.13"
	for minor in $(PYTHONS); do \
		APIGAP_TEST_PYTHON=$$minor $(VENV)/bin/pytest -n 2 --dist worksteal tests/sandbox tests/gates/battery || exit 1; \
	done

slow: install-dev ## tests that take long by themselves: stages of whole libraries, resumed audits, every task
	APIGAP_SLOW=1 $(VENV)/bin/pytest -n 2 --dist worksteal -m slow --ignore tests/adaptation

# Clusters of several node processes on this machine, whose workers, nodes and heads are killed, cut off and filled up.
cluster-test: install-dev ## faults of a Ray cluster that is started here: a quarter of an hour or more
	APIGAP_SLOW=1 $(VENV)/bin/pytest tests/cluster $(ARGS)

# Tuning and editing; `make test` leaves them out where the extra is not installed, and never teaches a real model.
adapt-test: install-adapt ## the tests of tuning and editing, real models taught
	APIGAP_SLOW=1 $(VENV)/bin/pytest tests/adaptation

# The adaptation matrix (docs/adaptation.md), hours; `make adapt-study APIS=2 LIMIT=2 SEEDS=1` is a small one.
adapt-study: install-adapt ## the adaptation matrix of docs/adaptation.md: hours (small: APIS=2 LIMIT=2 SEEDS=1)
	sh scripts/adaptation_study.sh

# Every case of the battery on every task that is written for it, with a summary; half an hour.
battery: install-dev ## every cheat on every task that is written for it: half an hour
	APIGAP_BATTERY=full $(VENV)/bin/pytest -s tests/gates/battery

# Failures of code and faults of calls against the hand-labelled answers; minutes at first, later from the cache of verdicts.
labels: install-dev ## the classifier of failures, and the faults of calls, against the hand-labelled answers
	$(VENV)/bin/python -m tools.labels.make_labels measure
	$(VENV)/bin/python -m tools.diagnosis.labels measure $(ARGS)

docs: install-dev ## the documentation as a site, in site/: strict, nothing loaded from elsewhere
	$(VENV)/bin/python -m tools.site build/pages
	$(VENV)/bin/zensical build --strict --clean

# No model is asked; pages of what models answered are made of what is kept in studies. `ARGS=--write` mends a page.
figures: install-dev ## every figure and table of kept data made anew; fails where a page says something else
	$(VENV)/bin/python -m tools.figures $(ARGS)

lint: install-dev ## style, imports that run downwards, dead code
	$(VENV)/bin/ruff check --no-cache .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/vulture

format: install-dev ## put all code in its form
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

check: lint install-adapt ## lint, and the types of everything
	$(VENV)/bin/pyright

# Minutes each, and only worth reading on a machine that does nothing else; `make bench ARGS="--heavy"`.
bench: install-dev ## speed beside evalplus' shape, on a quiet machine (ARGS="--heavy"); ARGS=--ray: a cluster's
	$(VENV)/bin/python -m bench $(ARGS)

soak: install ## 10,000 answers in a row, with poison among them
	$(VENV)/bin/python -m bench.soak $(ARGS)

# The same usages of a release warm and cold: `make usages USAGES="FILE LIBRARY VERSION"`, with its stage2_usages file.
usages: install ## the same usages warm and cold, and what each way costs: USAGES="FILE LIBRARY VERSION"
	$(VENV)/bin/python -m bench.usages $(USAGES) $(ARGS)

# The same verdicts warm and cold, idle and at full load: `make steady TASKS=FILE`.
steady: install ## the same verdicts warm and cold, idle and busy: TASKS=FILE
	$(VENV)/bin/python -m bench.steady $(TASKS) $(ARGS)

# Stages 1 to 4 for a model: `make pipeline LIBRARY=flask MODEL=gguf/qwen2.5-coder-1.5b`; without LIBRARY all of them.
MODEL ?= gguf/qwen2.5-coder-0.5b
pipeline: install ## stages 1 to 4 for a model: LIBRARY=flask MODEL=gguf/...
	$(VENV)/bin/apigap pipeline $(if $(LIBRARY),--library $(LIBRARY),--all-libraries) --model $(MODEL) $(ARGS)

# A group's tasks out of its libraries' files: `make build-group GROUP=swe`; without GROUP the published grid.
build-group: install ## a group's tasks out of its libraries' files: GROUP=swe
	$(VENV)/bin/apigap group build $(if $(GROUP),$(GROUP) --model $(MODEL),--paper-grid) $(ARGS)

# Everything once, with made-up answers: neither a GPU nor a key nor a model file.
smoke: install ## everything once, with made-up answers
	$(VENV)/bin/apigap pipeline --library httpx --debug --mock-llm --data data/smoke
	$(VENV)/bin/apigap starter bundles --library flask
	$(VENV)/bin/apigap run --experiment smoke --tasks starter/flask --debug --mock-llm --data data/smoke \
		--cells baseline,s,full,rag.s --set retrieval.embedder=lexical --steps run,eval,analysis

# The files of a release, of the commit that is checked out (docs/release.md): ARGS="--install all" tries the wheel as well.
dist: install-dev ## wheel, source archive and bill of materials of this commit, built twice and checked: ARGS="--install all"
	$(VENV)/bin/python -m tools.release.dist $(ARGS)

# The tests that need neither network nor sandbox, with the lowest and the highest versions of all dependencies on each Python.
versions: install-dev ## fast tests with the lowest and highest dependencies, on 3.11 and PYTHONS="3.12 3.13"
	UV=$(UV) sh scripts/test-versions.sh 3.11 $(PYTHONS)

clean: ## remove .venv, caches and what was built
	rm -rf $(VENV) .pytest_cache .ruff_cache build site
