"""Our games in other libraries, and theirs here. Each module needs its own extra."""
