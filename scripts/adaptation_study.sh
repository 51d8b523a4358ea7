#!/bin/sh
# The adaptation matrix on the starter benchmark: base and five methods x {nothing, full} x four splits, measured and
# judged. Every command goes on where it was ended, so this script does too; APIS, SEEDS and LIMIT make it smaller.
#     FOLDER=data/adaptation MODEL=smollm2-135m APIS=40 SEEDS="1 2 3" sh scripts/adaptation_study.sh
# tools/adaptation/page.py keeps what it leaves, without weights and prompts, in studies/adaptation and draws the page.
# Where one model fails, the others go on; the end names what failed, and the exit status is 1.
set -eu
FOLDER=${FOLDER:-data/adaptation}
MODEL=${MODEL:-smollm2-135m}
MODEL=${MODEL#gguf/}
TASKS=${TASKS:-starter/2026.04}
APIS=${APIS:-40}                        # APIs that are taught, one task each
SEEDS=${SEEDS:-1 2 3}                   # of the trained methods; MEMIT and AlphaEdit draw nothing, GRACE where a value begins
LIMIT=${LIMIT:-40}                      # tasks asked of each split
SLOW=${SLOW:-$LIMIT}                    # the same for what runs in PyTorch, a third as fast as llama.cpp
TOKENS=${TOKENS:-256}                   # of an answer; 98 % of the missing parts have fewer than 200
METHODS=${METHODS:-sft raft memit alphaedit grace}
CELLS=${CELLS:-baseline full}            # and rag.full: the same knowledge, retrieved
STEPS=${STEPS:-run eval}
CONTROLS=${CONTROLS---controls}         # empty: leave out the control tasks
PARTS="train same_api new_api new_library"
apigap=${APIGAP:-.venv/bin/apigap}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
# huge pages, and memory that is kept: a tenth of a tuning's time was the kernel's without (docs/performance.md)
export THP_MEM_ALLOC_ENABLE=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=100000000000
trap 'exit 130' INT TERM                # a command that is ended ends the others too
failed="" made=""

# attempt NAME COMMAND...: run it; where it fails, remember its name
attempt() {
    name=$1
    shift
    "$@" && return 0
    failed="$failed $name"
    return 1
}

# ask NAME MODEL: pass@1 in CELLS, on every split
ask() {
    case $2 in transformers/*) limit=$SLOW ;; *) limit=$LIMIT ;; esac
    for part in $PARTS; do
        $apigap run --experiment "$1-$part" --tasks "$FOLDER/splits/$part.jsonl" --limit "$limit" --model "$2" \
            --cells $CELLS --steps $STEPS --data "$FOLDER/data" --set "generation.max_tokens=$TOKENS" || return 1
    done
}

# measured FOLDER: what `adapt measure` leaves is there, or is made; the control tasks come last
measured() {
    last=${CONTROLS:+controls.json}
    [ -f "$1/${last:-measures.jsonl}" ] ||
        $apigap adapt measure "$1" --tasks "$TASKS" --limit "$LIMIT" $CONTROLS
}

# teach METHOD SEED: adapt, measure and ask
teach() {
    out=$FOLDER/models/$1-$2
    case $1 in grace) model=transformers/$out ;; *) model=gguf/$out/model.gguf ;; esac
    $apigap adapt "$1" --model "gguf/$MODEL" --tasks "$FOLDER/splits/train.jsonl" --preset cpu --set "seed=$2" \
        --out "$out" --data "$FOLDER/data" ${SET:-} && measured "$out" && ask "$1-$2" "$model"
}

# half: the base with linear layers in half precision, as tuned models have them: what they differ in is what they learnt
half() {
    out=$FOLDER/models/base-half
    $apigap adapt base --model "gguf/$MODEL" --out "$out" && ask base-half "gguf/$out/model.gguf"
}

# analyse PART BASE NAME...: the adapted models beside what they are compared with
analyse() {
    part=$1 base=$2 adapted=""
    shift 2
    for model in "$@"; do adapted="$adapted --adapted $model=$model-$part"; done
    $apigap analyze --experiment "$base-$part" $adapted --data "$FOLDER/data"
}

$apigap adapt split --tasks "$TASKS" --apis "$APIS" --out "$FOLDER/splits"
attempt base ask base "gguf/$MODEL" || :
case $METHODS in                        # what a codebook is compared with
    *grace*) attempt base-transformers ask base-transformers "transformers/$MODEL" || : ;;
esac
case $METHODS in
    *sft* | *raft*) attempt base-half half && made="$made base-half" || : ;;
esac
for method in $METHODS; do
    case $method in sft | raft) seeds=$SEEDS ;; *) seeds=1 ;; esac
    for seed in $seeds; do
        attempt "$method-$seed" teach "$method" "$seed" && made="$made $method-$seed" || :
    done
done
case $STEPS in
    *eval*)
        codebooks="" others=""
        for name in $made; do
            case $name in grace-*) codebooks="$codebooks $name" ;; *) others="$others $name" ;; esac
        done
        for part in $PARTS; do
            [ -z "$others" ] || attempt "analysis-$part" analyse "$part" base $others || :
            [ -z "$codebooks" ] || attempt "analysis-transformers-$part" analyse "$part" base-transformers $codebooks || :
        done
        ;;
esac
[ -z "$failed" ] || { echo "failed:$failed; the same command goes on from what is there" >&2 && exit 1; }
