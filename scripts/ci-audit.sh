#!/bin/sh
# One audit for a maintainer's CI: what a model makes of a release, as files to comment with and to keep.
#     MODEL=openai/gpt-4o MAX_DOLLARS=2 sh scripts/ci-audit.sh LIBRARY [NEW [OLD]]
# In OUT (default: apigap-audit) are then comment.md, audit.json, report.html and log.txt; the run itself is in OUT/data.
# The status is that of apigap: 0 done, 1 the gate is closed (FAIL_BELOW), 2 usage, 3 infrastructure, or the budget was
# spent before the end. There is a comment whatever happens.
set -u
LIBRARY=${1:?"usage: sh scripts/ci-audit.sh LIBRARY [NEW [OLD]]"}
NEW=${2:-}                          # the release; default: the newest stable one
OLD=${3:-}                          # the one before; default: the newest before the model's cutoff
MODEL=${MODEL:-}                    # of Inspect's names; default: the one that runs here, `mock`: made-up answers
MAX_DOLLARS=${MAX_DOLLARS:-}        # the budget, and the same in minutes
MAX_MINUTES=${MAX_MINUTES:-}
LIMIT=${LIMIT:-}                    # at most so many tasks
FAIL_BELOW=${FAIL_BELOW:-}          # the gate: a share from 0 to 1
OUT=${OUT:-apigap-audit}
ARGS=${ARGS:-}                      # further options of `apigap audit`, with spaces between them
apigap=${APIGAP:-apigap}

mkdir -p "$OUT"
rm -f "$OUT/comment.md" "$OUT/report.html"
set -- audit "$LIBRARY" --json --data "$OUT/data" --markdown "$OUT/comment.md"
[ -n "$NEW" ] && set -- "$@" --to "$NEW"
[ -n "$OLD" ] && set -- "$@" --from "$OLD"
case $MODEL in "") ;; mock) set -- "$@" --mock-llm ;; *) set -- "$@" --model "$MODEL" ;; esac
[ -n "$MAX_DOLLARS" ] && set -- "$@" --max-dollars "$MAX_DOLLARS"
[ -n "$MAX_MINUTES" ] && set -- "$@" --max-minutes "$MAX_MINUTES"
[ -n "$LIMIT" ] && set -- "$@" --limit "$LIMIT"
[ -n "$FAIL_BELOW" ] && set -- "$@" --fail-below "$FAIL_BELOW"
set -f # an option such as --set=a=[1,2] is no pattern of file names
# shellcheck disable=SC2086  # options are words of their own
"$apigap" "$@" $ARGS >"$OUT/audit.json" 2>"$OUT/log.txt"
status=$?
set +f
cat "$OUT/log.txt" >&2

if [ -f "$OUT/comment.md" ]; then
    cp "$OUT"/data/analysis/audit-*/report.html "$OUT/report.html"
else
    # ended before there was a report: by the budget (status 0), or by what the last line says
    [ "$status" -eq 0 ] && status=3
    {
        printf '### apigap: %s %s\n\n' "$LIBRARY" "$NEW"
        printf 'There is no finding: the audit ended with status %s.\n\n```text\n' "$status"
        tail -n 3 "$OUT/log.txt" | tr -d '`' | cut -c 1-500
        printf '```\n'
    } >"$OUT/comment.md"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    cat "$OUT/comment.md" >>"$GITHUB_STEP_SUMMARY"
fi
cat "$OUT/comment.md"
exit "$status"
