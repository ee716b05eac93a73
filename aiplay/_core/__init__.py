"""The compiled core: contract, games and search. README.md in this folder lists every file."""
