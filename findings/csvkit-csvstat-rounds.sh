#!/usr/bin/env bash
# Tool: csvkit 2.2.0 (Python).
# Behaviour: `csvstat` prints integers of more than 16 digits as floating-point numbers would round them, and `csvjson` writes them so.
#   `csvsort` and `csvcut` keep all digits.
# Expected: all commands are exact, since csvkit calculates with decimals.
# Output: csvstat: 18446744073709551616; csvsort: 18446744073709551615
# Who meets it: users who look up the largest or the most common board number, and paste it into another command.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet csvkit==2.2.0 agate==1.14.2
printf 'board,remoteness\n5,3\n18446744073709551615,0\n' >"$folder/boards.csv"
told=$("$folder/venv/bin/csvstat" --csv -c board "$folder/boards.csv" | tail -n 1)
sorted=$("$folder/venv/bin/csvsort" -c board "$folder/boards.csv" | tail -n 1)
largest=$("$folder/venv/bin/csvstat" --max -c board "$folder/boards.csv")
echo "csvstat: $largest; csvsort: ${sorted%,*}"
case $told in *18446744073709551616*) ;; *) echo "the behaviour has changed: $told" >&2; exit 1 ;; esac
[ "$largest" = 18446744073709551616 ] && [ "$sorted" = 18446744073709551615,0 ] || { echo "the behaviour has changed" >&2; exit 1; }
