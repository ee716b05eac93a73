#!/bin/sh
# Writes the last section of docs/fairness.md again: the full audit. Takes about ten minutes.
set -eu
page="$(dirname "$0")/fairness.md"
report="$(mktemp)"
{
    aiplay audit
    for game in illusio leduc_poker magic_rabbit; do
        echo
        aiplay audit --game "$game" --player mcts:mode=single --player mcts:mode=several \
            --player mcts:mode=pimc,worlds=8 --player mcts:trees=4,threads=2 --player expectimax:threads=2
    done
} > "$report"
sed -n '1,/^numbers are comparisons/p' "$page" > "$report.page"
echo >> "$report.page"
sed 's/ *| */ | /g; s/^ | /| /; s/ *$//' "$report" >> "$report.page"
mv "$report.page" "$page"
rm "$report"
