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

# made NAME PYTHON RESOLUTION: an environment with the extra `all` so resolved, and the test tools as they are locked
made() {
    "$UV" venv --quiet --allow-existing --python "$2" "$FOLDER/$1" &&
        "$UV" pip install --quiet --python "$FOLDER/$1" --resolution "$3" --editable ".[all]" &&
        "$UV" pip freeze --quiet --python "$FOLDER/$1" --exclude-editable >"$FOLDER/$1.txt" &&
        "$UV" pip install --quiet --python "$FOLDER/$1" --constraints "$FOLDER/$1.txt" \
            "pytest>=8.3" "pytest-timeout>=2.3" "hypothesis>=6.100" "statsmodels>=0.14"
}

mkdir -p "$FOLDER"
for python in "$@"; do
    for resolution in lowest-direct highest; do
        name=$python-$resolution
        echo "== Python $python, $resolution"
        # shellcheck disable=SC2086  # several paths
        { made "$name" "$python" "$resolution" &&
            "$FOLDER/$name/bin/python" -m pytest -q -p no:cacheprovider \
                -m "not network and not sandbox and not model and not slow" $TESTS; } || failed="$failed $name"
    done
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
