#!/bin/sh
# The fast tests with the lowest and the highest versions of all dependencies that pyproject.toml allows, on each Python.
#     UV=.venv/bin/uv sh scripts/test-versions.sh [3.11 3.12 3.13]
# Environments are made in build/versions and used again; TESTS names other tests. The status is 1 where any failed.
set -u
UV=${UV:-uv}
TESTS=${TESTS:-tests/records tests/statistics tests/models tests/evaluation tests/reporting tests/analysis tests/test_public_api.py}
FOLDER=${FOLDER:-build/versions}
[ $# -gt 0 ] || set -- 3.11 3.12 3.13
failed=""

# interpreter MINOR: one of this machine, pyenv's included; nothing is downloaded
interpreter() {
    "$UV" python find --no-python-downloads --no-project "$1" 2>/dev/null ||
        find "${PYENV_ROOT:-$HOME/.pyenv}/versions" -path "*/versions/$1*/bin/python" 2>/dev/null | sort | tail -n 1
}

# made NAME PYTHON RESOLUTION: an environment with the extra `all` so resolved, of wheels alone, and the test tools
made() {
    "$UV" venv --quiet --allow-existing --python "$2" "$FOLDER/$1" &&
        "$UV" pip compile --quiet --python "$FOLDER/$1/bin/python" --resolution "$3" --no-build --extra all \
            --output-file "$FOLDER/$1.txt" pyproject.toml >/dev/null &&
        "$UV" pip sync --quiet --python "$FOLDER/$1" --no-build "$FOLDER/$1.txt" &&
        "$UV" pip install --quiet --python "$FOLDER/$1" --no-deps --editable . &&
        "$UV" pip install --quiet --python "$FOLDER/$1" --constraints "$FOLDER/$1.txt" \
            "pytest>=8.3" "pytest-timeout>=2.3" "hypothesis>=6.100" "statsmodels>=0.14"
}

mkdir -p "$FOLDER"
for minor in "$@"; do
    python=$(interpreter "$minor")
    [ -n "$python" ] || { echo "no Python $minor on this machine" >&2; failed="$failed $minor"; continue; }
    for resolution in lowest-direct highest; do
        name=$minor-$resolution
        echo "== Python $minor ($python), $resolution"
        # shellcheck disable=SC2086  # several paths
        { made "$name" "$python" "$resolution" &&
            "$FOLDER/$name/bin/python" -m pytest -q -p no:cacheprovider \
                -m "not network and not sandbox and not model and not slow" $TESTS; } || failed="$failed $name"
    done
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
