"""`python -m aiplay`, where the command is not on the path."""

from aiplay.cli import main

main()
