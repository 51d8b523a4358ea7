# The two commands of the README are `make demo` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
UV := $(VENV)/bin/uv
EXTRAS := --extra eval --extra local --extra rag --extra report --extra serve

.PHONY: install install-dev install-adapt bubblewrap demo test adapt-test adapt-study slow battery check bench soak steady pipeline build-group smoke labels clean

install: bubblewrap $(VENV)/.installed

install-dev: bubblewrap $(VENV)/.installed-dev

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
install-adapt: install-dev
	@sh scripts/install-adapt.sh $(VENV)

bubblewrap:
	@sh scripts/ensure-bubblewrap.sh

demo: install
	$(VENV)/bin/apigap demo

test: install-dev
	$(VENV)/bin/pytest -n 2 --dist worksteal

# What takes minutes by itself: the stages of a whole library.
slow: install-dev
	APIGAP_SLOW=1 $(VENV)/bin/pytest tests/stages/test_pipeline.py

# Tuning and editing; `make test` leaves them out where the extra is not installed, and never teaches a real model.
adapt-test: install-adapt
	APIGAP_SLOW=1 $(VENV)/bin/pytest tests/adaptation

# The adaptation matrix (docs/adaptation.md), hours; `make adapt-study APIS=2 LIMIT=2 SEEDS=1` is a small one.
adapt-study: install-adapt
	sh scripts/adaptation_study.sh

# Every case of the battery on every task that is written for it, with a summary; about ten minutes.
battery: install-dev
	APIGAP_BATTERY=full $(VENV)/bin/pytest -s tests/gates/battery

# The classifier of failures against the hand-labelled answers; minutes at first, later from the cache of verdicts.
labels: install-dev
	$(VENV)/bin/python -m tools.diagnosis.labels measure $(ARGS)

check: install-adapt
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/pyright
	$(VENV)/bin/lint-imports
	$(VENV)/bin/vulture

# Minutes each, and only worth reading on a machine that does nothing else; `make bench ARGS="--heavy"`.
bench: install
	$(VENV)/bin/python -m bench $(ARGS)

soak: install
	$(VENV)/bin/python -m bench.soak $(ARGS)

# The same verdicts warm and cold, idle and at full load: `make steady TASKS=FILE`.
steady: install
	$(VENV)/bin/python -m bench.steady $(TASKS) $(ARGS)

# Stages 1 to 4 for a model: `make pipeline LIBRARY=flask MODEL=gguf/qwen2.5-coder-1.5b`; without LIBRARY all of them.
MODEL ?= gguf/qwen2.5-coder-0.5b
pipeline: install
	$(VENV)/bin/apigap pipeline $(if $(LIBRARY),--library $(LIBRARY),--all-libraries) --model $(MODEL) $(ARGS)

# A group's tasks out of its libraries' files: `make build-group GROUP=swe`; without GROUP the published grid.
build-group: install
	$(VENV)/bin/apigap group build $(if $(GROUP),$(GROUP) --model $(MODEL),--paper-grid) $(ARGS)

# Everything once, with made-up answers: neither a GPU nor a key nor a model file.
smoke: install
	$(VENV)/bin/apigap pipeline --library httpx --debug --mock-llm --data data/smoke
	$(VENV)/bin/apigap starter bundles --library flask
	$(VENV)/bin/apigap run --experiment smoke --tasks starter/flask --debug --mock-llm --data data/smoke \
		--cells baseline,s,full,rag.s --set retrieval.embedder=lexical --steps run,eval,analysis

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache
