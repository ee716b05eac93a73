"""`python -m aiplay`: the command `aiplay`."""

from aiplay.cli import main

main()
