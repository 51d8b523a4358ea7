#!/bin/bash
# One Ray node per machine of a Slurm job; the command runs on the first of them. Machines share this folder and .venv.
#
#     sbatch --nodes=8 docs/cluster/slurm.sh score novelapi --tasks starter --predictions answers.jsonl --out results.jsonl
#
#SBATCH --job-name=apigap
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@120
set -euo pipefail

export RAY_USAGE_STATS_ENABLED=0
export RAY_AUTH_MODE=token
export RAY_AUTH_TOKEN_PATH=$PWD/.ray-token-$SLURM_JOB_ID # a file that only you can read, on the shared file system
export APIGAP_CACHE=${APIGAP_CACHE:-/tmp/$USER-apigap}   # of each machine: locks and sandboxes want a local disk
trap 'rm -f "$RAY_AUTH_TOKEN_PATH"' EXIT
(umask 077 && "$PWD/.venv/bin/python" -c 'import secrets; print(secrets.token_hex(32), end="")' >"$RAY_AUTH_TOKEN_PATH")

port=$((20000 + SLURM_JOB_ID % 10000))
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n 1p)
address=$(srun --nodes=1 --ntasks=1 --nodelist="$head" hostname -I | awk '{ print $1 }')
folder=/tmp/ray-$SLURM_JOB_ID # sockets want a short path
ray=$PWD/.venv/bin/ray

srun --nodes=1 --ntasks=1 --nodelist="$head" "$ray" start --head --block --node-ip-address="$address" --port="$port" \
    --num-cpus="$SLURM_CPUS_PER_TASK" --temp-dir="$folder" --include-dashboard=false &
until (exec 3<>"/dev/tcp/$address/$port") 2>/dev/null; do sleep 1; done
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
    srun --nodes=$((SLURM_JOB_NUM_NODES - 1)) --ntasks=$((SLURM_JOB_NUM_NODES - 1)) --exclude="$head" \
        "$ray" start --block --address="$address:$port" --num-cpus="$SLURM_CPUS_PER_TASK" &
fi

# Nodes that come later are given work too; a job that ends too early goes on from its results when it is sent again.
srun --overlap --nodes=1 --ntasks=1 --nodelist="$head" "$PWD/.venv/bin/apigap" "$@" --engine ray --address "$address:$port"
