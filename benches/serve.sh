#!/usr/bin/env bash
# How many probes a second the server answers with the load generator beside it, and how soon at half of 20,000 a second.
# Needs wrk. PROGRAM is the program to measure.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-target/release/tablegen}
seconds=${SECONDS_EACH:-10}
exec 3< <(exec "$program" serve tactics --listen 127.0.0.1:0)
server=$!
trap 'kill "$server"' EXIT
read -r address <&3
# Warm: the table is open, its blocks are checked.
wrk --threads 1 --connections 8 --duration 2s --script benches/serve.lua "$address" >/dev/null
echo "as many as it can, 64 connections:"
wrk --threads 1 --connections 64 --duration "${seconds}s" --script benches/serve.lua "$address" | tail -1
echo "some 10,000 a second:"
wrk --threads 1 --connections 64 --duration "${seconds}s" --script benches/serve.lua "$address" -- 6 | tail -1
grep -E 'VmHWM|RssAnon' "/proc/$server/status"
