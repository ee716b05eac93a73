#!/usr/bin/env bash
# Plays the tournament that docs/tournament.md shows, and makes docs/report.png, the picture of its report.
# Needs aiplay[report] and chromium; takes a few minutes on two cores.
#
#   docs/report_picture.sh [FILE]       FILE: the saved tournament; played if it does not exist

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
match=${1:-$work/illusio.db}
if [ ! -e "$match" ]; then
    aiplay tournament --game illusio --seed 1 --games 100 --save "$match" \
        --players mcts:iterations=1000 mcts:iterations=100 expectimax:depth=2 greedy random
fi
aiplay report "$match" --html "$work/report.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,2040 \
    --screenshot="$PWD/report.png" "file://$work/report.html" 2>/dev/null
