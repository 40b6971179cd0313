#!/usr/bin/env bash
# Appends the figures of `cargo bench --bench record` to FILE, each with its machine, date and commit.
#   benches/record.sh benches/record/sweep.csv [BENCH ...]
set -euo pipefail
file=$1
shift
machine=$(awk -F: '/model name/ { gsub(/^ +/, "", $2); gsub(/,/, " ", $2); print $2; exit }' /proc/cpuinfo)
machine="$machine x$(nproc)"
date=$(date -u +%Y-%m-%d)
commit=$(git rev-parse --short=12 HEAD)
[ -s "$file" ] || head=yes
cargo bench --quiet --bench record -- "$@" | while IFS= read -r line; do
  case $line in
    bench,*) [ -z "${head:-}" ] || echo "machine,date,commit,$line" ;;
    *,*) echo "$machine,$date,$commit,$line" ;;
  esac
done | tee -a "$file"
