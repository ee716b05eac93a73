"""Our games in other libraries, and theirs in ours. Each module needs an extra of its own."""
