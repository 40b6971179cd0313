#!/usr/bin/env bash
# Measures the server with a load generator on the same machine: the most probes per second, and the latency at about
# 10,000 probes per second. Needs wrk. PROGRAM is the program to measure.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-target/release/tablegen}
seconds=${SECONDS_EACH:-10}
exec 3< <(exec "$program" serve tactics --listen 127.0.0.1:0)
server=$!
trap 'kill "$server"' EXIT
read -r address <&3
# Warm up: this opens the table and checks its blocks.
wrk --threads 1 --connections 8 --duration 2s --script benches/serve.lua "$address" >/dev/null
echo "as many as it can, 64 connections:"
wrk --threads 1 --connections 64 --duration "${seconds}s" --script benches/serve.lua "$address" | tail -1
echo "some 10,000 a second:"
wrk --threads 1 --connections 64 --duration "${seconds}s" --script benches/serve.lua "$address" -- 6 | tail -1
grep -E 'VmHWM|RssAnon' "/proc/$server/status"
