#!/bin/sh
# The adaptation matrix on the starter benchmark: base and five methods x {nothing, full} x four splits, measured and
# judged. Every command goes on where it was ended, so this script does too; APIS, SEEDS and LIMIT make it smaller.
#     FOLDER=studies/adaptation MODEL=smollm2-135m APIS=40 SEEDS="1 2 3" sh scripts/adaptation_study.sh
set -eu
FOLDER=${FOLDER:-studies/adaptation}
MODEL=${MODEL:-smollm2-135m}
MODEL=${MODEL#gguf/}
APIS=${APIS:-40}                        # APIs that are taught, one task each
SEEDS=${SEEDS:-1 2 3}                   # the trained methods; an edit has one, since only its text depends on none
LIMIT=${LIMIT:-40}                      # tasks asked of each split
METHODS=${METHODS:-sft raft memit alphaedit grace}
STEPS=${STEPS:-run eval}
apigap=${APIGAP:-.venv/bin/apigap}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}

# ask NAME MODEL: pass@1 without knowledge and with all of it, on every split
ask() {
    for part in train same_api new_api new_library; do
        $apigap run --experiment "$1-$part" --tasks "$FOLDER/splits/$part.jsonl" --limit "$LIMIT" --model "$2" \
            --cells baseline full --steps $STEPS --data "$FOLDER/data"
    done
}

[ -f "$FOLDER/splits/new_library.jsonl" ] || $apigap adapt split --tasks starter --out "$FOLDER/splits"
ask base "gguf/$MODEL"
case $METHODS in *grace*) ask base-transformers "transformers/$MODEL" ;; esac   # what a codebook is compared with
for method in $METHODS; do
    case $method in sft | raft) seeds=$SEEDS ;; *) seeds=1 ;; esac
    for seed in $seeds; do
        out=$FOLDER/models/$method-$seed
        $apigap adapt "$method" --model "gguf/$MODEL" --tasks "$FOLDER/splits/train.jsonl" --limit "$APIS" \
            --preset cpu --set "seed=$seed" --out "$out" --data "$FOLDER/data" ${SET:-}
        [ -f "$out/measures.jsonl" ] || $apigap adapt measure "$out" --tasks starter --limit "$LIMIT" ${CONTROLS:-}
        case $method in grace) model=transformers/$out ;; *) model=gguf/$out/model.gguf ;; esac
        ask "$method-$seed" "$model"
    done
done
case $STEPS in *eval*) ;; *) exit 0 ;; esac
for part in train same_api new_api new_library; do
    set --
    for method in $METHODS; do
        case $method in grace) continue ;; sft | raft) seeds=$SEEDS ;; *) seeds=1 ;; esac
        for seed in $seeds; do set -- "$@" --adapted "$method-$seed=$method-$seed-$part"; done
    done
    [ $# = 0 ] || $apigap analyze --experiment "base-$part" "$@" --data "$FOLDER/data"
    case $METHODS in *grace*)
        $apigap analyze --experiment "base-transformers-$part" --adapted "grace-1=grace-1-$part" --data "$FOLDER/data" ;;
    esac
done
