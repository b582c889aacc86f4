#!/bin/bash
# Shards of games as a Slurm array: job number N plays the games N*1000 to N*1000+999.
#
#     sbatch --array=0-99 scripts/cluster/slurm.sh
#     flipside train merge --out my.games shard-*.lines
#
# For a match: flipside match --range "$range" ... , then flipside match --merge shard-*.lines
#SBATCH --cpus-per-task=1 --mem=1G --time=04:00:00 --requeue
set -euo pipefail
size=${SHARD_SIZE:-1000} flipside=${FLIPSIDE:-flipside}
range=$((SLURM_ARRAY_TASK_ID * size))..$(((SLURM_ARRAY_TASK_ID + 1) * size))
out=shard-$(printf %06d "$SLURM_ARRAY_TASK_ID").lines
# Complete or absent, because a requeued job begins again.
"$flipside" train selfplay --range "$range" ${OPTIONS:---seed 1} > "$out.part"
mv "$out.part" "$out"
