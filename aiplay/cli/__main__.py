"""`python -m aiplay.cli`, the same as the command `aiplay`."""

from aiplay.cli import main

main()
