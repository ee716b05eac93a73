#!/usr/bin/env bash
# Makes docs/review.png and docs/balance.png, the pictures of docs/review.md.
# Needs aiplay[report] and chromium; the match takes a few minutes.
#
#   docs/review_pictures.sh [FILE]       FILE: the saved match of Illusio; played if it does not exist

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

picture() {  # page, picture, height
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,"$3" \
        --screenshot="$PWD/$2" "file://$1" 2>/dev/null
}

aiplay duel --game illusio --a greedy --b greedy --games 2 --seed 3 --jobs 1 --save "$work/duel.db" > /dev/null
aiplay review "$work/duel.db" --game-number 0 --html "$work/review.html"
picture "$work/review.html" review.png 1750

match=${1:-$work/illusio.db}
if [ ! -e "$match" ]; then
    aiplay balance --game illusio --player mcts:iterations=500 --games 1000 --seed 1 --save "$match" > /dev/null
fi
aiplay balance "$match" --verb magician --html "$work/balance.html"
picture "$work/balance.html" balance.png 2120
