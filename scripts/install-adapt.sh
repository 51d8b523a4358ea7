#!/bin/sh
# The extra `adapt` in the virtual environment $1, at the versions of uv.lock but for torch: what the index has by that
# name for Linux brings gigabytes of CUDA, so its CPU build is taken, from where pip looks or from PyTorch's own index.
set -eu
TORCH=${TORCH:-torch==2.13.0+cpu}
python=$1/bin/python
"$python" -c 'import gguf, peft, torch, trl' 2>/dev/null && exit 0
"$python" -c 'import torch' 2>/dev/null ||
    "$python" -m pip install --quiet "$TORCH" 2>/dev/null ||
    "$python" -m pip install --quiet --extra-index-url https://download.pytorch.org/whl/cpu "$TORCH" ||
    { echo "$TORCH cannot be had here; name a build of torch that pip finds: make install-adapt TORCH=torch==..." >&2; exit 3; }
locked=$(mktemp)
trap 'rm -f "$locked"' EXIT
"$1/bin/uv" export --quiet --locked --no-hashes --no-emit-project --extra adapt --no-emit-package torch >"$locked"
"$1/bin/uv" pip install --quiet --python "$python" --constraints "$locked" --editable ".[adapt]"
